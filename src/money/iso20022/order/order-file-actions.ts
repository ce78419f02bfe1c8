import { calendarOf } from '../../../connections/exchange/bank-calendar-rules.ts'
import type { OpenConnection } from '../../../connections/exchange/connection-pass-actions.ts'
import { createOutgoingFile } from '../../../connections/exchange/outgoing-file-actions.ts'
import { ISO_RAILS, type IsoContract, type IsoRail } from '../../../foundation/core/connections.ts'
import { connectionOfRail } from '../../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../../foundation/db/failed-items.ts'
import { type Isolation, isolate } from '../../../foundation/db/isolation.ts'
import { inTransaction, inUndoneTransaction } from '../../../foundation/db/transaction.ts'
import { endTransferCase, recordTransferCase } from '../../../foundation/exception/bank-case-actions.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import { type LegHandlers, legsToFile, postponeLeg, sendLegInFile } from '../../rail/leg-actions.ts'
import { refuseLeg } from '../../rail/leg-refusal-actions.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import { readRestoreGap } from '../../rail/restore-hold-actions.ts'
import { buildCreditTransfer, orderProblems, UnwritableMessage } from '../message/credit-transfer-rules.ts'
import {
  InvalidMessage,
  type MessageSchemas,
  openMessageSchemas,
  UnusableSchema,
} from '../message/message-schema-actions.ts'
import type { CreditOrder } from '../message/message-types.ts'
import { isOrderAtBank, readOrdersAtBank } from './order-restore-actions.ts'
import {
  agreedParts,
  debtorAccountOf,
  executionDate,
  fileNameOf,
  limitProblem,
  nextExecutionDateAt,
  type OrderDetails,
} from './order-rules.ts'
import { insertOrders, sumOrdered, tryLockOrders } from './order-store.ts'

/** Functions of higher folders, which leg-handlers.ts provides. */
export type OrderHooks = {
  handlers: LegHandlers
  /** Returns the payee and the texts of orders, by leg id. A leg whose account cannot be found has none. */
  detailsOf(deps: TxDeps, legs: readonly LegRow[]): Promise<Map<string, OrderDetails>>
}

const STEP = 'write orders'

/** The maximum number of orders in one message. */
const MAX_ORDERS = 1_000

/** The milliseconds for which legs wait after their message could not be written. */
const POSTPONED_MS = 10 * 60 * 1000

type Message = {
  open: OpenConnection
  contract: IsoContract
  executeOn: string
  legs: readonly LegRow[]
  schemas: MessageSchemas | null
}

/**
 * One pass for a connection: commits a message of the waiting legs for each execution date. A later pass sends it.
 *
 * @returns the number of orders
 */
export async function writeOrdersOf(open: OpenConnection, hooks: OrderHooks): Promise<number> {
  const { deps, connection } = open
  const contract = connection.iso20022
  if (!contract) return 0
  const { connections } = deps
  const rails = ISO_RAILS.filter((rail) => connectionOfRail(connections.current(), rail)?.id === connection.id)
  const isolation = isolate(deps, STEP)
  const legs = await waitingLegs(deps, { rails, isolation })
  if (legs.length === 0) return 0
  const calendar = calendarOf(connection)
  const now = deps.clock.now()
  const messages = Map.groupBy(legs, ({ rail }) =>
    executionDate(now, { cutOff: contract.cutOffs[rail as IsoRail] ?? null, calendar }),
  )
  let count = 0
  for (const [executeOn, group] of messages)
    count += await writeIsolated(hooks, isolation, { open, contract, executeOn, legs: group, schemas: null })
  return count
}

/** Writes one message. If that fails, finds the platforms whose orders cause the failure, and leaves these orders for later. */
const writeIsolated = (hooks: OrderHooks, isolation: Isolation, message: Message): Promise<number> =>
  isolation.runWithoutFailing({
    all: ({ platformIds }) => {
      const legs = message.legs.filter(({ platformId }) => !platformIds.includes(platformId))
      return writeOrRefuse(hooks, isolation, { ...message, legs })
    },
    platforms: async () => [...new Set(message.legs.map(({ platformId }) => platformId))],
    tryOne: (platformId) =>
      inUndoneTransaction(message.open.deps, async (tx) => {
        const legs = message.legs.filter((leg) => leg.platformId === platformId)
        await sendMessage(tx, hooks, { ...message, legs })
      }),
  })

