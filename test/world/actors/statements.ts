import { type Connection, STATEMENT_NAMES } from '../../../src/foundation/core/connections.ts'
import { addDays, businessDate, DAY_MS } from '../../../src/foundation/lib/clock.ts'
import { readAch } from '../../support/ach.ts'
import { operatorBank } from '../../support/paid-lists.ts'
import { bai2Lines, camtLines, type SampleLine } from '../../support/statement-files.ts'
import { putInbound } from '../exchange.ts'
import { workAtOnce } from '../work.ts'
import { count, keep, type Party, type World } from '../world.ts'
import { decideLine, matchAgain } from './statement-lines.ts'

// The bank's statements: its movements, credits to wallets, fees, and unknown movements. The operator decides about their lines in
// statement-lines.ts.

export const statementContract: Connection['statements'] = {
  format: null,
  names: STATEMENT_NAMES,
  csv: null,
  rules: [{ text: 'service charge', code: null, sign: 'debit', account: 'fees' }],
}

export const walletNumbers: Connection['virtualAccounts'] = {
  account: 'checks',
  rails: ['ACH', 'WIRE'],
  numbers: { prefix: '9988', length: 12, checkDigit: 'luhn' },
}

/** The bank's books of the operator's account. `waiting`: movements that are booked and not in a statement yet. */
export type Account = {
  balanceCents: number
  lastDay: string
  /** The next month that the operator closes, such as 2026-03. */
  openMonth: string
  booked: Set<string>
  waiting: SampleLine[]
  /** Credits to wallets that were not returned. */
  credits: { party: Party; cents: number; reference: string; at: Date }[]
  /** The movements of files that the bank has booked before it decided about them, by the names of the files. */
  early: Map<string, number>
  /** The numbers of checks in lines without one, by the amounts of the lines. */
  unnumbered: Map<number, number>
  /** The amounts of movements of files that the bank has taken back, because it rejected the files. */
  reversed: Set<number>
  /** Returns of credits with another amount, by this amount. `cents`: the amount of the credit. */
  wrongReturns: Map<number, { party: Party; cents: number }>
  /** Lines that belong to a wallet: credits that the operator matched, and returns. `owedCents`: what the wallet did not have. */
  matched: { lineId: string; party: Party; cents: number; owedCents: number }[]
  /** A statement that the bank sends after later ones. */
  held: { text: string; lines: readonly Movement[] } | null
  count: number
}

export const newAccount = (): Account => ({
  balanceCents: 50_000_000,
  lastDay: '',
  openMonth: '',
  booked: new Set(),
  waiting: [],
  credits: [],
  early: new Map(),
  unnumbered: new Map(),
  reversed: new Set(),
  wrongReturns: new Map(),
  matched: [],
  held: null,
  count: 0,
})

type Movement = { cents: number; reference: string; code: string; text: string }

/** Books a movement once. */
function book({ account }: World, key: string, movement: Movement): void {
  if (account.booked.has(key) || movement.cents === 0) return
  account.booked.add(key)
  account.waiting.push(movement)
}

/** A person without an account pays into a wallet. */
export function credit(world: World, party: Party, cents: number): void {
  const { account, books } = world
  const reference = `IN${++account.count}`
  account.waiting.push({ cents, code: '195', reference, text: `INCOMING WIRE FOR ${party.walletNumber}` })
  account.credits.push({ party, cents, reference, at: world.clock.now() })
  books.fund(party.walletId, cents)
}

/** The code of a credit, including credits that name no wallet. */
export const UNKNOWN_CREDIT = '195'
/** No file has such a sum, so the service does not take the credit for a file. */
const UNKNOWN_FROM_CENTS = 5_000_000

const DAYS = [
  'credit',
  'credit',
  'return',
  'return',
  'fee',
  'stray',
  'unknown',
  'unknown',
  'late',
  'foreign',
  'other',
  'orders',
  'movements',
  'movements',
] as const

