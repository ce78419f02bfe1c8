import assert from 'node:assert/strict'
import {
  answerMessage,
  answerOrders,
  answerRecall,
  answerRecalledOrder,
  type BankOrder,
  type BankRecall,
  readOrders,
  readRecall,
} from './order-bank.ts'
import type { Dice } from './quarter-people.ts'

/** `received`: the bank has not decided. `returned`: the order was executed, and the money was returned. */
type State = 'received' | 'executed' | 'rejected' | 'canceled' | 'returned'

/** An order as the bank sees it. `toldCode`: the last status that the bank has sent. */
export type OrderAtBank = BankOrder & { state: State; reason: string | null; toldCode: string | null; step: number }

type MessageAtBank = { name: string; xml: string; messageId: string; orders: OrderAtBank[]; isUnreadable: boolean }

/** An answer that is delayed for a while. */
type Late = { name: string; content: string }

const NEWS = 'RCVD ACTC ACCP ACSP ACWC ACFC ACWP ACPD PDNG PATC RVNC RCVC RVNA'.split(' ')
const HELD = 'BLCK ACFW RVMC RVNM RVCM'.split(' ')
/** The reasons with which the bank rejects a second copy. */
const COPY_REASONS = 'DU01 AM05 DUPL DU03'.split(' ')
const REJECTIONS = 'AC01 AC04 AC06 AG01 AM04 BE04 MS03 RC01'.split(' ')
/** Versions of pain.002. */
const VERSIONS = ['03', '09', '10', '12', '14']

type Outside = {
  dice: Dice
  /** Writes a file from the bank to Remit. @returns its name */
  put(name: string, content: string): Promise<string>
  /** Throws if a message is not valid by the ISO schema. */
  validate(xml: string): void
  step(): number
}

/**
 * A bank that accepts orders for wires and real-time payments. It executes an order once, rejects some, answers late,
 * twice, in part, out of order or not at all, cancels some on request, and returns some that it had executed.
 */