const waitingLegs = (
  deps: Deps,
  { rails, isolation }: { rails: readonly IsoRail[]; isolation: Isolation },
): Promise<LegRow[]> =>
  inTransaction(deps, async (tx) => {
    const legs: LegRow[] = []
    const query = { until: tx.clock.now(), skipped: isolation.skipped() }
    for (const rail of rails)
      legs.push(...(await legsToFile(tx, { ...query, rail, limit: MAX_ORDERS, isLimited: true })))
    return legs.slice(0, MAX_ORDERS)
  })

/** Writes one message without the orders that a schema refuses. If the whole message is refused, opens a case, and its legs wait. */
async function writeOrRefuse(hooks: OrderHooks, isolation: Isolation, message: Message): Promise<number> {
  const { contract } = message
  let schemas: MessageSchemas | null = null
  try {
    schemas = contract.schemaFolder === null ? null : await openMessageSchemas(contract.schemaFolder)
    return await write(hooks, isolation, { ...message, schemas })
  } catch (error) {
    const legIds = refusedLegs(error)
    if (legIds.length > 0) {
      await refuseOrders(message, hooks, { isolation, legIds, problem: (error as Error).message })
      const legs = message.legs.filter(({ id }) => !legIds.includes(id))
      return legs.length === 0 ? 0 : writeOrRefuse(hooks, isolation, { ...message, legs })
    }
    if (!isRefusal(error)) throw error
    await refuseMessage(message, error.message)
    return 0
  } finally {
    schemas?.dispose()
  }
}

/** Returns whether an error means that a message cannot be written, or that a schema refuses it. */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof InvalidMessage || error instanceof UnwritableMessage || error instanceof UnusableSchema

/** Returns the legs whose orders a schema refuses, if all violations are in orders. */
function refusedLegs(error: unknown): string[] {
  if (!(error instanceof InvalidMessage)) return []
  const legIds = error.faults.map(({ legId }) => legId)
  return legIds.includes(null) ? [] : [...new Set(legIds.filter((id) => id !== null))]
}

/** Holds the legs of orders that the bank would refuse, with an exception for each. */
async function refuseOrders(
  { open: { deps }, legs }: Message,
  hooks: OrderHooks,
  { isolation, legIds, problem }: { isolation: Isolation; legIds: readonly string[]; problem: string },
): Promise<void> {
  for (const leg of legs.filter(({ id }) => legIds.includes(id))) {
    const refuse = () => inTransaction(deps, (tx) => refuseOrder(tx, hooks, { leg, problem }))
    await isolation.run({ platformId: leg.platformId, kind: 'leg', id: leg.id }, refuse)
  }
}

const refuseOrder = (
  tx: TxDeps,
  { handlers }: OrderHooks,
  { leg, problem }: { leg: LegRow; problem: string },
): Promise<void> =>
  refuseLeg(tx, handlers, {
    ...{ leg, kind: 'order_refused' },
    note: `The order was not sent, because the bank would refuse it: ${problem}.`,
  })

/**
 * Opens a case about a connection whose messages cannot be written, regardless of their orders. The case is closed when a message can be
 * written again.
 */
const refuseMessage = ({ open: { deps, connection }, contract, legs }: Message, problem: string): Promise<void> =>
  inTransaction(deps, async (tx) => {
    const note = `The orders of the account ${contract.account} were not sent: ${problem}. ${legs.length} wait.`
    await recordTransferCase(tx, { ...invalidCase(connection.id, contract), note, isBankWide: false })
    const until = new Date(tx.clock.now().getTime() + POSTPONED_MS)
    for (const leg of legs) await postponeLeg(tx, leg, until)
  })

const invalidCase = (connectionId: string, { account }: IsoContract) =>
  ({ connectionId, kind: 'orders_invalid', fileName: account }) as const

/** Sends legs and commits their message, unless it is refused. @returns the number of orders */
function write(hooks: OrderHooks, isolation: Isolation, message: Message): Promise<number> {
  const skip = ({ cause, item: { platformId, id } }: ItemFailed<LegRow>) =>
    isolation.fail({ platformId, kind: 'leg', id }, cause)
  return inTransactionSkippingFailed<LegRow, Deps, number>(message.open.deps, skip, async (tx, failed) => {
    if (!(await tryLockOrders(tx.sql))) return 0
    const legs = message.legs.filter(({ id }) => !failed.some((one) => one.id === id))
    const sent = await sendMessage(tx, hooks, { ...message, legs })
    tx.afterCommit(() => isolation.succeed(sent.map(({ leg }) => leg.id)))
    return sent.length
  })
}

