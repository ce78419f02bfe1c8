import { ApiError } from '../../../foundation/core/errors.ts'
import type { Pool } from '../../../foundation/db/connect.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransaction, inUndoneTransaction } from '../../../foundation/db/transaction.ts'
import { isLockTimeout } from '../../../foundation/db/trouble.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import type { IdempotencyClaim } from '../../../foundation/http/idempotency/idempotency-store.ts'
import { type CommitTogether, ForGroup, type Orders } from '../../../foundation/lib/concurrency/commit-together.ts'
import type { Attachment } from '../payment-store.ts'
import { acceptPaymentRowsOnNode } from './accept-node-store.ts'
import { acceptPlainPaymentRows, isPlain } from './accept-plain-store.ts'
import { acceptRefusal } from './accept-refusal-rules.ts'
import {
  type Acceptance,
  type AcceptanceRow,
  acceptPaymentRows,
  findAcceptance,
  findFirstAnswer,
  railsOf,
} from './accept-store.ts'
import { type AttachmentFile, attachmentPage, readAttachment } from './attachment-actions.ts'
import { renderFirstAnswer } from './first-answer-rules.ts'
import {
  accountKindsOfRequest,
  type Order,
  prepareOrder,
  type ReadAccountKinds,
  type Sender,
  senderOf,
} from './prepare-actions.ts'

/** Dependencies of `acceptPayment`. Payments that arrive at the same time are accepted by one call and one commit. */
export type AcceptDeps = Deps & {
  acceptTogether: CommitTogether<Acceptance, AcceptanceRow>
  readAccountKinds?: ReadAccountKinds
}

/** The keys of groups on one server. */
const PLAIN = 'plain'
const OTHER = 'other'

/** How a group of payments is accepted. */
export const acceptanceOrders = (deps: Deps, groupSql: Pool): Orders<Acceptance, AcceptanceRow> => ({
  run: (acceptances, groupKey) =>
    groupKey === PLAIN ? acceptPlain(deps, groupSql, acceptances) : acceptRows(deps, groupSql, acceptances),
  runAlone: async (acceptance) => {
    const [row] = await acceptRows(deps, deps.sql, [acceptance])
    return row as AcceptanceRow
  },
  lookUp: (acceptance) => findAcceptance(deps.sql, acceptance),
  locksOf: (acceptance) => [acceptance.senderId, ...walletsOf(acceptance)],
  groupKeyOf: (acceptance) => {
    // One transaction then runs on one node, which cannot plan the statement for plain payments.
    if (deps.isDistributed) return `${acceptance.platformId} ${usesWallet(acceptance)}`
    return isPlain(acceptance) ? PLAIN : OTHER
  },
})

async function acceptPlain({ settings }: Deps, groupSql: Pool, acceptances: readonly Acceptance[]) {
  const rows = await acceptPlainPaymentRows(groupSql, settings, acceptances)
  return rows.map((row) => row ?? new ForGroup(OTHER))
}

/** Accepts payments in a transaction of their own. On a cluster, a group uses wallets or does not. */
const acceptRows = ({ sql, settings, isDistributed }: Deps, groupSql: Pool, acceptances: readonly Acceptance[]) =>
  isDistributed && !acceptances.some(usesWallet)
    ? acceptPaymentRowsOnNode({ sql, groupSql }, settings, acceptances)
    : acceptPaymentRows(groupSql, settings, acceptances)

/** An order whose attachment was decoded before the transaction began. */
export type OrderInTransaction = Omit<Order, 'attachment'> & {
  attachment: Attachment | null
  /** The approval that releases it. */
  approvalId?: string
  /** The invoice that it pays. */
  invoiceId?: string
}

/** `text`: the payment as JSON, as `POST /v3/check/digital` answers it. */
export type AcceptedInTransaction = { id: string; text: string }

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
  const acceptance = await prepareWithAttachment(deps, { caller, order, claim })
  if ('isReplayed' in acceptance) return acceptance
  const row = await deps.acceptTogether(acceptance).catch((error) => {
    // Another process may be accepting the same request: it holds the lock of the sender.
    throw claim && isLockTimeout(error) ? new ApiError('idempotency_key_in_use') : error
  })
  if (row.outcome === 'replayed') return replayedAnswer(deps, acceptance, row)
  if (row.outcome !== 'accepted') throw refusalOf(acceptance, row)
  meterAccepted(deps, acceptance)
  if (row.isDue) deps.wake()
  return { text: firstAnswer(acceptance, row), isReplayed: false }
}

