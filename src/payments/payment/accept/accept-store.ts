import type { EnvironmentSettings } from '../../../foundation/core/environment.ts'
import { commonPlatform } from '../../../foundation/db/cluster/by-platform.ts'
import type { Pool, Sql } from '../../../foundation/db/connect.ts'
import type { Fragment } from '../../../foundation/db/skipped.ts'
import type { IdempotencyClaim } from '../../../foundation/http/idempotency/idempotency-store.ts'
import type { BankRow } from '../../../money/bank/bank-store.ts'
import type { DestinationRow } from '../../../money/destination/destination-store.ts'
import type { Posting } from '../../../money/ledger/posting-rules.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import type { Rail } from '../../../money/rail/rail-rules.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import type { PostalAddress } from '../payment-rules.ts'
import type { PaymentStatus } from '../payment-status.ts'
import type {
  DestinationKind,
  FundingKind,
  OrderSource,
  PaymentRow,
  RemittanceLine,
  ShownPayment,
} from '../payment-types.ts'
import type { AcceptRefusal } from './accept-refusal-rules.ts'

/**
 * The account of a payee without a user, which is stored with its payment. The digests, by the master keys, are those of a bank.
 * `field` names the account in a refusal.
 */
export type PayeeAccount = { id: string; field: string; keyIds: readonly string[]; digests: readonly Buffer[] } & (
  | { bank: Omit<BankRow, 'accountDigest'>; destination?: never }
  | { destination: DestinationRow & { accountSealed: Buffer | null }; bank?: never }
)

/** A payment to accept, with everything that is known about it before rows are locked. */
export type Acceptance = {
  claim: IdempotencyClaim | null
  platformId: string
  senderId: string
  fundingKind: FundingKind
  fundingId: string | null
  grantId: string | null
  recipient: string
  recipientId: string | null
  /** The platform of `recipientId`, if it is another platform. */
  recipientPlatformId: string | null
  recipientEmail: string | null
  /** The phone number in E.164. */
  recipientPhone: string | null
  isReachable: boolean
  destinationKind: DestinationKind | null
  destinationId: string | null
  payeeAccount: PayeeAccount | null
  id: string
  kind: Exclude<PaymentRow['kind'], 'SCANNED'>
  number: string | null
  numberIsText: boolean
  amountCents: number
  name: string
  description: string | null
  comment: string | null
  remittanceAdvice: RemittanceLine[] | null
  depositOptions: readonly string[]
  /** The rails on which the payee can be paid. The approval policy judges them. */
  rails: readonly Rail[]
  pin: { description: string | null; valueSealed: Buffer } | null
  attachment: { filename: string | null; pdf: Buffer } | null
  address: PostalAddress | null
  mailType: string | null
  now: Date
  /** The day, `YYYY-MM-DD`, on which the payment counts against the limits of the sender. */
  businessDay: string
  realNow: Date
  /** A deposit in the same transaction, or the data of a check for the printer. */
  deposit: { status: PaymentStatus; rail: Rail; eventId: string; eventBody: string; leg: LegRow | null } | null
  postings: Posting[]
  /** The approval that releases the payment, if it needs one. */
  approvalId: string | null
  /** The source of the order and, if it differs, the source of its release. */
  sources: readonly OrderSource[]
  /** The total of the batch and all rails that its payments offer, which the approval policy also judges. Null without a batch. */
  batch: { cents: number; rails: string } | null
  /** The invoice that the payment pays. */
  invoiceId: string | null
  /** Whether the payment is rolled back. Then it needs no approval. */
  isDryRun: boolean
  /** The version of the renderer of the answer, for a repeated request. */
  answerVersion: number
}

/** The outcome for a payment, see `sql/accept_payments_v1.sql`. `isDue`: webhooks or messages to other
 * platforms are due. */
