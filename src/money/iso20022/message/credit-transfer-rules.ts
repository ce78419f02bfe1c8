import { createHash } from 'node:crypto'
import type { MessageTerms, RailTerms } from '../../../foundation/core/connections.ts'
import { decimalsOf } from '../../statement/amount-text-rules.ts'
import { hasUetr, headerElements, orderElements, paymentElements } from './credit-transfer-elements-rules.ts'
import { documentText, elementOf, fillTable, namespaceOf } from './element-table-rules.ts'
import type { CreditOrder, DebtorAccount, ElementProblem, SentMessage, WrittenElement } from './message-types.ts'
import { decimalText } from './value-format-rules.ts'

/** The text of a message, and what it has, for the answers of the bank. */
export type BuiltMessage = { xml: string; sent: SentMessage }

/** A message that cannot be written. Orders are checked before with `orderProblems`, so the fault is in the agreement or in the program. */
export class UnwritableMessage extends Error {
  override name = 'UnwritableMessage'
  readonly problems: readonly ElementProblem[]
  constructor(problems: readonly ElementProblem[]) {
    super(problems.map(({ place, message }) => `${place} ${message}`).join('. '))
    this.problems = problems
  }
}

/** Says why an order cannot be sent under an agreement: the elements that are missing or cannot be written. Empty: it can be sent. */
export function orderProblems({ terms, order }: { terms: MessageTerms; order: CreditOrder }): ElementProblem[] {
  const ofRail = terms.rails[order.rail]
  if (!ofRail) return [{ place: 'PmtTpInf', message: `has no terms for ${order.rail}` }]
  return orderWriter(terms, ofRail)(order).problems
}

/**
 * Builds a pain.001 with orders of any accounts, rails and days. Orders of the same account, rail and day share one payment (PmtInf).
 *
 * @param given.messageId the id of the exchange, at most 32 characters. A repeated message has the same id, so that the bank finds it
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

/** The answers of the bank name an order by the id of its leg. */
function requireUniqueLegs(orders: readonly CreditOrder[]): void {
  if (orders.length === 0) throw new RangeError('a message has at least one order')
  if (new Set(orders.map(({ legId }) => legId)).size !== orders.length) throw new RangeError('a leg comes twice')
}

type OrderGroup = Pick<CreditOrder, 'accountId' | 'rail' | 'executeOn'> & { orders: readonly CreditOrder[] }

/** Orders of the same account, rail and day, in the order of their first one. */
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

/** Writes orders of one rail. The table of elements is made once. */
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

/**
 * The sum of amounts, without regard to their currencies, as ISO defines CtrlSum. Its decimals are the most of any currency in it.
 */
function sumText(orders: readonly CreditOrder[]): string {
  const amounts = orders.map(({ cents, currency }) => ({ cents: BigInt(cents), decimals: decimalsOf(currency) ?? 2 }))
  const most = Math.max(...amounts.map(({ decimals }) => decimals))
  const sum = amounts.reduce((total, { cents, decimals }) => total + cents * 10n ** BigInt(most - decimals), 0n)
  return decimalText(sum, most)
}

/**
 * The UETR of a leg: a UUID of version 4 (RFC 9562) from a digest of its id. An order that is sent again has the same one.
 */
export function uetrOf(legId: string): string {
  const bytes = createHash('sha256').update(`uetr ${legId}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
