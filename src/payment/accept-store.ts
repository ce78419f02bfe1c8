import type { Sql } from '../db/connect.ts'
import type { IdempotencyClaim } from '../http/idempotency-store.ts'
import type { Posting } from '../ledger/posting-rules.ts'
import type { EnvironmentSettings } from '../lib/environment.ts'
import type { LegRow } from '../rail/leg-store.ts'
import type { Rail } from '../rail/rail-rules.ts'
import type { PostalAddress } from './payment-rules.ts'
import type { PaymentStatus } from './payment-status.ts'
import type { DestinationKind, FundingKind, RemittanceLine } from './payment-store.ts'

/** Everything `accept_payment` of migrations/0008 takes. */
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
  requirements: Pick<EnvironmentSettings, 'limits' | 'mustBeVerified' | 'signatureAboveCents'>
  now: Date
  realNow: Date
  answerHead: string
  answerTail: string
  /** A deposit in the same transaction, or paper that goes to the printer. */
  deposit: { status: PaymentStatus; rail: Rail; eventId: string; eventBody: string; leg: LegRow | null } | null
  postings: Posting[]
}

/** `leftCents`: what the limits leave, where one refused the payment. */
export type AcceptanceRow = {
  outcome: string
  answer: string | null
  endpointIds: string[]
  leftCents: number | null
}

/** One call to the database that returns what came of it (design.md, "Commit together"). */
export async function acceptPaymentRow(sql: Sql, a: Acceptance): Promise<AcceptanceRow> {
  const { limits, mustBeVerified, signatureAboveCents } = a.requirements
  const [row] = await sql<AcceptanceRow[]>`
    select outcome, answer, endpoint_ids, left_cents
    from accept_payment(
      ${a.claim?.keyDigest ?? null}, ${a.claim?.fingerprint ?? null}, ${a.claim?.lock ?? null}, ${a.realNow},
      ${a.platformId}, ${a.senderId}, ${a.fundingKind}, ${a.fundingId}, ${a.grantId},
      ${limits?.paymentCents ?? null}, ${limits?.dayCents ?? null}, ${limits?.monthCents ?? null},
      ${signatureAboveCents}, ${mustBeVerified},
      ${a.recipient}, ${a.recipientId}, ${a.recipientEmail}, ${a.isReachable}, ${a.destinationKind}, ${a.destinationId},
      ${a.id}, ${a.kind}, ${a.number}, ${a.numberIsText}, ${a.amountCents}, ${a.name}, ${a.description},
      ${a.comment}, ${a.remittanceAdvice as never}, ${a.depositOptions as string[]},
      ${a.pin?.description ?? null}, ${a.pin?.valueSealed ?? null},
      ${a.attachment?.filename ?? null}, ${a.attachment?.pdf ?? null}, ${a.address as never}, ${a.mailType}, ${a.now},
      ${a.answerHead}, ${a.answerTail},
      ${a.deposit?.status ?? null}, ${a.deposit?.rail ?? null}, ${a.deposit?.eventId ?? null},
      ${a.deposit?.eventBody ?? null}, ${(a.deposit?.leg ? legColumns(a.deposit.leg, a.now) : null) as never},
      ${(a.postings.length > 0 ? a.postings : null) as never}
    )
  `
  return row as AcceptanceRow
}

/** A leg as the row of its table. */
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

/** A wire can lead abroad. */
export type AccountKinds = { funding: FundingKind; destination: DestinationKind | null; isAbroad: boolean }

/** Of what kind the accounts are that an order names. Whether they may be used is asked under the locks. */
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