export type AcceptanceRow = AcceptRefusal & { paymentId: string; number: string | null; isDue: boolean }

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
  requirements: Requirements,
  acceptances: readonly Acceptance[],
): Promise<AcceptanceRow[]> {
  return sql<AcceptanceRow[]>`
    select payment_id, outcome, field, detail, number, is_due
    from accept_payments_v1(${argumentsRow(sql, requirements, acceptances)})
  `
}

/** Returns the arguments of `accept_payments_v1`. */
export function argumentsRow(sql: Sql, requirements: Requirements, acceptances: readonly Acceptance[]): Fragment {
  const grantIds = acceptances.flatMap(({ grantId }) => grantId ?? [])
  return sql`
      ${commonPlatform(acceptances)}::uuid,
      ${sql.json(acceptances.map(orderOf))},
      ${sql.json(acceptances.map(writtenColumns))},
      ${alignedList(sql, acceptances, depositOf)}::json,
      ${alignedList(sql, acceptances, ({ payeeAccount }) => payeeAccount?.bank && bankColumns(payeeAccount.bank))}::json,
      ${alignedList(sql, acceptances, ({ payeeAccount }) => payeeAccount?.destination && destinationColumns(payeeAccount.destination))}::json,
      ${jsonList(sql, acceptances, transfersOf)},
      ${jsonList(sql, acceptances, attachmentOf)},
      ${grantIds.length > 0 ? grantIds : null}::uuid[],
      ${keyIdsOf(acceptances)}::text[],
      ${requirementsRow(sql, requirements)}`
}

/** Returns the master keys of the digests in a group, or null if it has none. */
export function keyIdsOf(acceptances: readonly Acceptance[]): string[] | null {
  const keyed = acceptances.find(({ claim, payeeAccount }) => claim ?? payeeAccount)
  const keyIds = keyed && (keyed.claim ? Object.keys(keyed.claim.digests) : keyed.payeeAccount?.keyIds)
  return keyIds ? [...keyIds] : null
}

/** Returns the requirements as a row for a function of the database. */
export const requirementsRow = (sql: Sql, { limits, mustBeVerified, signatureAboveCents }: Requirements) => sql`
  row(
    ${limits?.paymentCents ?? null}::bigint, ${limits?.dayCents ?? null}::bigint,
    ${limits?.monthCents ?? null}::bigint, ${signatureAboveCents}::bigint, ${mustBeVerified}::boolean
  )::sender_requirements
`

/** Finds the acceptance of a committed payment. Returns null if the payment does not exist. */
export async function findAcceptance(sql: Pool, { platformId, id }: Acceptance): Promise<AcceptanceRow | null> {
  const [row] = await sql<AcceptanceRow[]>`
    select
      id as payment_id, 'accepted' as outcome, null as field, null as detail, number, status <> 'UNPAID' as is_due
    from payments
    where platform_id = ${platformId} and id = ${id}
  `
  return row ?? null
}

/** A payment as it was when it was created, and the version of the renderer of its answer. */
export type FirstAnswerRow = ShownPayment & Pick<PaymentRow, 'remittanceAdvice'> & { answerVersion: number }

export async function findFirstAnswer(
  sql: Sql,
  { platformId, paymentId }: { platformId: string; paymentId: string },
): Promise<FirstAnswerRow> {
  const [row] = await sql<FirstAnswerRow[]>`
    select
      id, number, number_is_text, amount_cents, name, recipient, description, comment, remittance_advice,
      first_status as status, created_at, answer_version
    from payments
    where platform_id = ${platformId} and id = ${paymentId}
  `
  return row as FirstAnswerRow
}

/** The user that an order would pay now. If the order would be refused because of its payee, also the reason. */
export type FoundPayee = { payee: UserKey | null; refusal: AcceptRefusal | null }

/**
 * Finds the payees of orders and locks them until the end of the transaction.
 *
 * @returns one for each order, in turn
 */
