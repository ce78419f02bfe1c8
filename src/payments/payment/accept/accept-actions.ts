import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SpanContext } from '@opentelemetry/api'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { Pool } from '../../../foundation/db/connect.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransaction, inUndoneTransaction } from '../../../foundation/db/transaction.ts'
import { isLockTimeout } from '../../../foundation/db/trouble.ts'
import type { IdempotencyClaim } from '../../../foundation/http/idempotency/idempotency-store.ts'
import { type CommitTogether, type Orders, RetryInGroup } from '../../../foundation/lib/concurrency/commit-together.ts'
import { createTurns } from '../../../foundation/lib/concurrency/turns.ts'
import { activeSpan, inSpan, startSubjectTrace } from '../../../foundation/lib/trace/trace.ts'
import type { Attachment } from '../payment-store.ts'
import { acceptPaymentRowsOnNode, acceptPlainPaymentRowsOnNode } from './accept-node-store.ts'
import { acceptPlainPaymentRows, isPlain } from './accept-plain-store.ts'
import { acceptRefusal } from './accept-refusal-rules.ts'
import {
  type Acceptance,
  type AcceptanceRow,
  acceptPaymentRows,
  findAcceptance,
  findFirstAnswer,
} from './accept-store.ts'
import { type AttachmentFile, attachmentPage, readAttachment } from './attachment-actions.ts'
import { renderFirstAnswer } from './first-answer-rules.ts'
import {
  createRequestAccountKindsReader,
  type Order,
  prepareOrder,
  type ReadAccountKinds,
  type Sender,
} from './prepare-actions.ts'

/** The dependencies of accepting payments in groups. */
export type AcceptDeps = Deps & {
  acceptTogether: CommitTogether<Acceptance, AcceptanceRow>
  readAccountKinds?: ReadAccountKinds
}

/** The group key of plain payments on one server, and the start of it on a cluster. */
const PLAIN = 'plain'
const OTHER = 'other'

/** Returns how a group of payments is accepted, for `commitTogether`. */
export const acceptanceOrders = (deps: Deps, groupSql: Pool): Orders<Acceptance, AcceptanceRow> => ({
  run: (acceptances, groupKey) =>
    inSpan('accept group', { isRoot: true, ...linksOf(acceptances) }, () =>
      groupKey.startsWith(PLAIN) ? acceptPlain(deps, groupSql, acceptances) : acceptRows(deps, groupSql, acceptances),
    ),
  runAlone: async (acceptance) => {
    const [row] = await acceptRows(deps, deps.sql, [acceptance])
    return row as AcceptanceRow
  },
  lookUp: (acceptance) => findAcceptance(deps.sql, acceptance),
  locksOf: (acceptance) => [acceptance.senderId, ...walletsOf(acceptance)],
  groupKeyOf: (acceptance) => {
    const node = deps.nodes.placeOf(acceptance.platformId)?.node
    if (!isPlain(acceptance) || (deps.isDistributed && node === undefined)) return otherKey(deps, acceptance)
    return deps.isDistributed ? `${PLAIN} ${node}` : PLAIN
  },
})

/** Returns the group key of payments that need all rules. On a cluster, their group has one platform, so one node has all of its rows. */
const otherKey = ({ isDistributed }: Deps, acceptance: Acceptance): string =>
  isDistributed ? `${acceptance.platformId} ${usesWallet(acceptance)}` : OTHER

type Acceptances = readonly [Acceptance, ...Acceptance[]]

async function acceptPlain(deps: Deps, groupSql: Pool, acceptances: readonly Acceptance[]) {
  const rows = deps.isDistributed
    ? await acceptPlainPaymentRowsOnNode({ ...deps, groupSql }, deps.settings, acceptances as Acceptances)
    : await acceptPlainPaymentRows(groupSql, deps.settings, acceptances)
  return rows.map((row, index) => row ?? new RetryInGroup(otherKey(deps, acceptances[index] as Acceptance)))
}

/** The span of the request for each payment that waits for its group, if tracing is on. */
const requests = new WeakMap<Acceptance, SpanContext>()

const linksOf = (acceptances: readonly Acceptance[]) => ({
  attributes: { 'remit.payments': acceptances.length },
  links: acceptances.flatMap((acceptance) => requests.get(acceptance) ?? []),
})

/** Accepts payments in their own transaction. On a cluster, either all payments of a group use wallets, or none does. */
const acceptRows = (deps: Deps, groupSql: Pool, acceptances: readonly Acceptance[]) =>
  deps.isDistributed && !acceptances.some(usesWallet)
    ? acceptPaymentRowsOnNode({ ...deps, groupSql }, deps.settings, acceptances as Acceptances)
    : acceptPaymentRows(groupSql, deps.settings, acceptances)

