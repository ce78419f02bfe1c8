import type { EnvironmentSettings } from '../../core/environment.ts'
import type { Pool, Sql } from '../../db/connect.ts'
import type { IdempotencyClaim } from '../../http/idempotency/idempotency-store.ts'
import type { Posting } from '../../ledger/posting-rules.ts'
import { alignRows } from '../../lib/concurrency/batches.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import type { Rail } from '../../rail/rail-rules.ts'
import type { PostalAddress } from '../payment-rules.ts'
import type { PaymentStatus } from '../payment-status.ts'
import type { DestinationKind, FundingKind, RemittanceLine } from '../payment-types.ts'
import type { AcceptRefusal } from './accept-refusal-rules.ts'

/** A payment to accept: everything that is known about it before the locks. */
export type Acceptance = {
  claim: IdempotencyClaim | null
  platformId: string
  senderId: string
  fundingKind: FundingKind
  fundingId: string | null
  grantId: string | null
  recipient: string
  recipientId: string | null
  recipientEmail: string | null
  /** In E.164. */
  recipientPhone: string | null
  isReachable: boolean
  destinationKind: DestinationKind | null
  destinationId: string | null
  id: string
  kind: 'DIGITAL' | 'PHYSICAL'
  number: string | null
  numberIsText: boolean
  amountCents: number
  name: string
  description: string | null
  comment: string | null
  remittanceAdvice: RemittanceLine[] | null
  depositOptions: readonly string[]
  pin: { description: string | null; valueSealed: Buffer } | null
  attachment: { filename: string | null; pdf: Buffer } | null
  address: PostalAddress | null
  mailType: string | null
  now: Date
  realNow: Date
  answerHead: string
  answerTail: string
  /** A deposit in the same transaction, or paper for the printer. */
  deposit: { status: PaymentStatus; rail: Rail; eventId: string; eventBody: string; leg: LegRow | null } | null
  postings: Posting[]
}

/** The outcome for a payment, see `sql/accept_payments_v1.sql`. `isDue`: webhooks are due. */
export type AcceptanceRow = AcceptRefusal & { paymentId: string; answer: string | null; isDue: boolean }

/** The environment's requirements for a sender. */
export type Requirements = Pick<EnvironmentSettings, 'limits' | 'mustBeVerified' | 'signatureAboveCents'>

/**
 * One database call for all payments (docs/adr/0002-commit-together.md). Outside a transaction it commits by itself,
 * before PostgreSQL reports that it is ready.
 *
 * @returns the outcome of each payment, in their order
 */
export async function acceptPaymentRows(
  sql: Sql,
  { limits, mustBeVerified, signatureAboveCents }: Requirements,
  acceptances: readonly Acceptance[],
): Promise<AcceptanceRow[]> {
  const rows = await sql<AcceptanceRow[]>`
    select payment_id, outcome, field, detail, answer, is_due
    from accept_payments_v1(
      ${sql.json(acceptances.map(orderOf))},
      row(
        ${limits?.paymentCents ?? null}::bigint, ${limits?.dayCents ?? null}::bigint,
        ${limits?.monthCents ?? null}::bigint, ${signatureAboveCents}::bigint, ${mustBeVerified}::boolean
      )::sender_requirements
    )
  `
  const names = { item: ({ id }: Acceptance) => id, row: ({ paymentId }: AcceptanceRow) => paymentId }
  return alignRows(acceptances, rows, names) as AcceptanceRow[]
}

/** The acceptance of a committed payment, or null if the payment does not exist. */
export async function findAcceptance(
  sql: Pool,
  { platformId, id, answerHead, answerTail }: Acceptance,
): Promise<AcceptanceRow | null> {
  const [row] = await sql<AcceptanceRow[]>`
    select
      id as payment_id, 'accepted' as outcome, null as field, null as detail,
      payment_answer_v1(${answerHead}, number, number_is_text, ${answerTail}) as answer, status <> 'UNPAID' as is_due
    from payments
    where platform_id = ${platformId} and id = ${id}
  `
  return row ?? null
}