/** Sends the legs of a message, and makes its file. @returns the orders of the file */
async function sendMessage(tx: TxDeps, hooks: OrderHooks, message: Message): Promise<Sent[]> {
  const sent = await sendOrders(tx, hooks, message)
  if (sent.length > 0) await commitMessage(tx, message, sent)
  return sent
}

type Sent = { leg: LegRow; order: CreditOrder }

/** Sends the legs that still wait and whose orders can be written. Holds the others. */
async function sendOrders(
  tx: TxDeps,
  hooks: OrderHooks,
  { open: { connection }, contract: { terms, account, cutOffs }, executeOn, legs }: Message,
): Promise<Sent[]> {
  const { id: connectionId, timeZone } = connection
  const ordered = new Map<IsoRail, number>()
  /** Whether the limit of a rail for this day does not allow an order. */
  const isDayUsedUp = async (rail: IsoRail, cents: number): Promise<boolean> => {
    const limit = terms.rails[rail]?.centsPerDay ?? null
    if (limit === null) return false
    const before = ordered.get(rail) ?? (await sumOrdered(tx.sql, { connectionId, rail, executeOn }))
    ordered.set(rail, before)
    return before + cents > limit
  }
  const details = await hooks.detailsOf(tx, legs)
  const gap = await readRestoreGap(tx)
  const atBank = await readOrdersAtBank(tx)
  const sent: Sent[] = []
  for (const leg of legs) {
    const own = details.get(leg.id)
    const send = async () => {
      if (await isOrderAtBank(tx, hooks.handlers, { leg, atBank, gap })) return
      if (!own) return refuseOrder(tx, hooks, { leg, problem: 'the account of the payee is gone or cannot be opened' })
      const rail = leg.rail as IsoRail
      const ofRail = terms.rails[rail]
      const { sender, ...ofPayment } = own
      const order: CreditOrder = {
        ...ofPayment,
        ...{ legId: leg.id, rail, accountId: account, executeOn, cents: leg.cents, currency: 'USD' },
        ...agreedParts(ofRail, { sender }),
      }
      const limit = limitProblem(ofRail, leg.cents)
      if (limit !== null) return refuseOrder(tx, hooks, { leg, problem: `its amount ${limit}` })
      if (await isDayUsedUp(rail, leg.cents)) {
        const cutOff = cutOffs[rail] ?? null
        return postponeLeg(tx, leg, nextExecutionDateAt(tx.clock.now(), { cutOff, timeZone }))
      }
      const problems = orderProblems({ terms, order }).map(({ place, message }) => `${place} ${message}`)
      if (problems.length > 0) await refuseOrder(tx, hooks, { leg, problem: problems.join('. ') })
      else if (await sendLegInFile(tx, hooks.handlers, leg)) {
        sent.push({ leg, order })
        ordered.set(rail, (ordered.get(rail) ?? 0) + leg.cents)
      }
    }
    await send().catch(failItem(leg))
  }
  return sent
}

/** Commits the message and its file. @throws InvalidMessage, UnwritableMessage */
async function commitMessage(
  tx: TxDeps,
  { open: { connection }, contract, schemas, executeOn }: Message,
  sent: readonly Sent[],
): Promise<void> {
  const id = newId(tx)
  const { xml, sent: message } = buildCreditTransfer({
    terms: contract.terms,
    accounts: [debtorAccountOf(connection, contract)],
    messageId: id,
    createdAt: tx.clock.now(),
    orders: sent.map(({ order }) => order),
  })
  schemas?.validate(xml)
  const name = fileNameOf('orders', id)
  await createOutgoingFile(tx, {
    ...{ id, connectionId: connection.id, kind: 'orders', name, effectiveAt: null },
    parts: [{ name: `${name}.xml`, content: xml }],
    platformIds: sent.map(({ leg }) => leg.platformId),
  })
  const legs = new Map(sent.map(({ leg }) => [leg.id, leg]))
  const rows = message.payments.flatMap(({ paymentId, orders }) =>
    orders.map((order) => ({
      ...{ ...order, fileId: id, platformId: legs.get(order.legId)?.platformId as string },
      ...{ message: message.messageName, payment: paymentId, executeOn },
    })),
  )
  await insertOrders(tx.sql, rows)
  await endTransferCase(tx, invalidCase(connection.id, contract), 'The orders were sent.')
}