/**
 * Writes the statement of a day: credits to wallets and their returns, a fee, an unknown movement, or everything that the bank has done with
 * files and checks. Rarely, the statement comes after later ones, a line has another currency, or it belongs to another account.
 */
export async function bankDay(world: World): Promise<string> {
  const { dice, account } = world
  if (account.held !== null && dice.chance(0.3)) return sendHeld(world)
  if (isWritten(world)) return matchAgain(world, account.matched.slice(-8))
  const what = dice.one(DAYS)
  if (what === 'other') {
    await sendOdd(world, bai2Lines({ account: '777700001', openingCents: 100, lines: [], day: dayOf(world) }))
    return 'another account'
  }
  // Some credits pay for many payments, so that wallets do not run dry.
  if (what === 'credit') credit(world, dice.pick(world.parties()) as Party, world.nextCents() * dice.one([1, 40]))
  if (['fee', 'late', 'foreign'].includes(what))
    account.waiting.push({ cents: -1_500, code: '698', reference: '', text: 'Monthly SERVICE CHARGE' })
  if (what === 'stray')
    account.waiting.push({
      cents: -dice.between(1, 99),
      code: '695',
      reference: `X${++account.count}`,
      text: 'ADJUSTMENT',
    })
  const returned = what === 'return' ? await returnCredit(world) : null
  if (what === 'unknown') {
    const reference = `IN${++account.count}`
    account.waiting.push({
      cents: UNKNOWN_FROM_CENTS + world.nextCents(),
      code: UNKNOWN_CREDIT,
      reference,
      text: 'INCOMING WIRE',
    })
  }
  if (what === 'orders') bookOrders(world)
  if (what === 'movements') bookMovements(world, { isHasty: dice.chance(0.5) })
  count(world, `statement: ${what}`)
  await writeStatement(world, what)
  if (returned) await noteReturn(world, returned)
  if (returned?.owedCents && dice.chance(0.5)) await matchAgain(world, account.matched.slice(-1))
  return `${what}, ${account.balanceCents} cents`
}

type TakenBack = { party: Party; cents: number; owedCents: number }

/**
 * Returns a credit, preferably one that is spent, and rarely with another amount. The holder owes the part that is missing in the wallet.
 * @returns null for another amount
 */
async function returnCredit(world: World): Promise<TakenBack | null> {
  const { account, dice, clock } = world
  const oldest = addDays(clock.now(), -DAYS_TO_RETURN)
  // A credit that no statement shows yet is not in its wallet.
  const waiting = new Set([...account.waiting, ...(account.held?.lines ?? [])].map((one) => one.reference))
  const possible = account.credits.filter((one) => one.at > oldest && !waiting.has(one.reference)).slice(-10)
  const spent: typeof possible = []
  for (const one of possible) if ((await balanceOf(one.party)) < one.cents) spent.push(one)
  const chosen = dice.pick(spent.length > 0 ? spent : possible)
  if (!chosen) return null
  const { party, cents, reference } = chosen
  const wrongBy = dice.chance(0.2) ? WRONG_BY_CENTS + ++account.count : 0
  const line = { cents: -cents - wrongBy, code: '557', reference, text: `RETURN OF CREDIT TO ${party.walletNumber}` }
  account.credits.splice(account.credits.indexOf(chosen), 1)
  account.waiting.push(line)
  if (wrongBy > 0) account.wrongReturns.set(line.cents, { party, cents })
  if (wrongBy > 0) return null
  const take = await takeFrom(world, party, cents)
  return { party, cents, owedCents: take() }
}

/** Notes the line of a return, about which the operator can change its mind. */
async function noteReturn({ account, deps }: World, { party, cents, owedCents }: TakenBack): Promise<void> {
  const [line] = await deps.sql<{ lineId: string }[]>`
    select line_id
    from line_postings
    where wallet_id = ${party.walletId} and part = 'taken_back' and cents = ${-cents} and undone_at is null
    order by created_at desc
    limit 1
  `
  if (line) account.matched.push({ ...line, party, cents: -cents, owedCents })
}