/** An order whose attachment was decoded before the transaction began. */
export type OrderInTransaction = Omit<Order, 'attachment'> & {
  attachment: Attachment | null
  /** The approval that releases the payment. */
  approvalId?: string
  /** The invoice that the payment pays. */
  invoiceId?: string
}

/** Work that writes or reads something in the transaction of an accepted payment. */
type Also<Result> = (tx: TxDeps, acceptance: Acceptance) => Promise<Result>

type InTransaction<Result> = { how: 'inTransaction'; deps: TxDeps; also?: Also<Result> | undefined }

/** The way in which a payment is accepted. */
type Mode<Result> =
  /** Together with payments that arrive at the same time, in one call and one commit. */
  | { how: 'withOthers'; deps: AcceptDeps; also?: never }
  /** Alone, in its own transaction. */
  | { how: 'alone'; deps: Deps; also?: Also<Result> }
  /** Accepts in the caller's transaction, so that the payment commits with other changes, such as its approval. */
  | InTransaction<Result>
  /**
   * Accepts in a transaction that is rolled back, so that no counter changes and no grant is used. The payment needs no
   * approval.
   */
  | { how: 'undone'; deps: Deps; also?: Also<Result> }

type GivenOrder = { sender: Sender; order: Order; claim?: IdempotencyClaim | null }

/** Orders of one sender. If `isBatch`, the approval policy also judges them together. */
type GivenOrders = { sender: Sender; orders: readonly OrderInTransaction[]; isBatch?: boolean }

/**
 * An accepted payment. `text` is its JSON, as `POST /v3/check/digital` returns it. `isReplayed`: an earlier request with the same
 * Idempotency-Key created the payment. `result` is the result of `also`, or null if `also` did not run.
 */
export type Accepted<Result = unknown> = { id: string; text: string; isReplayed: boolean; result: Result | null }

/**
 * Accepts a payment and returns its JSON, which is the same for a repeated Idempotency-Key. If the recipient's account is known, the
 * payment is deposited in the same transaction (specification.md 5.3). Every payment is accepted by this function.
 *
 * @returns in a transaction, for several orders, the accepted payment or the refusal of each, in turn. If the caller does not roll back,
 * the accepted payments are made although others are refused.
 * @throws ApiError every code that `accept_payments_v1` returns, and invalid_request, invalid_deposit_option,
 * invalid_attachment, idempotency_key_in_use, idempotency_key_reused, and those of `also`
 */
export function acceptPayment<Result>(
  mode: Exclude<Mode<Result>, InTransaction<Result>>,
  given: GivenOrder,
): Promise<Accepted<Result>>
export function acceptPayment<Result>(
  mode: InTransaction<Result>,
  given: { sender: Sender; order: OrderInTransaction },
): Promise<Accepted<Result>>
export function acceptPayment(mode: InTransaction<never>, given: GivenOrders): Promise<(Accepted | Error)[]>
export async function acceptPayment(
  mode: Mode<unknown>,
  given: GivenOrder | { sender: Sender; order: OrderInTransaction } | GivenOrders,
): Promise<Accepted | (Accepted | Error)[]> {
  if (mode.how === 'inTransaction') {
    if ('orders' in given) return acceptOrders(mode, given)
    const orders = [given.order as OrderInTransaction]
    const [accepted] = await acceptInTransaction(mode, await prepareOrders(mode.deps, { sender: given.sender, orders }))
    return requireAccepted(accepted as Accepted | Error)
  }
  const { claim = null, ...order } = given as GivenOrder
  const acceptance = await prepareWithAttachment(mode, { ...order, claim })
  if ('isReplayed' in acceptance) return acceptance
  return acceptPrepared(mode, acceptance).catch((error) => {
    // Another process may hold the lock of the sender because it is accepting the same request.
    throw claim && isLockTimeout(error) ? new ApiError('idempotency_key_in_use') : error
  })
}

async function acceptPrepared<Result>(
  mode: Exclude<Mode<Result>, InTransaction<Result>>,
  acceptance: Acceptance,
): Promise<Accepted<Result>> {
  const { how, deps, also } = mode
  if (how === 'withOthers') {
    const request = activeSpan()
    if (request) requests.set(acceptance, request)
    return requireAccepted(await conclude({ deps }, acceptance, await deps.acceptTogether(acceptance)))
  }
  const transact = how === 'undone' ? inUndoneTransaction : inTransaction
  return transact(deps, async (tx: TxDeps) => {
    const [accepted] = await acceptInTransaction({ how: 'inTransaction', deps: tx, also }, [acceptance])
    return requireAccepted(accepted as Accepted<Result> | Error)
  })
}