export async function findPayees(sql: Sql, acceptances: readonly Acceptance[]): Promise<FoundPayee[]> {
  type Found = { platformId: string | null; userId: string | null; outcome: string | null } & Omit<
    AcceptRefusal,
    'outcome'
  >
  const namesAccounts = acceptances.some(({ destinationId }) => destinationId !== null)
  const rows = await sql<Found[]>`
    select platform_id, user_id, outcome, field, detail
    from refuse_payees_v1(
      ${commonPlatform(acceptances)}::uuid,
      array(select o from json_populate_recordset(null::payment_order, ${sql.json(acceptances.map(orderOf))}) o),
      ${namesAccounts}
    )
  `
  return rows.map(({ platformId, userId, outcome, field, detail }) => ({
    payee: platformId && userId ? { platformId, userId } : null,
    refusal: outcome === null ? null : { outcome, field, detail },
  }))
}

/** Counts the people who must approve orders that are released together. The caller holds the lock of their sender. */
export async function countNeededApprovals(sql: Sql, acceptances: readonly Acceptance[]): Promise<number> {
  const neededFor = (cents: string, rails: string) => sql`
    needed_approvals_v1(
      o.platform_id, o.sender_id, ${sql.unsafe(cents)}, ${sql.unsafe(rails)}, o.source,
      payee_keys_v1(o.payee_platform_id, o.payee_id, o.recipient, o.destination_id, o.account_digests),
      case when o.payee_platform_id = o.platform_id then o.payee_id end, o.created_at
    )
  `
  const [row] = await sql<{ needed: number | null }[]>`
    select max(greatest(
      ${neededFor('o.amount_cents', 'o.rails')},
      case when o.batch_cents is not null then ${neededFor('o.batch_cents', 'o.batch_rails')} end
    )) as needed
    from (
      select array(
        select o from json_populate_recordset(null::payment_order, ${sql.json(acceptances.map(orderOf))}) o
      ) as orders
    ) g
    cross join lateral rows from (
      unnest(g.orders), unnest(find_payees_v1(${commonPlatform(acceptances)}::uuid, g.orders, false))
    ) o
  `
  return row?.needed ?? 0
}

/** Returns the item of each acceptance, or {} for an acceptance without one. Null: no acceptance has one. */
function alignedList(
  sql: Sql,
  acceptances: readonly Acceptance[],
  itemOf: (acceptance: Acceptance) => object | null | undefined,
) {
  const items = acceptances.map(itemOf)
  return items.some((item) => item != null) ? sql.json(items.map((item) => item ?? {})) : null
}

/** Returns the items of one kind in a list of acceptances, or null if there are none. */
function jsonList(sql: Sql, acceptances: readonly Acceptance[], itemOf: (acceptance: Acceptance) => object | null) {
  const items = acceptances.map(itemOf).filter((item) => item !== null)
  return items.length > 0 ? sql.json(items) : null
}

/** Returns the columns of `payment_order`. An omitted column is null. */
const orderOf = (a: Acceptance) => ({
  ...orderColumns(a),
  funding_kind: a.fundingKind,
  destination_kind: a.destinationKind ?? undefined,
  destination_id: a.destinationId ?? undefined,
  grant_id: a.grantId ?? undefined,
  recipient_user: a.recipientId ?? undefined,
  recipient_platform: a.recipientPlatformId ?? undefined,
  account_digests: a.kind === 'MULTI' ? [] : a.payeeAccount?.digests.map(byteaOf),
  real_now: a.realNow,
  approval_id: a.approvalId ?? undefined,
  // The approval policy applies only to the owner's payments.
  ...(a.senderId === a.platformId && {
    source: a.sources.join(',') === 'API' ? undefined : a.sources.join(','),
    rails: a.rails.join(','),
    ...(a.batch && { batch_cents: a.batch.cents, batch_rails: a.batch.rails }),
  }),
  is_dry_run: a.isDryRun || undefined,
  ...(a.claim && digestColumns(a.claim)),
})

