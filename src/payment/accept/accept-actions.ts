import { ApiError } from '../../core/errors.ts'
import { dollarsOfCents, requireCents } from '../../core/money.ts'
import type { Pool } from '../../db/connect.ts'
import type { Deps, TxDeps } from '../../db/deps.ts'
import { inUndoneTransaction } from '../../db/transaction.ts'
import { isLockTimeout } from '../../db/trouble.ts'
import type { Caller } from '../../http/caller.ts'
import type { IdempotencyClaim } from '../../http/idempotency/idempotency-store.ts'
import { type Posting, postingsOf } from '../../ledger/posting-rules.ts'
import type { CommitTogether, Orders } from '../../lib/concurrency/commit-together.ts'
import { newId } from '../../lib/ids.ts'
import { type NewLeg, newLeg } from '../../rail/leg-actions.ts'
import type { DepositOption } from '../../rail/rail-rules.ts'
import { hasPaper, printedTexts, requirePrintable } from '../paper-rules.ts'
import {
  addressLine,
  DEFAULT_MAIL_TYPE,
  isPostalAddress,
  offeredOptions,
  type ParsedRecipient,
  type PostalAddress,
  parseRecipient,
  paymentEventBody,
  type RecipientInput,
  railForAccount,
  remittanceLines,
} from '../payment-rules.ts'
import type { Attachment } from '../payment-store.ts'
import type { DestinationKind, RemittanceLine } from '../payment-types.ts'
import { acceptRefusal } from './accept-refusal-rules.ts'
import {
  type Acceptance,
  type AcceptanceRow,
  type AccountKinds,
  acceptPaymentRows,
  findAcceptance,
  findAccountKinds,
  findFirstAnswer,
} from './accept-store.ts'
import { type AttachmentFile, type AttachmentInput, attachmentPage, readAttachment } from './attachment-actions.ts'
import { ANSWER_VERSION, renderFirstAnswer } from './first-answer-rules.ts'

/** Dependencies of `acceptPayment`. Payments that arrive at the same time are accepted by one call and one commit. */
export type AcceptDeps = Deps & { acceptTogether: CommitTogether<Acceptance, AcceptanceRow> }

/** How a group of payments is accepted. */
export const acceptanceOrders = (deps: Deps, groupSql: Pool): Orders<Acceptance, AcceptanceRow> => ({
  run: (acceptances) => acceptPaymentRows(groupSql, deps.settings, acceptances),
  runAlone: async (acceptance) => {
    const [row] = await acceptPaymentRows(deps.sql, deps.settings, [acceptance])
    return row as AcceptanceRow
  },
  lookUp: (acceptance) => findAcceptance(deps.sql, acceptance),
  locksOf: (acceptance) => [acceptance.senderId, ...walletsOf(acceptance)],
})

/** A sender's order. Amounts are in dollars. */
export type Order = {
  amount: number
  name: string
  /** A postal address requests a paper check. */
  recipient: RecipientInput | PostalAddress
  account?: string | null
  description?: string | null
  comment?: string | null
  number?: number | string | null
  deposit_options?: DepositOption[] | null
  pin?: { description?: string; value: string } | null
  attachment?: AttachmentInput | null
  remittance_advice?: RemittanceLine[] | string | null
  mail_type?: string | null
}

export type Accepted = { text: string; isReplayed: boolean }

/**
 * Accepts a payment and returns its JSON, which is the same for a repeated Idempotency-Key. If the recipient's
 * account is known, it is deposited in the same transaction (specification.md 5.3).
 *
 * @throws ApiError every code that `accept_payments_v1` returns, and invalid_request, invalid_deposit_option,
 * invalid_attachment, idempotency_key_in_use, idempotency_key_reused
 */
export async function acceptPayment(
  deps: AcceptDeps,
  { caller, order, claim }: { caller: Caller; order: Order; claim: IdempotencyClaim | null },
): Promise<Accepted> {
  const prepared = await prepare(deps, caller, order, claim)
  const file = order.attachment == null ? null : readAttachment(order.attachment)
  const attachment = file && (await decodeAttachment(deps, prepared, file))
  if (attachment && 'text' in attachment) return attachment
  const acceptance = { ...prepared, attachment }
  const row = await deps.acceptTogether(acceptance).catch((error) => {
    // Another process may be accepting the same request: it holds the lock of the sender.
    throw claim && isLockTimeout(error) ? new ApiError('idempotency_key_in_use') : error
  })
  if (row.outcome === 'replayed') return replayedAnswer(deps, acceptance, row)
  if (row.outcome !== 'accepted') throw acceptRefusal(row)
  meterAccepted(deps, acceptance)
  if (row.isDue) deps.wake()
  return { text: firstAnswer(acceptance, row), isReplayed: false }
}