/**
 * The maximum number of orders of a file that one call accepts. This process prepares the next orders during each call. Encoding the
 * arguments of a larger call would keep other requests waiting.
 */
const ORDERS_PER_CALL = 100

/** Accepts the orders of a file in parts. The next part is prepared while the database accepts the previous one. */
async function acceptOrders(mode: InTransaction<unknown>, given: GivenOrders): Promise<(Accepted | Error)[]> {
  const outcomes: (Accepted | Error)[] = []
  let accepting: Promise<(Accepted | Error)[]> = Promise.resolve([])
  for await (const prepared of prepareParts(mode.deps, given)) {
    outcomes.push(...(await accepting))
    accepting = acceptInTransaction(mode, prepared)
    accepting.catch(() => {}) // Awaited later.
    await nextTurn() // Sends the call, and lets other requests run.
  }
  outcomes.push(...(await accepting))
  return outcomes
}

async function* prepareParts(tx: TxDeps, given: GivenOrders): AsyncGenerator<(Acceptance | ApiError)[]> {
  const prepare = createOrderPreparer(tx, given.sender)
  // The orders of a batch know its total, so all of them are prepared first.
  const whole = given.isBatch ? asBatch(await prepare(given.orders)) : null
  for (let first = 0; first < given.orders.length; first += ORDERS_PER_CALL) {
    const last = first + ORDERS_PER_CALL
    yield whole?.slice(first, last) ?? (await prepare(given.orders.slice(first, last)))
  }
}

async function acceptInTransaction<Result>(
  { deps, also }: InTransaction<Result>,
  prepared: readonly (Acceptance | ApiError)[],
): Promise<(Accepted<Result> | Error)[]> {
  const acceptances = prepared.filter(isAcceptance)
  const rows = acceptances.length > 0 ? await acceptPaymentRows(deps.sql, deps.settings, acceptances) : []
  const rowsInTurn = rows.values()
  const outcomes: (Accepted<Result> | Error)[] = []
  for (const acceptance of prepared) {
    const outcome = isAcceptance(acceptance)
      ? await conclude({ deps, also }, acceptance, rowsInTurn.next().value as AcceptanceRow)
      : acceptance
    outcomes.push(outcome)
  }
  return outcomes
}

const isAcceptance = (prepared: Acceptance | ApiError): prepared is Acceptance => !(prepared instanceof ApiError)

/** Turns an outcome of the database into the answer, and schedules its effects in this process after the commit. */
async function conclude<Result>(
  { deps, also }: { deps: Deps; also?: never } | { deps: TxDeps; also?: Also<Result> | undefined },
  acceptance: Acceptance,
  row: AcceptanceRow,
): Promise<Accepted<Result> | Error> {
  if (row.outcome === 'replayed') return replayedAnswer(deps, acceptance, row)
  if (row.outcome !== 'accepted') return refusalOf(acceptance, row)
  const result = also ? await also(deps, acceptance) : null
  const afterCommit = 'afterCommit' in deps ? deps.afterCommit : (effect: () => void) => effect()
  afterCommit(recordingOf(deps, acceptance))
  if (row.isDue) afterCommit(deps.wake)
  return { id: acceptance.id, text: firstAnswer(acceptance, row), isReplayed: false, result }
}

function requireAccepted<Result>(outcome: Accepted<Result> | Error): Accepted<Result> {
  if (outcome instanceof Error) throw outcome
  return outcome
}

/** Prepares an order with an attachment. For a used Idempotency-Key, returns the recorded answer instead of decoding the attachment. */
async function prepareWithAttachment(
  { how, deps }: { how: Mode<unknown>['how']; deps: Deps & Pick<AcceptDeps, 'readAccountKinds'> },
  { sender, order, claim }: { sender: Sender; order: Order; claim: IdempotencyClaim | null },
): Promise<Acceptance | Accepted<never>> {
  const { readAccountKinds } = deps
  const prepared = await prepareOrder(deps, { sender, order, claim, readAccountKinds })
  const file = order.attachment == null ? null : readAttachment(order.attachment)
  if (how === 'undone') return { ...prepared, isDryRun: true }
  const attachment = file && (await decodeAttachment(deps, prepared, file))
  return attachment && 'text' in attachment ? attachment : { ...prepared, attachment }
}