/**
 * Accepts a payment in a transaction of its own, together with what `alsoWrite` writes.
 *
 * @throws ApiError as `acceptPayment` and `alsoWrite`
 */
export async function acceptPaymentWith(
  deps: Deps,
  request: { caller: Caller; order: Order; claim: IdempotencyClaim | null },
  alsoWrite: (tx: TxDeps, acceptance: Acceptance) => Promise<void>,
): Promise<Accepted> {
  const acceptance = await prepareWithAttachment(deps, request)
  if ('isReplayed' in acceptance) return acceptance
  const accepted = inTransaction(deps, async (tx) => {
    const row = await acceptOne(tx, acceptance)
    if (row.outcome === 'replayed') return replayedAnswer(tx, acceptance, row)
    if (row.outcome !== 'accepted') throw refusalOf(acceptance, row)
    await alsoWrite(tx, acceptance)
    tx.afterCommit(() => meterAccepted(tx, acceptance))
    if (row.isDue) tx.afterCommit(tx.wake)
    return { text: firstAnswer(acceptance, row), isReplayed: false }
  })
  return accepted.catch((error) => {
    throw request.claim && isLockTimeout(error) ? new ApiError('idempotency_key_in_use') : error
  })
}

/** For a used Idempotency-Key whose attachment has to be decoded, returns the recorded answer. */
async function prepareWithAttachment(
  deps: Deps & Pick<AcceptDeps, 'readAccountKinds'>,
  { caller, order, claim }: { caller: Caller; order: Order; claim: IdempotencyClaim | null },
): Promise<Acceptance | Accepted> {
  const { readAccountKinds } = deps
  const prepared = await prepareOrder(deps, { sender: senderOf(caller), order, claim, readAccountKinds })
  const file = order.attachment == null ? null : readAttachment(order.attachment)
  const attachment = file && (await decodeAttachment(deps, prepared, file))
  return attachment && 'text' in attachment ? attachment : { ...prepared, attachment }
}

/** The account of a payee without a user has another name in each request. */
const refusalOf = ({ payeeAccount, recipient }: Acceptance, row: AcceptanceRow): Error => {
  const field = payeeAccount && row.field === 'recipient.account' ? payeeAccount.field : row.field
  return acceptRefusal({ ...row, field }, recipient)
}

const firstAnswer = (acceptance: Acceptance, { number }: AcceptanceRow): string =>
  renderFirstAnswer({
    ...acceptance,
    number: number as string,
    status: acceptance.deposit?.status ?? 'UNPAID',
    createdAt: acceptance.now,
  })

/** The answer to the request that created a payment, byte for byte. */
async function replayedAnswer(
  deps: Pick<TxDeps, 'sql'>,
  { platformId }: Acceptance,
  { paymentId }: AcceptanceRow,
): Promise<Accepted> {
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
    if (row.outcome !== 'accepted') throw refusalOf(acceptance, row)
    return attachmentPage(run, file)
  })
}

/**
 * Accepts payments of one sender in the caller's transaction, without an Idempotency-Key of their own: for what must commit with
 * the payment, such as its approval. Attachments are PDFs already.
 *
 * @returns for each order, in turn, the accepted payment or why it is refused. If the caller does not roll back, the accepted
 * ones are made although others are refused.
 */
export async function acceptPaymentsIn(
  tx: TxDeps,
  { sender, orders, isBatch = false }: OrdersOfSender,
): Promise<(AcceptedInTransaction | Error)[]> {
  return acceptPrepared(tx, await prepareOrders(tx, { sender, orders, isBatch }))
}