/** An order for `accept_payments_v1`. Missing fields are null. */
const orderOf = (a: Acceptance) => ({
  payment: paymentColumns(a),
  digests: a.claim?.digests,
  real_now: a.realNow,
  recipient_id: a.recipientId ?? undefined,
  recipient_email: a.recipientEmail ?? undefined,
  recipient_phone: a.recipientPhone ?? undefined,
  is_reachable: a.isReachable,
  answer_head: a.answerHead,
  answer_tail: a.answerTail,
  ...(a.deposit && {
    event_id: a.deposit.eventId,
    event_body: a.deposit.eventBody,
    leg: a.deposit.leg && legColumns(a.deposit.leg, a.now),
  }),
  postings: a.postings.length > 0 ? a.postings : undefined,
  ...(a.attachment && { attachment_name: a.attachment.filename, attachment: a.attachment.pdf.toString('base64') }),
})

const byteaText = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`

/** A payment as a table row. The function adds the values that are known only under the locks. */
const paymentColumns = (a: Acceptance) => ({
  platform_id: a.platformId,
  id: a.id,
  sender_id: a.senderId,
  kind: a.kind,
  number: a.number ?? undefined,
  number_is_text: a.numberIsText,
  amount_cents: a.amountCents,
  name: a.name,
  recipient: a.recipient,
  funding_kind: a.fundingKind,
  funding_id: a.fundingId ?? undefined,
  destination_kind: a.destinationKind ?? undefined,
  destination_id: a.destinationId ?? undefined,
  description: a.description ?? undefined,
  comment: a.comment ?? undefined,
  remittance_advice: a.remittanceAdvice ?? undefined,
  deposit_options: a.depositOptions,
  pin_description: a.pin?.description ?? undefined,
  pin_sealed: a.pin ? byteaText(a.pin.valueSealed) : undefined,
  address: a.address ?? undefined,
  mail_type: a.mailType ?? undefined,
  grant_id: a.grantId ?? undefined,
  status: a.deposit?.status ?? 'UNPAID',
  rail: a.deposit?.rail,
  deposited_at: a.deposit?.status === 'IN_PROCESS' ? a.now : undefined,
  created_at: a.now,
  updated_at: a.now,
})

/** A leg as a table row. */
const legColumns = (leg: LegRow, createdAt: Date) => ({
  platform_id: leg.platformId,
  id: leg.id,
  purpose: leg.purpose,
  subject_id: leg.subjectId,
  user_id: leg.userId,
  account_id: leg.accountId,
  rail: leg.rail,
  direction: leg.direction,
  cents: leg.cents,
  status: leg.status,
  next_event: leg.nextEvent,
  next_at: leg.nextAt,
  file_at: leg.fileAt,
  created_at: createdAt,
})

/** The kinds of accounts of an order. A wire can go abroad. */
export type AccountKinds = { funding: FundingKind; destination: DestinationKind | null; isAbroad: boolean }

/** The kinds of the accounts that an order names. Whether they may be used is checked under the locks. */
export async function findAccountKinds(
  sql: Sql,
  {
    platformId,
    fundingId,
    destinationId,
  }: { platformId: string; fundingId: string | null; destinationId: string | null },
): Promise<AccountKinds> {
  const [row] = await sql<AccountKinds[]>`
    select
      case
        when exists (select 1 from wallets where platform_id = ${platformId} and id = ${fundingId}) then 'wallet'
        else 'bank'
      end as funding,
      case
        when ${destinationId}::uuid is null then null
        when exists (select 1 from wallets where platform_id = ${platformId} and id = ${destinationId}) then 'wallet'
        else coalesce(
          (select kind from destinations where platform_id = ${platformId} and id = ${destinationId}),
          'bank'
        )
      end as destination,
      coalesce(
        (
          select details ->> 'country' <> 'US'
          from destinations
          where platform_id = ${platformId} and id = ${destinationId} and kind = 'wire'
        ),
        false
      ) as is_abroad
  `
  return row as AccountKinds
}
