import { createHash } from 'node:crypto'
import type { MessageTerms, RailTerms } from '../../../foundation/core/connections.ts'
import { decimalsOf } from '../../statement/amount-text-rules.ts'
import { hasUetr, headerElements, orderElements, paymentElements } from './credit-transfer-elements-rules.ts'
import { documentText, elementOf, fillTable, namespaceOf } from './element-table-rules.ts'
import type { CreditOrder, DebtorAccount, ElementProblem, SentMessage, WrittenElement } from './message-types.ts'
import { decimalText } from './value-format-rules.ts'

/** The text of a message, and a description of its content that is later compared with the bank's answers. */
export type BuiltMessage = { xml: string; sent: SentMessage }

/**
 * A message that cannot be written. Orders are checked earlier with `orderProblems`, so the cause is the agreement with the bank or a fault
 * of the program.
 */
export class UnwritableMessage extends Error {
  override name = 'UnwritableMessage'
  readonly problems: readonly ElementProblem[]
  constructor(problems: readonly ElementProblem[]) {
    super(problems.map(({ place, message }) => `${place} ${message}`).join('. '))
    this.problems = problems
  }
}

/**
 * Lists the elements that prevent an order from being sent under an agreement, because they are missing or cannot be written. Returns an
 * empty list if the order can be sent.
 */
export function orderProblems({ terms, order }: { terms: MessageTerms; order: CreditOrder }): ElementProblem[] {
  const ofRail = terms.rails[order.rail]
  if (!ofRail) return [{ place: 'PmtTpInf', message: `has no terms for ${order.rail}` }]
  return orderWriter(terms, ofRail)(order).problems
}

/**
 * Builds a pain.001 with orders of any accounts, rails and days. Orders of the same account, rail and day share one payment (PmtInf).
 *
 * @param given.messageId the id of the exchange, at most 32 characters. A message that is sent again has the same id, so that the bank
 * recognizes it
 * @throws UnwritableMessage if an element is missing or cannot be written
 */
export function buildCreditTransfer({
  terms,
  accounts,
  messageId,
  createdAt,
  orders,
}: {
  terms: MessageTerms
  accounts: readonly DebtorAccount[]
  messageId: string
  createdAt: Date
  orders: readonly CreditOrder[]
}): BuiltMessage {
  requireUniqueLegs(orders)
  const groups = groupOrders(orders)
  const payments = groups.map((group, index) => {
    const account = accounts.find(({ id }) => id === group.accountId)
    const ofRail = terms.rails[group.rail]
    if (!account) throw new RangeError(`no account ${group.accountId}`)
    if (!ofRail) throw new RangeError(`no terms for ${group.rail}`)
    return buildPayment({ terms, ofRail, account, paymentId: `${messageId}-${index + 1}`, group })
  })
  const header = fillTable(
    headerElements,
    {
      terms,
      messageId,
      createdAt: `${createdAt.toISOString().slice(0, 19)}Z`,
      count: orders.length,
      sum: sumText(orders),
    },
    terms.characters,
  )
  const problems = [header, ...payments].flatMap((part) => part.problems)
  if (problems.length > 0) throw new UnwritableMessage(problems)
  const message = elementOf('CstmrCdtTrfInitn', [
    elementOf('GrpHdr', header.elements),
    ...payments.map(({ element }) => element),
  ])
  return {
    xml: documentText(namespaceOf(terms.creditTransfer), message),
    sent: { messageId, messageName: terms.creditTransfer, payments: payments.map(({ sent }) => sent) },
  }
}

/** Requires that each order has another leg, because the bank's answers name an order by the id of its leg. */
function requireUniqueLegs(orders: readonly CreditOrder[]): void {
  if (orders.length === 0) throw new RangeError('a message has at least one order')
  if (new Set(orders.map(({ legId }) => legId)).size !== orders.length) throw new RangeError('a leg comes twice')
}

type OrderGroup = Pick<CreditOrder, 'accountId' | 'rail' | 'executeOn'> & { orders: readonly CreditOrder[] }

/** Groups orders by account, rail and day. Groups are in the order of their first order. */
function groupOrders(orders: readonly CreditOrder[]): OrderGroup[] {
  const groups = Map.groupBy(orders, ({ accountId, rail, executeOn }) => JSON.stringify([accountId, rail, executeOn]))
  return [...groups.values()].map((same) => {
    const { accountId, rail, executeOn } = same[0] as CreditOrder
    return { accountId, rail, executeOn, orders: same }
  })
}

function buildPayment({
  terms,
  ofRail,
  account,
  paymentId,
  group,
}: {
  terms: MessageTerms
  ofRail: RailTerms
  account: DebtorAccount
  paymentId: string
  group: OrderGroup
}) {
  const head = fillTable(
    paymentElements(terms.creditTransfer),
    {
      terms: ofRail,
      account,
      paymentId,
      executeOn: group.executeOn,
      count: group.orders.length,
      sum: sumText(group.orders),
    },
    terms.characters,
  )
  const orders = group.orders.map(orderWriter(terms, ofRail))
  return {
    element: elementOf('PmtInf', [...head.elements, ...orders.map(({ element }) => element)]),
    problems: [head, ...orders].flatMap((part) => part.problems),
    sent: {
      paymentId,
      orders: group.orders.map(({ legId, cents, currency }) => ({
        legId,
        cents,
        currency,
        uetr: hasUetr(terms.creditTransfer, ofRail) ? uetrOf(legId) : null,
      })),
    },
  }
}

/** Returns a function that writes orders of one rail. The table of elements is built only once. */
function orderWriter(terms: MessageTerms, ofRail: RailTerms) {
  const table = orderElements(terms.creditTransfer, ofRail)
  return (order: CreditOrder): { element: WrittenElement; problems: ElementProblem[] } => {
    const decimals = decimalsOf(order.currency)
    const amount = decimals === null ? '' : decimalText(order.cents, decimals)
    const subject = { terms: ofRail, order, amount, uetr: uetrOf(order.legId) }
    const { elements, problems } = fillTable(table, subject, terms.characters)
    return { element: elementOf('CdtTrfTxInf', elements), problems }
  }
}

/** Adds amounts regardless of their currencies, as ISO defines CtrlSum. The result has as many decimals as the currency with the most. */
function sumText(orders: readonly CreditOrder[]): string {
  const amounts = orders.map(({ cents, currency }) => ({ cents: BigInt(cents), decimals: decimalsOf(currency) ?? 2 }))
  const most = Math.max(...amounts.map(({ decimals }) => decimals))
  const sum = amounts.reduce((total, { cents, decimals }) => total + cents * 10n ** BigInt(most - decimals), 0n)
  return decimalText(sum, most)
}

/**
 * Returns the UETR of a leg: a UUID of version 4 (RFC 9562) from a digest of the leg's id. An order that is sent again has the same UETR.
 */
export function uetrOf(legId: string): string {
  const bytes = createHash('sha256').update(`uetr ${legId}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