export const balanceOf = async ({ api, walletId }: Party): Promise<number> =>
  Math.round((await api.get(`/v3/account/wallet/${walletId}`)).body.balance * 100)

const WRONG_BY_CENTS = 1_000_000
/** The service recognizes returns of credits of the last 120 days. */
const DAYS_TO_RETURN = 110

/** Reads what a wallet has. @returns a function that takes money out of it in the books, and returns what its holder owes */
export async function takeFrom({ books }: World, party: Party, cents: number): Promise<() => number> {
  const { name, walletId } = party
  const taken = Math.min(cents, await balanceOf(party))
  return () => {
    books.fund(walletId, -taken)
    if (cents > taken) books.oweForWallet(name, cents - taken)
    return cents - taken
  }
}

/** The bank sends a statement that it forgot. */
async function sendHeld(world: World): Promise<string> {
  const { held } = world.account
  world.account.held = null
  if (held) await putInbound(world, 'forgotten.bai', held.text)
  await readStatements(world)
  return 'the forgotten statement'
}

/** Sends a statement that cannot be used. */
export async function sendOdd(world: World, lines: readonly string[]): Promise<void> {
  world.damaged.set(await putInbound(world, 'odd.bai', lines.join('\n')), { damage: 'odd statement', entries: [] })
  await readStatements(world)
}

const dayOf = ({ clock, deps }: World): string => businessDate(clock.now(), deps.settings.timeZone)
const isWritten = (world: World): boolean => world.account.lastDay >= dayOf(world)

