import assert from 'node:assert/strict'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Connection, CurrentConnections } from '../../src/foundation/core/connections.ts'
import type { Deps } from '../../src/foundation/db/deps.ts'
import { inTransaction } from '../../src/foundation/db/transaction.ts'
import { businessDate } from '../../src/foundation/lib/clock.ts'
import { StartProblem } from '../../src/foundation/lib/start-problem.ts'
import { readAnswers, writeOrders } from '../../src/money/iso20022/order/order-worker.ts'
import { post } from '../../src/money/ledger/ledger-actions.ts'
import { payByProcessors } from '../../src/money/payout/payout-worker.ts'
import { exceptionCommand } from '../../src/operation/cli/exception-commands.ts'
import { legHandlers, orderHooks, payoutHooks } from '../../src/operation/scheduler/leg-handlers.ts'
import { createDice, createDiceOf } from '../world/dice.ts'
import { connectionsOf } from './ach.ts'
import type { FileService } from './file-service.ts'
import { isoContract } from './iso-contract.ts'
import { ISO_SCHEMAS, withoutSchemas } from './iso-schemas.ts'
import { newWallet } from './money.ts'
import { temporaryFolder } from './process.ts'
import { createOrderBank } from './quarter-order-bank.ts'
import type { Dice, Pair } from './quarter-people.ts'
import { startProcessors } from './quarter-processors.ts'
import type { BankCase } from './quarter-transport.ts'
import type { TestUser } from './service.ts'
import { createStatementBank } from './statement-bank.ts'
import type { Movement } from './who-gave-who-got.ts'

const RAILS = ['RTP', 'WIRE', 'SWIFT', 'INSTANT', 'INTERAC', 'PAYPAL', 'VENMO'] as const
type OutsideRail = (typeof RAILS)[number]

/** The account that orders debit. Checks and ACH use another one. */
const ORDERS_ACCOUNT = { id: 'operating', routingNumber: '091000019', accountNumber: '4400112233' }

const CARD = '4000056655665556'
const ADDRESS = { line_1: '45 Navy Yard Ave', city: 'Arlington', state: 'VA', zip: '22201' }
const ABROAD = { account: 'DE89370400440532013000', routing: 'COBADEFF', type: 'BUSINESS', name: 'Große Øst GmbH' }

type Given = {
  service: FileService
  deps: Deps
  dice: Dice & { random(): number }
  put(name: string, content: string): Promise<string>
  /** @returns whether Remit sent it */
  remitFiles(words: string[], flags?: object): Promise<boolean>
  /** Everything that waits goes to the bank. */
  carryAll(): Promise<void>
  /** Sends a file again that the bank does not have, and moves it to the bank. @returns whether Remit sent it */
  bringAgain(name: string): Promise<boolean>
  pairs: Pair[]
  payments: { id: string; sender: TestUser }[]
  step(): number
  readStatements(): Promise<void>
  /** Payments whose debit a bank has accepted. */
  fundedPayments(): Promise<ReadonlySet<string>>
}

type Wallet = { id: string; user: TestUser; fundedCents: number }
type KnownLeg = { id: string; paymentId: string; cents: number; fundingKind: string | null; rail: string }

/** Opens the processors, and the connections of all rails. The bank of the first connection also accepts orders. */
export async function openOutside(t: TestContext, { seed, now }: { seed: number; now(): Date }) {
  const dice = { own: createDice(seed + 1), ofCall: (name: string) => createDiceOf(seed, name) }
  let service: FileService | null = null
  const processors = await startProcessors(t, { dice, now, service: () => serviceOf(service) })
  const { validate, schemaFolder } = await openSchemas(t)
  const connectionsFrom = (first: Connection): CurrentConnections =>
    connectionsOf(
      [
        {
          ...first,
          accounts: [...first.accounts, { ...ORDERS_ACCOUNT, type: 'checking', currency: 'USD' }],
          iso20022: isoContract({ schemaFolder, answerHours: 72 }),
        },
        ...processors.connections,
      ],
      {
        ...Object.fromEntries(['ACH', 'MAIL', 'PRINT', 'RTP', 'WIRE', 'SWIFT'].map((rail) => [rail, first.id])),
        ...{ INSTANT: 'cards', INTERAC: 'cards', PAYPAL: 'paypal', VENMO: 'paypal' },
      },
    )
  const begin = (given: Given) => {
    service = given.service
    return createOutside(given, { processors, validate })
  }
  return { connectionsFrom, begin }
}