export const digestColumns = ({ digests }: IdempotencyClaim) => ({
  key_digests: Object.values(digests).map(({ key }) => hexToBytea(key)),
  fingerprints: Object.values(digests).map(({ fingerprint }) => hexToBytea(fingerprint)),
})

export const hexToBytea = (hex: string): string => `\\x${hex}`
const byteaOf = (bytes: Buffer): string => hexToBytea(bytes.toString('hex'))

/** Returns the columns of a payment that are only written, not judged. */
const writtenColumns = (a: Acceptance) => ({
  ...copiedColumns(a),
  kind: a.kind,
  address: a.address ?? undefined,
  mail_type: a.mailType ?? undefined,
  status: a.deposit?.status ?? 'UNPAID',
  rail: a.deposit?.rail,
  invoice_id: a.invoiceId ?? undefined,
})

/** Returns the columns that every order has. An omitted column is null. */
export const orderColumns = (a: Acceptance) => ({
  platform_id: a.platformId,
  id: a.id,
  sender_id: a.senderId,
  amount_cents: a.amountCents,
  number: a.number ?? undefined,
  created_at: a.now,
  business_day: a.businessDay,
  funding_id: a.fundingId ?? undefined,
  recipient: a.recipient,
  recipient_email: a.recipientEmail ?? undefined,
  recipient_phone: a.recipientPhone ?? undefined,
  is_reachable: a.isReachable,
})

/** Returns the columns that are only stored, for every payment. */
export const copiedColumns = (a: Acceptance) => ({
  number_is_text: a.numberIsText,
  name: a.name,
  description: a.description ?? undefined,
  comment: a.comment ?? undefined,
  remittance_advice: a.remittanceAdvice ?? undefined,
  deposit_options: a.depositOptions,
  pin_description: a.pin?.description ?? undefined,
  pin_sealed: a.pin ? byteaOf(a.pin.valueSealed) : undefined,
  answer_version: a.answerVersion,
})

/** Returns the columns of a deposit in the same transaction, or null for a payment that waits to be deposited. */
const depositOf = ({ kind, deposit }: Acceptance) =>
  deposit && {
    kind,
    status: deposit.status,
    rail: deposit.rail,
    event_id: deposit.eventId,
    event_body: deposit.eventBody,
    ...(deposit.leg && legColumns(deposit.leg)),
  }

const transfersOf = ({ platformId, id, now, postings }: Acceptance) =>
  postings.length > 0 ? { platform_id: platformId, payment_id: id, created_at: now, postings } : null

const attachmentOf = ({ platformId, id, attachment }: Acceptance) =>
  attachment && {
    platform_id: platformId,
    payment_id: id,
    filename: attachment.filename,
    pdf: attachment.pdf.toString('base64'),
  }

/** Returns the columns of a leg that its payment does not have. */
const legColumns = (leg: LegRow) => ({
  leg_id: leg.id,
  purpose: leg.purpose,
  leg_user_id: leg.userId,
  account_id: leg.accountId ?? undefined,
  leg_rail: leg.rail,
  direction: leg.direction,
  leg_status: leg.status,
  next_event: leg.nextEvent ?? undefined,
  next_at: leg.nextAt ?? undefined,
  file_at: leg.fileAt ?? undefined,
})

/** The columns of a bank that cannot be copied from its payment. */
const bankColumns = (bank: Omit<BankRow, 'accountDigest'>) => ({
  bank_id: bank.id,
  routing: bank.routing,
  account_sealed: byteaOf(bank.accountSealed),
  type: bank.type,
  name: bank.name,
  status: bank.status,
  is_billing: bank.isBilling,
  is_default: bank.isDefault,
})

/** The columns of a destination that cannot be copied from its payment. */
const destinationColumns = (destination: DestinationRow & { accountSealed: Buffer | null }) => ({
  payee_account_id: destination.id,
  kind: destination.kind,
  details: destination.details,
  account_sealed: destination.accountSealed && byteaOf(destination.accountSealed),
  is_default: destination.isDefault,
})