const firstAnswer = (acceptance: Acceptance, { number }: AcceptanceRow): string =>
  renderFirstAnswer({
    ...acceptance,
    number: number as string,
    status: acceptance.deposit?.status ?? 'UNPAID',
    createdAt: acceptance.now,
  })

/** The answer to the request that created a payment, byte for byte. */
async function replayedAnswer(deps: Deps, { platformId }: Acceptance, { paymentId }: AcceptanceRow): Promise<Accepted> {
  const payment = await findFirstAnswer(deps.sql, { platformId, paymentId })
  return { text: renderFirstAnswer(payment), isReplayed: true }
}

/**
 * The attachment as a PDF. Images are expensive to decode, so a dry run first checks that the payment would be
 * accepted. For a used Idempotency-Key, returns the recorded answer.
 */
async function decodeAttachment(
  deps: Deps,
  acceptance: Acceptance,
  file: AttachmentFile,
): Promise<Attachment | Accepted> {
  if (file.isPdf) return { filename: file.filename, pdf: file.bytes }
  const { platformId } = acceptance
  return deps.drawings.images.schedule({ platformId, bytes: file.bytes.length }, async (run) => {
    const row = await inUndoneTransaction(deps, (tx) => acceptOne(tx, acceptance))
    if (row.outcome === 'replayed') return replayedAnswer(deps, acceptance, row)
    if (row.outcome !== 'accepted') throw acceptRefusal(row)
    return attachmentPage(run, file)
  })
}

async function acceptOne(tx: TxDeps, acceptance: Acceptance): Promise<AcceptanceRow> {
  const [row] = await acceptPaymentRows(tx.sql, tx.settings, [acceptance])
  return row as AcceptanceRow
}

/** The wallets that the payment uses. Other payments can use them at the same time. */
const walletsOf = ({ fundingKind, fundingId, destinationKind, destinationId }: Acceptance): string[] =>
  [fundingKind === 'wallet' ? fundingId : null, destinationKind === 'wallet' ? destinationId : null].filter(
    (id) => id !== null,
  )

function meterAccepted({ meter }: Deps, { deposit }: Acceptance): void {
  meter.paymentAccepted()
  if (deposit) meter.paymentChanged(deposit.status)
  if (deposit?.leg) meter.legChanged(deposit.leg)
}

/**
 * Accepts a payment, runs `look` on it and rolls back, so that no counter moves and no grant is spent.
 *
 * @throws ApiError as `acceptPayment`
 */
export async function dryRunPayment<Result>(
  deps: Deps,
  { caller, order }: { caller: Caller; order: Order },
  look: (deps: TxDeps, acceptance: Acceptance) => Promise<Result>,
): Promise<Result> {
  const acceptance = await prepare(deps, caller, order, null)
  if (order.attachment != null) readAttachment(order.attachment)
  return inUndoneTransaction(deps, async (tx) => {
    const row = await acceptOne(tx, acceptance)
    if (row.outcome !== 'accepted') throw acceptRefusal(row)
    return look(tx, acceptance)
  })
}

