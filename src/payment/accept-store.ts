import type { Sql } from '../db/connect.ts'
import type { IdempotencyClaim } from '../http/idempotency-store.ts'
import type { RemittanceLine } from './payment-store.ts'

/** Everything `accept_payment` of migrations/0004 takes. */
export type Acceptance = {
  claim: IdempotencyClaim | null
  platformId: string
  senderId: string
  fundingId: string | null
  grantId: string | null
  recipient: string
  recipientId: string | null
  recipientEmail: string | null
  isReachable: boolean
  destinationId: string | null
  id: string
  kind: 'DIGITAL'
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
  now: Date
  realNow: Date
  answerHead: string
  answerTail: string
  deposit: { rail: string; eventId: string; eventBody: string } | null
}

export type AcceptanceRow = { outcome: string; answer: string | null; endpointIds: string[] }

/** One call to the database that returns what came of it (design.md, "Commit together"). */
export async function acceptPaymentRow(sql: Sql, a: Acceptance): Promise<AcceptanceRow> {
  const [row] = await sql<AcceptanceRow[]>`
    select outcome, answer, endpoint_ids
    from accept_payment(
      ${a.claim?.keyDigest ?? null}, ${a.claim?.fingerprint ?? null}, ${a.claim?.lock ?? null}, ${a.realNow},
      ${a.platformId}, ${a.senderId}, ${a.fundingId}, ${a.grantId},
      ${a.recipient}, ${a.recipientId}, ${a.recipientEmail}, ${a.isReachable}, ${a.destinationId},
      ${a.id}, ${a.kind}, ${a.number}, ${a.numberIsText}, ${a.amountCents}, ${a.name}, ${a.description},
      ${a.comment}, ${a.remittanceAdvice as never}, ${a.depositOptions as string[]},
      ${a.pin?.description ?? null}, ${a.pin?.valueSealed ?? null},
      ${a.attachment?.filename ?? null}, ${a.attachment?.pdf ?? null}, ${a.now},
      ${a.answerHead}, ${a.answerTail},
      ${a.deposit?.rail ?? null}, ${a.deposit?.eventId ?? null}, ${a.deposit?.eventBody ?? null}
    )
  `
  return row as AcceptanceRow
}
