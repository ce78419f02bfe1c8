import type { Sql } from '../../../foundation/db/connect.ts'
import type { PostalAddress } from '../../payment/payment-rules.ts'
import type { FundingKind, PaymentKey, RemittanceLine } from '../../payment/payment-types.ts'

/** The content of a check without its account number and signature, which are sealed. */
export type PaperRow = {
  number: string
  amountCents: number
  name: string
  address: PostalAddress | null
  description: string | null
  remittanceAdvice: RemittanceLine[] | null
  createdAt: Date
  expiresAt: Date
  senderId: string
  senderName: string
  /** The address of the sender, possibly incomplete. */
  senderAddress: Partial<Record<keyof PostalAddress, string>> | null
  fundingKind: FundingKind
  fundingId: string
  /** The bank's name, for a payment from a bank. */
  bankName: string | null
  routing: string | null
}

/** Finds the content of a payment's check. The sender's name comes from its current profile: the business name, or else the person's. */
export async function findPaperRow(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<PaperRow | null> {
  const [row] = await sql<PaperRow[]>`
    select
      p.number, p.amount_cents, p.name, p.address, p.description, p.remittance_advice, p.created_at, p.expires_at,
      p.sender_id, coalesce(u.business_name, u.first_name || ' ' || u.last_name, u.name) as sender_name,
      u.merchant -> 'address' as sender_address, p.funding_kind, p.funding_id, b.name as bank_name, b.routing
    from payments p
    join users u on u.platform_id = p.platform_id and u.id = p.sender_id
    left join banks b on b.platform_id = p.platform_id and b.id = p.funding_id
    where p.platform_id = ${platformId} and p.id = ${paymentId}
  `
  return row ?? null
}

export type PaperLeg = { sentAt: Date | null; settledAt: Date | null; returnedAt: Date | null }

/** Lists the push legs of a check, oldest first. */
export async function listPaperLegs(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<PaperLeg[]> {
  return sql<PaperLeg[]>`
    select sent_at, settled_at, returned_at
    from legs
    where platform_id = ${platformId} and subject_id = ${paymentId} and purpose = 'payment_push'
      and rail in ('MAIL', 'PRINT')
    order by created_at, id
  `
}