/** Checks and prepares everything that needs no locks, except the attachment. */
async function prepare(deps: Deps, caller: Caller, order: Order, claim: IdempotencyClaim | null): Promise<Acceptance> {
  const amountCents = requireCents(order.amount, 'amount')
  const address = isPostalAddress(order.recipient) ? order.recipient : null
  if (address) requirePrintable(printedTexts(order.name, address))
  const recipient = isPostalAddress(order.recipient) ? paperRecipient(order.recipient) : parseRecipient(order.recipient)
  const { platformId } = caller
  const accounts = { platformId, fundingId: order.account ?? null, destinationId: recipient.destinationId }
  const kinds = await accountKinds(deps, accounts)
  const depositOptions = offeredOptions(address ? ['MAIL'] : order.deposit_options, kinds.funding, {
    hasPaper: hasPaper(deps.settings, kinds.funding),
  })
  const id = newId(deps)
  const now = deps.clock.now()
  const deposit = depositOf(deps, {
    id,
    caller,
    amountCents,
    kinds,
    accounts,
    depositOptions,
    isPaper: address !== null,
  })
  return {
    id,
    amountCents,
    name: order.name,
    recipient: recipient.text,
    description: order.description ?? null,
    comment: order.comment ?? null,
    remittanceAdvice: remittanceLines(order.remittance_advice)?.map(normalizedLine) ?? null,
    claim,
    platformId,
    senderId: caller.userId,
    fundingKind: kinds.funding,
    fundingId: accounts.fundingId,
    grantId: caller.credential.kind === 'token' ? caller.credential.id : null,
    recipientId: recipient.id,
    recipientEmail: recipient.email,
    recipientPhone: recipient.phone,
    isReachable: recipient.isReachable,
    destinationKind: kinds.destination,
    destinationId: recipient.destinationId,
    kind: address ? 'PHYSICAL' : 'DIGITAL',
    number: order.number == null ? null : String(order.number),
    numberIsText: typeof order.number === 'string',
    depositOptions,
    pin: order.pin
      ? { description: order.pin.description ?? null, valueSealed: deps.keyRing.seal(order.pin.value, 'payment pin') }
      : null,
    attachment: null,
    address,
    mailType: address ? (order.mail_type ?? DEFAULT_MAIL_TYPE) : null,
    now,
    realNow: claim?.now ?? deps.realClock.now(),
    deposit,
    postings: postingsAtAcceptance(deps, { amountCents, kinds, accounts, deposit }),
    answerVersion: ANSWER_VERSION,
  }
}

/** An order without a funding account uses the sender's default bank. */
const accountKinds = (deps: Deps, accounts: Parameters<typeof findAccountKinds>[1]): Promise<AccountKinds> =>
  accounts.fundingId === null && accounts.destinationId === null
    ? Promise.resolve({ funding: 'bank', destination: null, isAbroad: false })
    : findAccountKinds(deps.sql, accounts)

const paperRecipient = (address: PostalAddress): ParsedRecipient => ({
  text: addressLine(address),
  id: null,
  email: null,
  phone: null,
  isReachable: true,
  destinationId: null,
})

type Planned = {
  id: string
  caller: Caller
  amountCents: number
  kinds: AccountKinds
  accounts: { platformId: string; fundingId: string | null; destinationId: string | null }
  depositOptions: readonly string[]
  isPaper: boolean
}

/** The deposit in the same transaction, when the destination is already known (specification.md 5.3). */
function depositOf(
  deps: Deps,
  { id, caller, amountCents, kinds, accounts, ...planned }: Planned,
): Acceptance['deposit'] {
  if (!planned.isPaper && kinds.destination === null) return null
  const destination = { kind: kinds.destination as DestinationKind, isAbroad: kinds.isAbroad }
  const rail = planned.isPaper ? 'MAIL' : railForAccount(destination, planned.depositOptions, deps.settings)
  const status = rail === 'WALLET' ? 'PAID' : 'IN_PROCESS'
  const basics = { platformId: accounts.platformId, subjectId: id, userId: caller.userId, cents: amountCents }
  const leg: NewLeg =
    kinds.funding === 'bank'
      ? { ...basics, purpose: 'payment_pull', accountId: null, rail: 'ACH', direction: 'debit' }
      : { ...basics, purpose: 'payment_push', accountId: accounts.destinationId, rail, direction: 'credit' }
  return {
    status,
    rail,
    eventId: newId(deps),
    eventBody: paymentEventBody({ id, status, rail }),
    leg: rail === 'WALLET' ? null : newLeg(deps, leg),
  }
}

/** The wallet postings at acceptance. A payment from a bank posts nothing before its pull. */
function postingsAtAcceptance(
  deps: Deps,
  {
    amountCents: cents,
    kinds,
    accounts,
    deposit,
  }: Pick<Planned, 'amountCents' | 'kinds' | 'accounts'> & Pick<Acceptance, 'deposit'>,
): Posting[] {
  const { fundingId, destinationId } = accounts
  if (kinds.funding === 'bank' || fundingId === null) return []
  const wallets = { cents, senderWallet: fundingId, ...(destinationId && { recipientWallet: destinationId }) }
  const hold = postingsOf(deps, 'accept', wallets)
  if (!deposit) return hold
  return [...hold, ...postingsOf(deps, deposit.rail === 'WALLET' ? 'receive' : 'deposit', wallets)]
}

/** A remittance line whose dollar amount is exact to the cent, without floating-point noise. */
const normalizedLine = ({ amount, ...rest }: RemittanceLine, index: number): RemittanceLine =>
  amount === undefined
    ? rest
    : { ...rest, amount: dollarsOfCents(requireCents(amount, `remittance_advice.${index}.amount`)) }