function serviceOf(service: FileService | null): { baseUrl: string; realClock: { now(): Date } } {
  if (service === null) throw new Error('the service has not begun')
  return { baseUrl: service.baseUrl, realClock: service.deps.realClock }
}

/** The schema of the messages that the bank accepts, in its own folder. */
async function openSchemas(t: TestContext) {
  if (withoutSchemas) return { validate: () => {}, schemaFolder: null }
  const { XmlDocument, XsdValidator } = await import('libxml2-wasm')
  const schemaFolder = await temporaryFolder(t)
  const path = join(schemaFolder, 'pain.001.001.09.xsd')
  await copyFile(join(ISO_SCHEMAS, 'pain.001.001.09.xsd'), path)
  const schema = XmlDocument.fromBuffer(await readFile(path))
  const validator = XsdValidator.fromDoc(schema)
  t.after(() => {
    validator.dispose()
    schema.dispose()
  })
  const validate = (xml: string) => {
    const document = XmlDocument.fromString(xml)
    try {
      validator.validate(document)
    } finally {
      document.dispose()
    }
  }
  return { validate, schemaFolder }
}

type Parties = {
  processors: Awaited<ReturnType<typeof startProcessors>>
  validate(xml: string): void
}

export type Outside = ReturnType<typeof createOutside>