async function acceptPrepared(
  tx: TxDeps,
  prepared: readonly (Acceptance | ApiError)[],
): Promise<(AcceptedInTransaction | Error)[]> {
  const acceptances = prepared.filter((one): one is Acceptance => !(one instanceof ApiError))
  const rows = acceptances.length > 0 ? await acceptPaymentRows(tx.sql, tx.settings, acceptances) : []
  const rowsInTurn = rows.values()
  return prepared.map((acceptance) => {
    if (acceptance instanceof ApiError) return acceptance
    const row = rowsInTurn.next().value as AcceptanceRow
    if (row.outcome !== 'accepted') return refusalOf(acceptance, row)
    tx.afterCommit(() => meterAccepted(tx, acceptance))
    if (row.isDue) tx.afterCommit(tx.wake)
    return { id: acceptance.id, text: firstAnswer(acceptance, row) }
  })
}

/** `isBatch`: the approval policy judges the orders together too. */
type OrdersOfSender = { sender: Sender; orders: readonly OrderInTransaction[]; isBatch?: boolean }

/** Orders of one sender, or why they are refused without any locks. Orders with the same accounts look them up once. */
export async function prepareOrders(
  tx: Deps | TxDeps,
  { sender, orders, isBatch = false }: OrdersOfSender,
): Promise<(Acceptance | ApiError)[]> {
  const readAccountKinds = accountKindsOfRequest(tx)
  const prepared: (Acceptance | ApiError)[] = []
  for (const { attachment, approvalId = null, invoiceId = null, ...order } of orders) {
    try {
      const acceptance = await prepareOrder(tx, { sender, order, claim: null, readAccountKinds })
      prepared.push({ ...acceptance, attachment, approvalId, invoiceId })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      prepared.push(error)
    }
  }
  return isBatch ? asBatch(prepared) : prepared
}

/** The policy asks what a batch needs besides what its sources need alone. Otherwise a batch could avoid their rules. */
function asBatch(prepared: readonly (Acceptance | ApiError)[]): (Acceptance | ApiError)[] {
  const acceptances = prepared.filter((one): one is Acceptance => !(one instanceof ApiError))
  const batch = {
    cents: acceptances.reduce((sum, { amountCents }) => sum + amountCents, 0),
    rails: [...new Set(acceptances.flatMap(railsOf))].join(','),
  }
  return prepared.map((one) =>
    one instanceof ApiError ? one : { ...one, batch, sources: ['BATCH', ...one.sources] as const },
  )
}

/** The same for one payment, together with what `alsoWrite` writes. @throws ApiError as `acceptPayment` and `alsoWrite` */
export async function acceptPaymentIn(
  tx: TxDeps,
  { sender, order }: { sender: Sender; order: OrderInTransaction },
  alsoWrite?: (acceptance: Acceptance) => Promise<void>,
): Promise<AcceptedInTransaction> {
  const prepared = await prepareOrders(tx, { sender, orders: [order] })
  const [accepted] = await acceptPrepared(tx, prepared)
  if (accepted instanceof Error) throw accepted
  await alsoWrite?.(prepared[0] as Acceptance)
  return accepted as AcceptedInTransaction
}

async function acceptOne(tx: TxDeps, acceptance: Acceptance): Promise<AcceptanceRow> {
  const [row] = await acceptPaymentRows(tx.sql, tx.settings, [acceptance])
  return row as AcceptanceRow
}

/** The coordinator accepts these itself: webhooks about a wallet are in the order of their positions (src/foundation/db/schema/delegate.ts). */
const usesWallet = (acceptance: Acceptance): boolean => walletsOf(acceptance).length > 0

/** The wallets that the payment uses. Other payments can use them at the same time. */
const walletsOf = ({ fundingKind, fundingId, destinationKind, destinationId }: Acceptance): string[] =>
  [fundingKind === 'wallet' ? fundingId : null, destinationKind === 'wallet' ? destinationId : null].filter(
    (id) => id !== null,
  )

function meterAccepted({ meter }: Pick<Deps, 'meter'>, { deposit }: Acceptance): void {
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
  const acceptance = { ...(await prepareOrder(deps, { sender: senderOf(caller), order, claim: null })), isDryRun: true }
  if (order.attachment != null) readAttachment(order.attachment)
  return inUndoneTransaction(deps, async (tx) => {
    const row = await acceptOne(tx, acceptance)
    if (row.outcome !== 'accepted') throw refusalOf(acceptance, row)
    return look(tx, acceptance)
  })
}