export function createOrderBank({ dice: { chance, pick, between }, put, validate, step }: Outside) {
  /** Messages by id. */
  const messages = new Map<string, MessageAtBank>()
  /** By EndToEndId. */
  const orders = new Map<string, OrderAtBank>()
  /** Recall requests that the bank has not decided. */
  const recalls: BankRecall[] = []
  /** Orders that the bank does not have, as it has told the operator. It executes none of them. */
  const denied = new Set<string>()
  /** The content of answers that were damaged in transit, by their file names. */
  const damaged = new Map<string, string>()
  const late: Late[] = []
  const counts = { orders: 0, executed: 0, rejected: 0, canceled: 0, returned: 0, kept: 0, copies: 0 }

  async function receive(name: string, xml: string): Promise<void> {
    if (name.startsWith('recall-')) return void recalls.push(readRecall(xml))
    validate(xml)
    const own = readOrders(xml)
    const messageId = own[0]?.messageId as string
    if (messages.has(messageId)) return receiveCopy(messageId)
    const entries = own.map(
      (order): OrderAtBank => ({ ...order, state: 'received', reason: null, toldCode: null, step: step() }),
    )
    const message = { name: name.replace(/\.xml$/, ''), xml, messageId, orders: entries, isUnreadable: false }
    messages.set(messageId, message)
    for (const order of entries) {
      const former = orders.get(order.endToEndId)
      assert.ok(!former || messages.get(former.messageId)?.isUnreadable, `the order ${order.endToEndId} arrived twice`)
      orders.set(order.endToEndId, order)
      counts.orders++
      if (denied.has(order.endToEndId)) await reject(order, 'MS03')
    }
  }

  /** A bank ignores a second copy of a message, or rejects it. Before that, it may have accepted orders of the first copy. */
  async function receiveCopy(messageId: string): Promise<void> {
    counts.copies++
    if (chance(0.2)) return
    const first = open().filter((order) => order.messageId === messageId)
    if (first.length > 0 && chance(0.5)) await tell(first, () => pick(['ACCP', 'ACTC', 'ACSP']) as string)
    await send('pain002.xml', answerMessage(messageId, { code: 'RJCT', reason: pick(COPY_REASONS) as string }))
  }

  /** Sends an answer, perhaps twice, late or damaged. */
  async function send(name: string, content: string): Promise<void> {
    if (chance(0.12)) return void late.push({ name, content })
    if (chance(0.04)) {
      const cut = content.slice(0, between(content.length / 3, content.length - 5))
      return void damaged.set(await put(name, cut), content)
    }
    for (let copy = 0; copy < (chance(0.12) ? 2 : 1); copy++) await put(name, content)
  }

  /** Reports the status of some orders of one message. */
  async function tell(some: readonly OrderAtBank[], codeOf: (order: OrderAtBank) => string): Promise<void> {
    const version = pick(VERSIONS) as string
    for (const [, own] of Map.groupBy(some, ({ messageId }) => messageId)) {
      const answers = own.map(({ reason, ...order }) => ({ ...order, code: '', ...(reason !== null && { reason }) }))
      for (const [index, order] of own.entries()) {
        order.toldCode = codeOf(order)
        Object.assign(answers[index] ?? {}, { code: order.toldCode })
      }
      const content = answerOrders(answers).replace('pain.002.001.10', `pain.002.001.${version}`)
      const group = chance(0.2) ? '<GrpSts>PART</GrpSts>' : ''
      await send('pain002.xml', content.replace('</OrgnlGrpInfAndSts>', `${group}</OrgnlGrpInfAndSts>`))
    }
  }

  const finalCode = ({ state }: OrderAtBank): string =>
    state === 'executed' ? (pick(['ACSC', 'ACSC', 'ACCC', 'CPUC']) as string) : state === 'canceled' ? 'CANC' : 'RJCT'

  function execute(order: OrderAtBank): void {
    assert.equal(order.state, 'received', `the bank executes ${order.endToEndId} once`)
    Object.assign(order, { state: 'executed', step: step() })
    counts.executed++
  }

  const setRejected = (order: OrderAtBank, reason: string): void => {
    Object.assign(order, { state: 'rejected', reason })
    counts.rejected++
  }

  async function reject(order: OrderAtBank, reason: string): Promise<void> {
    setRejected(order, reason)
    await tell([order], finalCode)
  }

  const readable = () => [...messages.values()].filter(({ isUnreadable }) => !isUnreadable)
  const open = () => readable().flatMap((one) => one.orders.filter(({ state }) => state === 'received'))

  /** Processes some orders of one message. */
  async function judge(): Promise<void> {
    if (late.length > 0 && chance(0.5)) {
      const [one] = late.splice(between(0, late.length - 1), 1) as [Late]
      await put(one.name, one.content)
    }
    await answerRecalls()
    const first = pick(open())
    if (!first) return
    const own = open().filter(({ messageId }) => messageId === first.messageId)
    const all = messages.get(first.messageId)?.orders ?? []
    if (all.every(({ state }) => state === 'received') && chance(0.15)) return judgeMessage(first.messageId, all)
    const some = own.filter((order) => order === first || chance(0.4))
    for (const order of some) {
      if (chance(0.55)) execute(order)
      else if (chance(0.4)) setRejected(order, pick(REJECTIONS) as string)
    }
    // The bank forgets to answer about some. A statement or a call of the operator shows their outcome.
    const told = some.filter(() => chance(0.85))
    await tell(told, (order) =>
      order.state === 'received' ? (pick(chance(0.1) ? HELD : NEWS) as string) : finalCode(order),
    )
  }

  /** Sends one answer about a whole message. */
  async function judgeMessage(messageId: string, own: readonly OrderAtBank[]): Promise<void> {
    if (chance(0.5)) return send('pain002.xml', answerMessage(messageId, { code: pick(NEWS) as string }))
    const reason = pick(REJECTIONS) as string
    for (const order of own) {
      setRejected(order, reason)
      order.toldCode = 'RJCT'
    }
    await send('pain002.xml', answerMessage(messageId, { code: 'RJCT', reason }))
  }

  async function answerRecalls({ isLast = false } = {}): Promise<void> {
    for (const recall of [...recalls]) {
      if (!isLast && chance(0.6)) continue
      const answer = (code: string) => (chance(0.5) ? answerRecall(recall, code) : answerRecalledOrder(recall, code))
      if (!isLast && chance(0.2)) {
        await send('camt029.xml', answer(pick(['PDCR', 'CWFW', 'FTNA']) as string))
        continue
      }
      recalls.splice(recalls.indexOf(recall), 1)
      const order = orders.get(recall.endToEndId)
      const isCanceled = order?.state === 'received' && !isUnreadable(recall.endToEndId) && chance(0.65)
      if (isCanceled) order.state = 'canceled'
      counts[isCanceled ? 'canceled' : 'kept']++
      if (!isCanceled) await send('camt029.xml', answer('RJCR'))
      else if (chance(0.5)) await send('camt029.xml', answerRecall(recall, 'CNCL'))
      else await send('camt029.xml', answerRecalledOrder(recall, 'ACCR'))
    }
  }

  /** Returns the money of an executed order. Sometimes only a statement shows it. */
  async function returnOne(): Promise<void> {
    const order = pick([...orders.values()].filter((one) => one.state === 'executed' && step() - one.step < 60))
    if (!order) return
    Object.assign(order, { state: 'returned', reason: pick(['AC04', 'AC06', 'BE04', 'MS03']) })
    counts.returned++
    if (chance(0.5)) await tell([order], () => 'RJCT')
  }

  /**
   * Delivers all delayed answers and executes all orders. Rejections are reported, and some executions are only on the
   * statement.
   */
  async function settle(): Promise<void> {
    for (const { name, content } of late.splice(0)) await put(name, content)
    await answerRecalls({ isLast: true })
    for (const order of open()) execute(order)
    const untold = readable().flatMap((one) =>
      one.orders.filter(({ state, toldCode }) =>
        state === 'executed' ? toldCode === null && chance(0.5) : state === 'rejected' && toldCode !== 'RJCT',
      ),
    )
    await tell(untold, finalCode)
    for (const { name, content } of late.splice(0)) await put(name, content)
  }

  /** Executes an order after all that it has rejected, and says so at once. */
  async function executeRejected(order: OrderAtBank): Promise<void> {
    Object.assign(order, { state: 'received', reason: null })
    execute(order)
    order.toldCode = finalCode(order)
    const { reason: _, ...rest } = order
    await put('pain002.xml', answerOrders([{ ...rest, code: order.toldCode }]))
  }

  /** Returns the bank's answer on the phone about an order. The bank decides at once. */
  function decide(endToEndId: string): string | null {
    const order = orders.get(endToEndId)
    if (!order || isUnreadable(endToEndId)) {
      denied.add(endToEndId)
      return null
    }
    if (order.state === 'received') {
      if (chance(0.7)) execute(order)
      else setRejected(order, pick(REJECTIONS) as string)
    }
    return order.state === 'executed' ? 'ACSC' : order.state === 'canceled' ? 'CANC' : order.reason
  }

  const isUnreadable = (endToEndId: string): boolean =>
    messages.get(orders.get(endToEndId)?.messageId ?? '')?.isUnreadable ?? false

  /** Makes the bank refuse a message about which it has reported nothing. @returns its name */
  function refuseUnread(): MessageAtBank | undefined {
    return pick(
      readable().filter((one) => one.orders.every(({ state, toldCode }) => state === 'received' && toldCode === null)),
    )
  }

  return {
    receive,
    judge,
    returnOne,
    settle,
    decide,
    refuseUnread,
    executeRejected,
    isUnreadable,
    messages,
    orders,
    damaged,
    counts,
  }
}