/** Payments over all rails except ACH and paper, with the bank and the processors that carry them. */
function createOutside(given: Given, { processors, validate }: Parties) {
  const { service, deps, dice, put, pairs, payments, step } = given
  const { chance, pick, between } = dice
  service.secrets.add(ORDERS_ACCOUNT.accountNumber)
  service.secrets.add(CARD)

  const bank = createOrderBank({ dice, put, validate, step })
  const books = createStatementBank({
    account: ORDERS_ACCOUNT.accountNumber,
    dice,
    receive: async (name, content) => {
      await put(name, content)
    },
    text: 'WIRE',
    hasCsv: false,
  })
  const wallets: Wallet[] = []
  const accounts = new Map<string, string>()
  /** The legs of the orders that the bank or a processor has, by id. */
  const legs = new Map<string, KnownLeg>()

  async function walletOf({ owner, sender }: Pair): Promise<Wallet> {
    const known = wallets.find(({ user }) => user === sender)
    if (known) return known
    const wallet = { id: await newWallet(sender, 0), user: sender, fundedCents: 1_000_000 }
    await inTransaction(deps, async (tx) => {
      const subject = { platformId: owner.id, paymentId: null }
      await post(tx, subject, 'fund', { cents: wallet.fundedCents, recipientWallet: wallet.id })
    })
    wallets.push(wallet)
    return wallet
  }

  async function accountOf({ recipient, account }: Pair, rail: OutsideRail): Promise<string> {
    if (rail === 'RTP') return account
    const key = `${recipient.id} ${rail}`
    const known = accounts.get(key)
    if (known) return known
    const { status, body, text } = await recipient.post(`/v3/account/${kindOf[rail]}`, accountBody(rail))
    assert.equal(status, 201, text)
    accounts.set(key, body.id)
    return body.id
  }

  async function send(): Promise<void> {
    const pair = pick(pairs) as Pair
    const rail = pick(RAILS) as OutsideRail
    const { status, body } = await pair.sender.post('/v3/check/digital', {
      amount: between(100, 9_999) / 100,
      name: chance(0.3) ? 'Łucja Ørsted' : 'Recipient',
      recipient: { id: pair.recipient.userId, account: await accountOf(pair, rail) },
      ...(rail === 'RTP' && { deposit_options: ['RTP'] }),
      ...(chance(0.8) && { account: (await walletOf(pair)).id }),
      ...(chance(0.3) && { description: 'Invoice 7, 50% <final> & more' }),
    })
    if (status === 201) payments.push({ id: body.id, sender: pair.sender })
  }

  /** Several users pay, so that a message has several orders. */
  async function sendSome(): Promise<void> {
    for (let left = between(1, 4); left > 0; left--) await send()
  }

  /** Voids a payment whose order the bank has. */
  async function recallOne(): Promise<void> {
    const order = pick([...bank.orders.values()].filter(({ state }) => state === 'received'))
    const paymentId = order && legs.get(order.endToEndId)?.paymentId
    const payment = payments.find(({ id }) => id === paymentId)
    if (payment) await payment.sender.del(`/v3/check/${payment.id}`)
  }

  const recentMessages = () => [...bank.messages.values()].slice(-10).filter(({ isUnreadable }) => !isUnreadable)
  const openMessages = () => recentMessages().filter(({ orders }) => orders.some(({ state }) => state === 'received'))

  /**
   * A message reaches the bank twice: on its way, or because the operator sends it again although the bank has it. Its orders are mostly
   * not decided yet, so that a rejection of the copy says nothing about them.
   */
  async function repeatOne(): Promise<void> {
    const seeksOpen = chance(0.8)
    if (seeksOpen && openMessages().length === 0) {
      await sendSome()
      await given.carryAll()
    }
    const open = openMessages()
    const message = pick(seeksOpen && open.length > 0 ? open : recentMessages())
    if (!message) return
    if (chance(0.5)) await bank.receive(`${message.name}.xml`, message.xml)
    else await given.bringAgain(message.name)
  }

  /** The bank cannot read a message and reports it on the phone. Its orders go into another message. */
  async function refuseUnread(): Promise<void> {
    const message = bank.refuseUnread()
    if (message && (await given.remitFiles(['reject', message.name]))) message.isUnreadable = true
  }

  /** Writes the bank's statements of the orders that it executed and of those that it returned. */
  async function writeStatements(): Promise<void> {
    for (const { endToEndId: reference, state, cents } of bank.orders.values()) {
      if (state !== 'executed' && state !== 'returned') continue
      books.book(`order ${reference}`, { cents: -cents, reference, code: '495' })
      if (state === 'returned') books.book(`return ${reference}`, { cents, reference, code: '195' })
    }
    await books.writeStatements(businessDate(deps.clock.now(), deps.settings.timeZone))
    await given.readStatements()
  }

  /** Every call of a connection is later by more than its longest delay after a failure. */
  let realMs = deps.realClock.now().getTime()
  function later(own: Deps): Deps {
    realMs += 2 * 3_600_000
    const now = new Date(realMs)
    return { ...own, realClock: { now: () => now } }
  }

  /** Remit's work for these rails, in order. */
  const passes = (own: Deps): (() => Promise<unknown>)[] => [
    () => readAnswers(own, legHandlers),
    () => writeOrders(own, orderHooks),
    async () => {
      for (let pass = 0; pass < 5 && (await payByProcessors(later(own), payoutHooks)) > 0; pass++);
    },
  ]

  const close = (one: BankCase, note: string) => exceptionCommand({ note }, ['close', one.id])(later(deps))
  const apply = (one: BankCase, values: { code: string; trace?: string[] }) =>
    exceptionCommand({ note: 'by phone', ...values }, ['apply', one.id])(later(deps))

  /**
   * Decides a case about these rails by the answer of the bank or the processor.
   * @returns false if it waits, null if it is not such a case
   */
  async function decide(one: BankCase): Promise<boolean | null> {
    const { kind, legId } = one
    if (kind === 'connection_failing' && one.connectionId !== 'first') return false
    if (kind === 'balance_too_low') return false // It closes when the processor takes the waiting orders.
    if (kind === 'payout_unknown' || kind === 'payout_contradicts') {
      const code = processors.decide(legId as string)
      await apply(one, { code }).catch((error) => {
        if (!(error instanceof StartProblem)) throw error
        return close(one, `the processor says ${code}`)
      })
      return true
    }
    if (kind === 'statement_gap') {
      await books.sendMissing()
      await given.readStatements()
      return true
    }
    if (kind === 'file_unread' || kind === 'entry_unread') return decideDamaged(one)
    if (kind === 'order_unanswered') return decideUnanswered(one)
    const isOfOrder = legId !== null && bank.orders.has(legId)
    if ((kind !== 'order_contradicts' && kind !== 'line_contradicts') || !isOfOrder) return null
    if (bank.isUnreadable(legId)) await close(one, 'the bank does not have the order')
    else await apply(one, { code: bank.decide(legId) ?? 'MS03' })
    return true
  }

  async function decideDamaged(one: BankCase): Promise<boolean | null> {
    const content = bank.damaged.get(one.fileName)
    if (content === undefined) return null
    await put(one.fileName.replace(/^\d+-/, ''), content)
    await close(one, 'the bank sent the right file')
    return true
  }

  /** The operator asks about the first order of a message without a final answer. */
  async function decideUnanswered(one: BankCase): Promise<boolean> {
    const isAtBank = [...bank.messages.values()].some(({ name }) => name === one.fileName)
    if (!isAtBank && (await given.bringAgain(one.fileName))) return true
    const [order] = await deps.sql<{ legId: string }[]>`
      select o.leg_id
      from iso_orders o
      join exchanges x on x.id = o.file_id
      where x.name = ${one.fileName} and o.ended_at is null and o.recalled_at is null
      order by o.leg_id
      limit 1
    `
    assert.ok(order, `${one.fileName} has an order without an answer`)
    await apply(one, { trace: [order.legId], code: bank.decide(order.legId) ?? 'MS03' })
    return true
  }

  type Executed = { reference: string; cents: number; isReturned: boolean }

  /** Every order whose money moved at the bank or at a processor. */
  function* executed(): Iterable<Executed> {
    for (const { endToEndId: reference, state, cents } of bank.orders.values())
      if (state === 'executed' || state === 'returned') yield { reference, cents, isReturned: state === 'returned' }
    for (const { reference, state, cents } of processors.orders.values())
      if (state === 'paid' || state === 'returned') yield { reference, cents, isReturned: state === 'returned' }
  }

  /** Checks that each order of a party belongs to a leg, with its amount, and that an accepted debit paid for it. */
  async function assertSafe(): Promise<void> {
    assert.deepEqual(processors.problems, [])
    const all = new Map<string, { cents: number }>([...bank.orders, ...processors.orders])
    const unknown = [...all.keys()].filter((reference) => !legs.has(reference))
    if (unknown.length === 0) return
    const rows = await deps.sql<KnownLeg[]>`
      select l.id, l.subject_id as payment_id, l.cents, p.funding_kind, l.rail
      from legs l
      join payments p on p.platform_id = l.platform_id and p.id = l.subject_id
      where l.id = any (${unknown}::uuid[])
    `
    const funded = await given.fundedPayments()
    for (const row of rows) {
      legs.set(row.id, row)
      if (row.fundingKind === 'bank') assert.ok(funded.has(row.paymentId), `${row.paymentId} is paid without a debit`)
    }
    for (const reference of unknown)
      assert.equal(legs.get(reference)?.cents, all.get(reference)?.cents, `the amount of the order ${reference}`)
  }

  function* movements(): Iterable<Movement> {
    for (const { reference, cents, isReturned } of executed()) {
      const leg = legs.get(reference)
      if (leg) yield { paymentId: leg.paymentId, reason: 'payout', cents, isReturned }
    }
  }

  /** The bank and the processors decide about all their orders, and report the decisions. */
  async function settle(): Promise<void> {
    processors.setCalm(true)
    processors.settle()
    await bank.settle()
    await writeStatements()
  }

  /** Checks, when nothing is in transit, that the statuses in Remit match those of the bank and the processors. */
  async function assertEnded(sums: ReadonlyMap<string, { payout: number }>): Promise<void> {
    processors.setCalm(false)
    await assertLegs()
    await assertWallets(sums)
    await assertFees()
    assert.equal(books.isMissing(), false)
    assert.equal(
      await books.inLedger(deps, `bank:first:${ORDERS_ACCOUNT.id}`),
      books.balance(),
      'the account of orders',
    )
    const refusals = await deps.sql`select note from exceptions where kind = 'order_refused' and closed_at is null`
    assert.deepEqual([...refusals], [], 'no order is refused')
  }

  async function assertLegs(): Promise<void> {
    const rows = await deps.sql<{ id: string; rail: string; status: string; paymentId: string; payment: string }[]>`
      select l.id, l.rail, l.status, l.subject_id as payment_id, p.status as payment
      from legs l
      join payments p on p.platform_id = l.platform_id and p.id = l.subject_id
      where l.rail = any (${[...RAILS]}::text[])
    `
    const moved = new Map([...executed()].map((one) => [one.reference, one]))
    const wrong = rows.flatMap(({ id, rail, status, paymentId, payment }) => {
      const order = moved.get(id)
      const isPaid = order !== undefined && !order.isReturned
      const isRight = isPaid ? status === 'SETTLED' && payment === 'PAID' : ['RETURNED', 'CANCELLED'].includes(status)
      const party = bank.orders.get(id)?.state ?? processors.orders.get(id)?.state ?? 'no order'
      return isRight ? [] : [`${rail} ${id} of ${paymentId} (${payment}) is ${status}, and its party reports ${party}`]
    })
    assert.deepEqual(wrong, [], 'each leg has the status of the bank or the processor')
  }

  /** Checks that a wallet lacks the money of its paid and waiting payments, and of no others. */
  async function assertWallets(sums: ReadonlyMap<string, { payout: number }>): Promise<void> {
    for (const { id, user, fundedCents } of wallets) {
      const rows = await deps.sql<{ id: string; status: string; cents: number }[]>`
        select id, status, amount_cents as cents from payments where funding_id = ${id}
      `
      const gone = rows.filter(({ status }) => !['VOID', 'EXPIRED', 'REFUNDED'].includes(status))
      const { status, body } = await user.get(`/v3/account/wallet/${id}`)
      const expected = fundedCents - gone.reduce((sum, { cents }) => sum + cents, 0)
      if (status === 200) assert.equal(Math.round(body.balance * 100), expected, `wallet ${id}`)
      const got = rows.filter((one) => one.status === 'FAILED' && (sums.get(one.id)?.payout ?? 0) > 0)
      assert.deepEqual(got, [], 'no payee of a failed payment has its money')
    }
  }

  /** Checks that the ledger has the fees of the processors. */
  async function assertFees(): Promise<void> {
    const rows = await deps.sql<{ legId: string; feeCents: number | null }[]>`select leg_id, fee_cents from payouts`
    const wrong = rows.filter(({ legId, feeCents }) => {
      const order = processors.orders.get(legId)
      return feeCents !== null && feeCents !== order?.feeCents
    })
    assert.deepEqual(wrong, [], 'each fee is that of its processor')
    const [row] = await deps.sql<{ cents: number }[]>`
      select coalesce(sum(case reason when 'payout_fee' then cents else -cents end), 0)::bigint as cents
      from transfers
      where reason in ('payout_fee', 'payout_fee_returned')
    `
    assert.equal(
      row?.cents,
      rows.reduce((sum, { feeCents }) => sum + (feeCents ?? 0), 0),
      'the fees in the ledger',
    )
  }

  const happenings: Record<string, [weight: number, run: () => Promise<unknown>]> = {
    'send over': [7, sendSome],
    recall: [2, recallOne],
    'message repeated': [2, repeatOne],
    orders: [5, () => bank.judge()],
    'order returned': [1, () => bank.returnOne()],
    'message unread': [0.4, refuseUnread],
    processors: [4, () => processors.progress()],
    'statement of orders': [0.6, writeStatements],
  }

  return {
    happenings,
    passes,
    decide,
    receive: (name: string, content: string) => bank.receive(name, content),
    assertSafe,
    movements,
    settle,
    assertEnded,
    counts: () => ({ bank: bank.counts, processors: processors.counts }),
  }
}

const kindOf: Record<Exclude<OutsideRail, 'RTP'>, string> = {
  WIRE: 'wire',
  SWIFT: 'wire',
  INSTANT: 'card',
  INTERAC: 'interac',
  PAYPAL: 'paypal',
  VENMO: 'venmo',
}

let payees = 0

function accountBody(rail: Exclude<OutsideRail, 'RTP'>): object {
  payees++
  switch (rail) {
    case 'WIRE':
      return { account: String(98_000_000 + payees), routing: '021000021', type: 'CHECKING', ...ADDRESS }
    case 'SWIFT':
      return { ...ABROAD, line_1: 'Königsallee 1', city: 'Düsseldorf', zip: '40212' }
    case 'INSTANT':
      return { card_number: CARD, expiration_date: '2099-12', cvv: '123' }
    case 'VENMO':
      return { username: `@payee-${payees}` }
    default:
      return { username: `payee${payees}@example.com` }
  }
}