/** The last entry of a camt.053, up to its currency. */
const LAST_ENTRY = /(.*<Ntry><Amt Ccy=")USD/s

/**
 * Writes a statement with everything that the bank has booked since the last one. The service reads it at once, sometimes twice. `late`: it
 * comes later. `foreign`: its last line is in euros.
 */
export async function writeStatement(world: World, what: (typeof DAYS)[number] = 'credit'): Promise<void> {
  const { account, dice } = world
  const day = dayOf(world)
  const lines = account.waiting.splice(0)
  const hasCodes = lines.some(({ code }) => [...FILE_CODES, '557', '695'].includes(code))
  const format = what !== 'foreign' && (hasCodes || dice.chance(0.5)) ? bai2Lines : camtLines
  const given = { account: operatorBank.accountNumber, openingCents: account.balanceCents, lines, day }
  const right = format(given).join('\n')
  const text = what === 'foreign' ? right.replace(LAST_ENTRY, '$1EUR') : right
  account.balanceCents += lines.reduce((sum, { cents }) => sum + cents, 0)
  account.lastDay = day
  account.openMonth ||= day.slice(0, 7)
  if (what === 'late' && account.held === null) {
    account.held = { text, lines }
    return
  }
  for (let copy = 0; copy < (dice.chance(0.2) ? 2 : 1); copy++) {
    const name = await putInbound(world, 'day.bai', copy === 0 ? text : `${text}\n`)
    if (what === 'foreign') world.damaged.set(name, { damage: 'foreign currency', entries: [] })
  }
  await readStatements(world)
}

const readStatements = (world: World): Promise<void> =>
  workAtOnce(world, ['read statements', 'match statements', 'read checks of statements'])

/** Books the orders that the bank executed, and those that it returned. */
function bookOrders(world: World): void {
  for (const { endToEndId: reference, state, cents } of world.orderBank.orders.values()) {
    if (state !== 'executed' && state !== 'returned') continue
    book(world, `order ${reference}`, { cents: -cents, reference, code: '495', text: 'WIRE' })
    if (state === 'returned')
      book(world, `return ${reference}`, { cents, reference, code: '195', text: 'RETURN OF WIRE' })
  }
}

/** Sends a statement of the orders if the bank has booked some since the last one. */
export async function stateOrders(world: World): Promise<void> {
  bookOrders(world)
  if (world.account.waiting.length > 0 && !isWritten(world)) await writeStatement(world)
}

/** The code of a line about a check whose number the bank could not read. */
const UNNUMBERED_CHECK = '495'
/** The codes of lines about files, returned entries and checks. The service matches them when it has read the other files of the bank. */
export const FILE_CODES: readonly string[] = ['142', '451', '555', '257', '475']

/** The bank takes the movement of a file back if it has booked one, because it rejects the file. */
export function takeBack({ account }: World, name: string): void {
  const cents = account.early.get(name)
  if (cents === undefined || !account.booked.delete(name)) return
  account.early.delete(name)
  account.reversed.add(Math.abs(cents))
  const code = cents > 0 ? '451' : '142'
  account.waiting.push({ cents: -cents, reference: name.replace(/\.ach$/, ''), code, text: 'ACH FILE REJECTED' })
}

/** Books the effects of the service's files and checks. `isHasty`: also those of files about which the bank has not decided. */
function bookMovements(world: World, { isHasty = false } = {}): void {
  bookOrders(world)
  for (const { name, content, status, rejected } of world.bank.values()) {
    if (status !== 'accepted' && !(isHasty && status === 'received')) continue
    const own = readAch(name, content).entries.filter(({ trace }) => !rejected.has(trace))
    const signed = own.map(({ code, cents, trace }) => ({ cents: code.endsWith('7') ? cents : -cents, trace }))
    const cents = signed.reduce((sum, one) => sum + one.cents, 0)
    if (status === 'received') world.account.early.set(name, cents)
    const code = cents > 0 ? '142' : '451'
    book(world, name, { cents, reference: name.replace(/\.ach$/, ''), code, text: 'ACH' })
    for (const { trace, cents: moved } of signed) {
      const isReturned =
        world.books.entryOf(name, trace)?.state === 'returned' || world.returnedVerifications.has(trace)
      if (!isReturned) continue
      const returnCode = moved > 0 ? '555' : '257'
      book(world, `return ${name} ${trace}`, { cents: -moved, reference: trace, code: returnCode, text: 'ACH RETURN' })
    }
  }
  for (const [number, { paidCents }] of world.books.checks) {
    const key = `check ${number}`
    if (paidCents === null || world.account.booked.has(key)) continue
    const isNumbered = world.dice.chance(0.8)
    const code = isNumbered ? '475' : UNNUMBERED_CHECK
    book(world, key, { cents: -paidCents, reference: isNumbered ? String(number) : '', code, text: 'CHECK PAID' })
    if (!isNumbered) world.account.unnumbered.set(-paidCents, number)
  }
}

/** At rest: every movement of the bank is in a statement, every line is explained, and the ledger has the bank's balance. */
export async function reconcile(world: World): Promise<void> {
  const { deps, account, clock } = world
  await sendHeld(world)
  if (isWritten(world)) clock.advance(DAY_MS / 1_000)
  bookMovements(world)
  await writeStatement(world)
  while (await decideLine(world, { isAtRest: true })) await readStatements(world)
  const open = await deps.sql<{ text: string }[]>`
    select concat_ws(' ', l.cents, l.code, l.status, l.reason) as text
    from statement_lines as l
    join bank_statements as s on s.id = l.statement_id
    where l.status in ('NEW', 'SUSPENSE') and s.status = 'PLACED' -- lines of a repeated statement are never booked
    order by l.id
  `
  keep(
    'every line of a statement is matched or decided',
    open.map(({ text }) => text),
  )
  const [ledger] = await deps.sql<{ cents: number }[]>`
    select coalesce(sum(case when debit like 'bank:%' then cents else -cents end), 0)::bigint as cents
    from transfers
    where debit like 'bank:%' or credit like 'bank:%'
  `
  const isEqual = ledger?.cents === account.balanceCents
  keep('the ledger has the balance of the bank', isEqual ? [] : [`${ledger?.cents}, not ${account.balanceCents}`])
}
