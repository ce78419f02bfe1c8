import type { Connection, CurrentConnections } from '../../../src/foundation/core/connections.ts'
import { getBankCases } from '../../../src/foundation/exception/bank-case-actions.ts'
import { connectionsOf } from '../../support/ach.ts'
import { isoContract } from '../../support/iso-contract.ts'
import { sampleTerms } from '../../support/iso-messages.ts'
import { createOrderBank, type OrderAtBank } from '../../support/quarter-order-bank.ts'
import type { Dice } from '../dice.ts'
import { putInbound } from '../exchange.ts'
import { remit } from '../operators.ts'
import { depositPayment, newDeal, order, paymentsOf, voidPayment } from '../people.ts'
import { workAtOnce } from '../work.ts'
import { count, keep, type Party, pickPair, type World } from '../world.ts'
import { processorOfRail } from './processors.ts'
import { attempt } from './requests.ts'
import { stateOrders } from './statements.ts'

// Payments over rails with orders: wires and real-time payments, whose orders the bank executes, rejects, cancels and returns, and payments
// over processors (see processors.ts).

const BANK_RAILS = ['RTP', 'WIRE', 'SWIFT'] as const
const PROCESSOR_RAILS = ['INSTANT', 'INTERAC', 'PAYPAL', 'VENMO'] as const
/** The rails whose bank or processor answers each order. */
export const ORDER_RAILS = [...BANK_RAILS, ...PROCESSOR_RAILS] as const
type AccountRail = Exclude<(typeof ORDER_RAILS)[number], 'RTP'>

export type OrderBank = ReturnType<typeof createOrderBank>

const ANSWER_HOURS = 72

/** The terms for orders in connections.json: right, with a limit below all amounts, or with a name that no message can contain. */
const termsOf = {
  right: sampleTerms,
  low: {
    ...sampleTerms,
    rails: Object.fromEntries(
      Object.entries(sampleTerms.rails).map(([rail, terms]) => [rail, { ...terms, centsPerOrder: 1 }]),
    ),
  },
  unwritable: { ...sampleTerms, initiatingParty: { ...sampleTerms.initiatingParty, name: 'X'.repeat(200) } },
}

export type Terms = { are: keyof typeof termsOf }

/** The bank of the world also accepts orders. They debit the account of the checks. */
export function connectionsWith(
  first: Connection,
  { processors, terms }: { processors: readonly Connection[]; terms: Terms },
): CurrentConnections {
  const rails = {
    ...Object.fromEntries(['ACH', 'MAIL', 'PRINT', ...BANK_RAILS].map((rail) => [rail, first.id])),
    ...processorOfRail,
  }
  const connections = mapValues(termsOf, (own) => {
    const contract = { terms: own, account: 'checks', schemaFolder: null, answerHours: ANSWER_HOURS }
    return connectionsOf([{ ...first, iso20022: isoContract(contract) }, ...processors], rails).current()
  })
  return { current: () => connections[terms.are] }
}

const mapValues = <Key extends string, From, To>(record: Record<Key, From>, change: (one: From) => To) =>
  Object.fromEntries(Object.entries<From>(record).map(([key, one]) => [key, change(one)])) as Record<Key, To>

/** The operator makes a mistake in the terms for orders, or finds it. */
export async function mistakeTerms({ terms, dice }: World): Promise<string> {
  terms.are = terms.are === 'right' ? dice.one(['low', 'unwritable'] as const) : 'right'
  return terms.are
}

export const stepDice = (world: () => World): Pick<Dice, 'chance' | 'pick' | 'between'> => ({
  chance: (probability) => world().dice.chance(probability),
  pick: (list) => world().dice.pick(list),
  between: (from, to) => world().dice.between(from, to),
})

/** Opens the bank's department for orders, which decides with the dice of the current step. Schemas are checked by the tests of messages. */
export const openOrderBank = (world: () => World): OrderBank =>
  createOrderBank({
    dice: stepDice(world),
    put: (name, content) => putAnswer(world(), name, content),
    validate: () => {},
    step: () => world().step,
  })

async function putAnswer(world: World, name: string, content: string): Promise<string> {
  const full = await putInbound(world, name, content)
  world.orderAnswers.set(full, content)
  return full
}