/** Returns the error for a refusal. Names the account of a payee without a user by its field in the request. */
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

/** Returns the answer to the request that created a payment, byte for byte. */
async function replayedAnswer(
  deps: Pick<TxDeps, 'sql'>,
  { platformId }: Acceptance,
  { paymentId }: AcceptanceRow,
): Promise<Accepted<never>> {
  const payment = await findFirstAnswer(deps.sql, { platformId, paymentId })
  return { id: paymentId, text: renderFirstAnswer(payment), isReplayed: true, result: null }
}

/**
 * Converts the attachment to a PDF. Images are expensive to decode, so a dry run first checks that the payment would be accepted. For a
 * used Idempotency-Key, returns the recorded answer.
 */
async function decodeAttachment(
  deps: Deps,
  acceptance: Acceptance,
  file: AttachmentFile,
): Promise<Attachment | Accepted<never>> {
  if (file.isPdf) return { filename: file.filename, pdf: file.bytes }
  const { platformId } = acceptance
  return deps.drawings.images.schedule({ platformId, bytes: file.bytes.length }, async (run) => {
    const checked = await acceptPrepared<never>({ how: 'undone', deps }, acceptance)
    return checked.isReplayed ? checked : attachmentPage(run, file)
  })
}

/** Prepares the orders of one sender, or refuses them by rules that need no locks. */
export async function prepareOrders(
  deps: Deps | TxDeps,
  { sender, orders, isBatch = false }: GivenOrders,
): Promise<(Acceptance | ApiError)[]> {
  const prepared = await createOrderPreparer(deps, sender)(orders)
  return isBatch ? asBatch(prepared) : prepared
}

/** Returns a function that prepares orders. Orders with the same accounts look them up once. */
function createOrderPreparer(deps: Deps | TxDeps, sender: Sender) {
  const readAccountKinds = createRequestAccountKindsReader(deps)
  const letOthersRun = createTurns()
  return async (orders: readonly OrderInTransaction[]): Promise<(Acceptance | ApiError)[]> => {
    const prepared: (Acceptance | ApiError)[] = []
    for (const { attachment, approvalId = null, invoiceId = null, ...order } of orders) {
      try {
        const acceptance = await prepareOrder(deps, { sender, order, claim: null, readAccountKinds })
        prepared.push({ ...acceptance, attachment, approvalId, invoiceId })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        prepared.push(error)
      }
      await letOthersRun()
    }
    return prepared
  }
}

/**
 * Adds the total of a batch to each of its payments. Each payment needs the approvals for the batch and its own, so nobody can avoid a
 * stricter rule by splitting or combining payments.
 */
function asBatch(prepared: readonly (Acceptance | ApiError)[]): (Acceptance | ApiError)[] {
  const acceptances = prepared.filter(isAcceptance)
  const batch = {
    cents: acceptances.reduce((sum, { amountCents }) => sum + amountCents, 0),
    rails: [...new Set(acceptances.flatMap(({ rails }) => rails))].join(','),
  }
  return prepared.map((one) =>
    isAcceptance(one) ? { ...one, batch, sources: ['BATCH', ...one.sources] as const } : one,
  )
}

/**
 * Returns whether a payment uses a wallet. The coordinator of a cluster accepts these itself, to keep the order of webhooks about a wallet
 * (src/foundation/db/schema/delegate.ts).
 */
const usesWallet = (acceptance: Acceptance): boolean => walletsOf(acceptance).length > 0

/** Lists the wallets that the payment uses. Other payments can use them at the same time. */
const walletsOf = ({ fundingKind, fundingId, destinationKind, destinationId }: Acceptance): string[] =>
  [fundingKind === 'wallet' ? fundingId : null, destinationKind === 'wallet' ? destinationId : null].filter(
    (id) => id !== null,
  )

/**
 * Returns the measurement and the trace of an accepted payment as an effect. It keeps little of the payment in memory, because a file has
 * 1,500 of them, and garbage collection stops all requests for longer the more memory is in use.
 */
function recordingOf({ meter, settings }: Pick<Deps, 'meter' | 'settings'>, { id, deposit }: Acceptance): () => void {
  const status = deposit?.status
  const leg = deposit?.leg && {
    rail: deposit.leg.rail,
    direction: deposit.leg.direction,
    status: deposit.leg.status,
  }
  return () => {
    meter.paymentAccepted()
    if (status) meter.paymentChanged(status)
    if (leg) meter.legChanged(leg)
    startSubjectTrace(id, 'payment accepted', { 'remit.environment': settings.name })
  }
}