const ADDRESS = { line_1: '45 Navy Yard Ave', city: 'Arlington', state: 'VA', zip: '22201' }

/** An account number in Germany, with its check digits (ISO 13616). */
function ibanOf(number: string): string {
  const own = number.padStart(18, '1')
  const check = 98n - (BigInt(`${own}131400`) % 97n) // D is 13, and E is 14
  return `DE${String(check).padStart(2, '0')}${own}`
}

/** A card number with its check digit (ISO/IEC 7812-1). */
function cardOf(number: string): string {
  const digits = `4000${number}`
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

const kindOfRail: Record<AccountRail, string> = {
  WIRE: 'wire',
  SWIFT: 'wire',
  INSTANT: 'card',
  INTERAC: 'interac',
  PAYPAL: 'paypal',
  VENMO: 'venmo',
}

const ABROAD = { routing: 'COBADEFF', type: 'BUSINESS', line_1: 'Allee 1', city: 'Bonn', zip: '53111' }

/** A new account for a rail: its number or name in orders, and the request that adds it. */
function accountOf(rail: AccountRail, number: string): { account: string; body: object } {
  const named = (account: string, username = account) => ({ account, body: { username } })
  switch (rail) {
    case 'WIRE':
      return { account: number, body: { account: number, routing: '021000021', type: 'CHECKING', ...ADDRESS } }
    case 'SWIFT':
      return { account: ibanOf(number), body: { account: ibanOf(number), ...ABROAD } }
    case 'INSTANT':
      return { account: cardOf(number), body: { card_number: cardOf(number), expiration_date: '2099-12', cvv: '123' } }
    case 'VENMO':
      return named(`payee-${number}`, `@payee-${number}`)
    default:
      return named(`payee${number}@example.com`)
  }
}

/** Returns an account of a user that orders of a rail reach, or null if the user may not add one. */
async function outsideAccountOf(world: World, party: Party, rail: AccountRail): Promise<string | null> {
  const { outsideAccounts, service, bankOf } = world
  const key = `${party.name} ${rail}`
  const known = outsideAccounts.get(key)
  if (known) return known
  const { account, ...request } = accountOf(rail, world.nextNumber())
  const { status, body } = await party.api.post(`/v3/account/${kindOfRail[rail]}`, request.body)
  if (status !== 201) return null
  if (!('username' in request.body)) service.secrets.add(account)
  outsideAccounts.set(key, body.id)
  bankOf.set(account, body.id)
  party.accounts.add(account)
  return body.id
}

/** Some users pay from their wallets over these rails, so that a message has several orders. */
export async function sendOver(world: World): Promise<string> {
  const notes: string[] = []
  for (let left = world.dice.between(1, 3); left > 0; left--) notes.push(await sendOne(world))
  return notes.join(', ')
}

async function sendOne(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  const rail = world.dice.one(ORDER_RAILS)
  const account = rail === 'RTP' ? payee.bankId : await outsideAccountOf(world, payee, rail)
  if (account === null) return `${payee.name} has no account`
  const deal = newDeal(world, payer, payee, { from: 'wallet', fromWallet: payer.walletId, toBankId: account })
  const body = {
    recipient: { id: payee.name, account },
    account: payer.walletId,
    ...(rail === 'RTP' && { deposit_options: ['RTP'] }),
  }
  return `${rail} ${await order(world, { payer, deal, path: '/v3/check/digital', body })}`
}

/** A payee deposits a payment from a wallet into an account that orders reach. */
export async function depositOver(world: World): Promise<string> {
  const { dice } = world
  const payment = dice.pick(
    paymentsOf(world, dice.one([['UNPAID'], ['FAILED']] as const)).filter(({ deal }) => deal.from === 'wallet'),
  )
  const payee = payment && world.userOf(payment.deal.payee)
  if (!payee) return 'no payment'
  const account = await outsideAccountOf(world, payee, dice.one(['WIRE', 'SWIFT', ...PROCESSOR_RAILS] as const))
  return account === null ? 'no account' : depositPayment(world, payment, 'outside', account)
}

/** A user deletes an account that orders reach. The service refuses this while a payment is on its way there. */
export async function dropAccount(world: World): Promise<string> {
  const { outsideAccounts, dice } = world
  const key = dice.pick([...outsideAccounts.keys()])
  const [name, rail] = key?.split(' ') ?? []
  const party = name && world.userOf(name)
  if (!key || !party) return 'no account'
  const path = `/v3/account/${kindOfRail[rail as AccountRail]}/${outsideAccounts.get(key)}`
  const { isDone } = await attempt(world, party.api, 'account deleted', { method: 'del', path })
  if (isDone) outsideAccounts.delete(key)
  return `${key} ${isDone}`
}

/** A sender voids a payment whose order the bank has and has not decided about. */
export async function recallOrder(world: World): Promise<string> {
  const { orderBank, books, dice } = world
  const open = [...orderBank.orders.values()].filter(({ state }) => state === 'received')
  const deal = books.deals.get(dice.pick(open)?.cents ?? 0)
  const [id] = deal ? [...deal.paymentIds].slice(-1) : []
  return deal && id ? voidPayment(world, { id, deal }) : 'no order'
}

/** A message with orders, or a request to call one back, arrives at the bank. */
export async function receiveOrders(world: World, name: string, xml: string): Promise<void> {
  await world.orderBank.receive(name, xml)
  noteOrders(world)
}

/** The state of an entry for each state of its order at the bank. */
const entryStates = {
  received: 'written',
  executed: 'accepted',
  rejected: 'gone',
  canceled: 'gone',
  returned: 'returned',
} as const

/** Enters the bank's decisions into the books. Whether a contested order has moved money is open until the operator has settled it. */
function noteOrders({ orderBank, books, contested }: World): void {
  for (const { name, orders, isUnreadable } of orderBank.messages.values())
    for (const { endToEndId, state } of orders) {
      const entry = books.entryOf(`${name}.xml`, endToEndId)
      const stateOfEntry = isUnreadable || contested.has(endToEndId) ? 'gone' : entryStates[state]
      if (entry && entry.state !== stateOfEntry) entry.state = stateOfEntry
    }
}

/** Describes the orders at the bank, for the trace. */
const summaryOf = ({ orderBank: { counts } }: World): string => Object.values(counts).join(' ')

/** The bank decides about some orders, and sends answers. */
export async function judgeOrders(world: World): Promise<string> {
  await world.orderBank.judge()
  noteOrders(world)
  return summaryOf(world)
}

/** The bank returns the money of an order that it executed. */
export async function returnOrder(world: World): Promise<string> {
  await world.orderBank.returnOne()
  noteOrders(world)
  return summaryOf(world)
}

/**
 * The bank executes an order that it had rejected. It does so while the money is still here, and the service holds it from then on, unless a
 * restore loses this answer.
 */
export async function payRejected(world: World): Promise<string> {
  const { orderBank, books, dice, contested } = world
  const isHere = (cents: number): boolean => {
    const deal = books.deals.get(cents)
    return (
      deal !== undefined &&
      books.statuses.get([...deal.paymentIds].at(-1) ?? '') === 'FAILED' &&
      !books.hasCreditOut(deal)
    )
  }
  const order = dice.pick(
    [...orderBank.orders.values()].filter(
      ({ state, toldCode, cents, endToEndId }) =>
        state === 'rejected' && toldCode === 'RJCT' && !orderBank.isUnreadable(endToEndId) && isHere(cents),
    ),
  )
  if (!order) return 'no order'
  const { endToEndId, cents } = order
  contested.set(endToEndId, { isHeld: false })
  await orderBank.executeRejected(order)
  await workAtOnce(world, ['read answers to orders'])
  const isHeld = (await getBankCases(world.deps)).some(({ legId }) => legId === endToEndId)
  contested.set(endToEndId, { isHeld })
  return `${cents} ${isHeld}`
}

/**
 * The operator records that the bank has executed an order that it had rejected. If its money is not here any more, the bank takes it back
 * from the payee.
 */
async function settleContested(world: World, one: BankCase, order: OrderAtBank): Promise<boolean> {
  const { contested } = world
  const { endToEndId } = order
  const isApplied = await remit(world, 'exceptions', ['apply', one.id], { note: 'by phone', code: 'ACSC' })
  const isHeld = contested.get(endToEndId)?.isHeld
  keep('a rejected order that was executed can be recorded', isApplied || !isHeld ? [] : [`${one.kind}: ${one.note}`])
  count(world, `executed after all: ${isApplied}`)
  contested.delete(endToEndId)
  if (!isApplied) order.state = 'returned'
  noteOrders(world)
  return isApplied || remit(world, 'exceptions', ['close', one.id], { note: 'the bank takes it back' })
}

/** Another copy of a message reaches the bank. */
export async function repeatOrders(world: World): Promise<string> {
  const { orderBank, dice } = world
  const message = dice.pick([...orderBank.messages.values()].slice(-10).filter(({ isUnreadable }) => !isUnreadable))
  if (!message) return 'no message'
  await receiveOrders(world, `${message.name}.xml`, message.xml)
  return message.name
}

/** The bank cannot read a message, and calls the operator. Its orders go into another message. */
export async function refuseOrders(world: World): Promise<string> {
  const message = world.orderBank.refuseUnread()
  if (!message || !(await remit(world, 'files', ['reject', message.name]))) return 'no message'
  message.isUnreadable = true
  noteOrders(world)
  return message.name
}

export type BankCase = Awaited<ReturnType<typeof getBankCases>>[number]

/**
 * Decides a case about an order by the answer of the bank.
 *
 * @returns whether it is decided. Null: it is about something else
 */
export async function decideOrderCase(world: World, one: BankCase): Promise<boolean | null> {
  const { orderBank, orderAnswers, readInPart } = world
  const { kind, legId, fileName } = one
  const sent = orderBank.damaged.get(fileName) ?? (readInPart.has(fileName) && orderAnswers.get(fileName))
  if (sent && (kind === 'file_unread' || kind === 'entry_unread')) {
    await putAnswer(world, fileName.replace(/^\d+-/, ''), sent)
    return remit(world, 'exceptions', ['close', one.id], { note: 'the bank sent the right file' })
  }
  if (kind === 'orders_invalid') {
    world.terms.are = 'right'
    return remit(world, 'exceptions', ['close', one.id], { note: 'connections.json is corrected' })
  }
  if (kind === 'order_unanswered') return decideUnanswered(world, one)
  if (legId === null || !orderBank.orders.has(legId)) return null
  if (kind !== 'order_contradicts' && kind !== 'line_contradicts') return null
  if (orderBank.isUnreadable(legId))
    return remit(world, 'exceptions', ['close', one.id], { note: 'the bank does not have the order' })
  return apply(world, one, { legId })
}

/** Asks the bank about an order on the phone, and applies its answer to a case. */
async function apply(world: World, one: BankCase, { legId, ...flags }: { legId: string; trace?: string[] }) {
  const order = world.orderBank.orders.get(legId)
  if (order?.state === 'executed' && world.contested.has(legId)) return settleContested(world, one, order)
  const code = world.orderBank.decide(legId) ?? 'MS03'
  noteOrders(world)
  const isApplied = await remit(world, 'exceptions', ['apply', one.id], { note: 'by phone', code, ...flags })
  keep('the answer of the bank about an order can be applied', isApplied ? [] : [`${one.kind} ${code}: ${one.note}`])
  count(world, `order by phone: ${code}`)
  return true
}

/** The operator sends a message again that the bank does not have, or asks the bank about an order without a final answer. */
async function decideUnanswered(world: World, one: BankCase): Promise<boolean> {
  const { orderBank, deps } = world
  const isAtBank = [...orderBank.messages.values()].some(({ name }) => name === one.fileName)
  if (!isAtBank && (await remit(world, 'files', ['resend', one.fileName], { yes: true }))) return true
  const [waiting] = await deps.sql<{ legId: string }[]>`
    select o.leg_id
    from iso_orders o
    join exchanges x on x.id = o.file_id
    where x.name = ${one.fileName} and o.ended_at is null and o.recalled_at is null
    order by o.leg_id
    limit 1
  `
  keep('an unanswered message has an order without an answer', waiting ? [] : [one.fileName])
  return waiting ? apply(world, one, { legId: waiting.legId, trace: [waiting.legId] }) : false
}

/** The bank decides about all orders. Some of its decisions are only in a statement. */
export async function settleOrders(world: World): Promise<void> {
  await world.orderBank.settle()
  noteOrders(world)
  await stateOrders(world)
}
