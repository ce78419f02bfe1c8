import { businessDate } from '../../src/foundation/lib/clock.ts'
import { acknowledgment, bankFile, readAch, type SentEntry } from '../support/ach.ts'
import {
  carelessAch,
  carelessAcknowledgment,
  carelessPaidList,
  damagedAch,
  splitEntries,
} from '../support/careless-bank.ts'
import { operatorBank } from '../support/paid-lists.ts'
import { takeBack } from './actors/statements.ts'
import type { Check, Entry } from './books.ts'
import { accountRecordOf, putInbound, putNamed, unreadFiles } from './exchange.ts'
import { type Answer, count, type FileAtBank, type Returned, type World } from './world.ts'

// The bank of the service. It accepts and rejects files, returns and corrects entries, and pays checks. Like those of real banks, its files
// are unusual, late, repeated or damaged.

/** The bank processes one of its files. Its answer can be late, and returns of the file can arrive before the answer. */
export async function judgeFile(world: World): Promise<string> {
  const { dice } = world
  const file = dice.pick([...world.bank.values()].filter(({ status }) => status === 'received'))
  if (!file) return 'no file'
  const isBooked = world.account.early.has(file.name)
  if (dice.chance(file.isLate || isBooked ? 0.5 : 0.12)) {
    reject(world, file)
    await answer(world, { file, change: { status: 'FILE REJECTED', errors: ['FH001-BAD'] } })
    return `${file.name} rejected`
  }
  const rejected = !isBooked && dice.chance(0.2) ? file.traces.filter(() => dice.chance(0.3)) : []
  accept(world, file, rejected)
  const errors = rejected.flatMap((trace) => ['ED012-INVALID', `TRACE NUMBER: ${trace}`])
  const inPart = { status: 'FILE ACCEPTED WITH ITEM LEVEL ERRORS', errors }
  await answer(world, { file, change: rejected.length > 0 ? inPart : {} })
  return `${file.name} accepted without ${rejected.length}`
}

export function accept(world: World, file: FileAtBank, rejected: readonly string[] = []): void {
  file.status = 'accepted'
  file.rejected = new Set(rejected)
  for (const entry of entriesOf(world, file)) entry.state = file.rejected.has(entry.trace) ? 'gone' : 'accepted'
}

function reject(world: World, file: FileAtBank): void {
  file.status = 'rejected'
  takeBack(world, file.name)
  for (const entry of entriesOf(world, file)) entry.state = 'gone'
}

const entriesOf = ({ books }: World, { name, traces }: FileAtBank) =>
  traces.flatMap((trace) => books.entryOf(name, trace) ?? [])

/** Another copy of a file arrives. The bank ignores it if it has accepted the first one, and otherwise processes it like a new file. */
export async function receiveAgain(world: World, file: FileAtBank): Promise<void> {
  count(world, `another copy of a file that is ${file.status}`)
  if (file.status === 'rejected') {
    file.status = 'received'
    for (const entry of entriesOf(world, file)) entry.state = 'written'
  } else if (file.status === 'received' && world.dice.chance(0.5)) {
    // The bank rejects one copy, and decides about the other later.
    await answer(world, { file, change: { status: 'FILE REJECTED', errors: ['FH001-BAD'] } })
  } else await answer(world, { file, change: { status: 'DUPLICATE FILE' } })
}

/** The bank answers now or later. */
async function answer(world: World, one: Answer): Promise<void> {
  if (world.dice.chance(0.3)) world.answersDue.push(one)
  else await sendAnswer(world, one)
}

/** The bank sends its oldest late answers. */
export async function answerLate(world: World, { all = false } = {}): Promise<string> {
  const due = world.answersDue.splice(0, all ? world.answersDue.length : 2)
  for (const one of due) await sendAnswer(world, one)
  return `${due.length} answers`
}

export async function sendAnswer(world: World, { file, change }: Answer): Promise<void> {
  const entries = entriesOf(world, file)
  for (const entry of entries) entry.isAnswered = true
  const believed = entries.filter(({ state, trace }) => state === 'returned' && file.rejected.has(trace))
  const text = acknowledgment(file.content, change)
  for (const name of await putTwice(world, 'ack.txt', () => carelessAcknowledgment(world.dice.random, text))) {
    file.answers.push(name)
    world.returnsIn.set(name, believed)
  }
}

/** Writes a file of the bank, sometimes twice, and then possibly in another encoding. */
async function putTwice(world: World, name: string, write: () => Buffer): Promise<string[]> {
  const names = [await putInbound(world, name, write())]
  if (world.dice.chance(0.1)) names.push(await putInbound(world, name, write()))
  return names
}

const DEBIT_CODES = ['R01', 'R01', 'R09', 'R02', 'R10', 'R11', 'R17', 'R20'] as const
const CREDIT_CODES = ['R03', 'R02', 'R17', 'R23', 'R20', 'R14'] as const
/** The bank does not return entries of older files. */
const FILES_TO_RETURN = 12

/** The bank returns some accepted entries. */
export async function returnEntries(world: World): Promise<string> {
  const { dice, books } = world
  const chosen = sentEntries(world).filter(
    ({ file, entry }) => books.entryOf(file.name, entry.trace)?.state === 'accepted' && dice.chance(0.08),
  )
  if (chosen.length === 0) return 'none'
  const entries = chosen.map(({ file, entry: { trace, cents, code } }): Returned => {
    const own = books.entryOf(file.name, trace)
    if (own) own.state = 'returned'
    answerByReturn(world, file)
    const direction = code.endsWith('7') ? 'debit' : 'credit'
    const returnCode = dice.one(direction === 'debit' ? DEBIT_CODES : CREDIT_CODES)
    count(world, `return ${direction} ${returnCode}`)
    return { code: returnCode, trace, cents, direction, file: file.name }
  })
  for (const part of splitEntries(dice.random, entries)) await sendReturns(world, part)
  return entries.map(({ code, cents }) => `${code} ${cents}`).join(', ')
}

/**
 * A return of one entry says that the bank accepted its file, and not which entries it rejected. The service may read it before an
 * acknowledgment that the bank sent earlier, because applying that one fails for one platform.
 */
export function answerByReturn(world: World, file: FileAtBank): void {
  const unread = unreadFiles(world).filter((name) => file.answers.includes(name))
  for (const entry of entriesOf(world, file)) {
    if (entry.state === 'gone' && (!entry.isAnswered || unread.length > 0)) {
      entry.state = 'returned'
      for (const name of unread) world.returnsIn.set(name, [...(world.returnsIn.get(name) ?? []), entry])
    }
    entry.isAnswered = true
  }
}

export async function sendReturns(world: World, entries: readonly Returned[]): Promise<void> {
  const text = bankFile(entries)
  if (!world.dice.chance(0.15)) {
    for (const name of await putTwice(world, 'returns.ach', () => carelessAch(world.dice.random, text)))
      world.returnsIn.set(name, entries)
    return
  }
  const { content, damage } = damagedAch(world.dice.random, text)
  const name = await putInbound(world, 'returns.ach', content)
  world.damaged.set(name, { damage, entries })
}

/** The bank sends the correct file in place of a damaged one. */
export async function sendRightFile(world: World, entries: readonly Returned[]): Promise<void> {
  const name = await putInbound(world, 'right.ach', carelessAch(world.dice.random, bankFile(entries)))
  world.returnsIn.set(name, entries)
}

type AtBank = { file: FileAtBank; entry: SentEntry }

/** Returns the entries of payments in the files that the bank accepted last, newest last. */
const sentEntries = (world: World): AtBank[] =>
  [...world.bank.values()]
    .filter(({ status }) => status === 'accepted')
    .slice(-FILES_TO_RETURN)
    .flatMap((file) =>
      readAch(file.name, file.content)
        .entries.filter(({ trace, description }) => !file.rejected.has(trace) && description !== 'ACCTVERIFY')
        .map((entry) => ({ file, entry })),
    )

/** The bank corrects the number of an account, at most once for each number. */
export async function correctAccount(world: World): Promise<string> {
  const { books, dice, service } = world
  const chosen = dice.pick(sentEntries(world).slice(-20))
  if (!chosen) return 'no entry'
  const { account, trace, code } = chosen.entry
  const party = [...world.parties(), ...world.strangers].find(({ accounts }) => accounts.has(account))
  if (!party || world.corrected.has(account)) return 'corrected before'
  const to = world.nextNumber()
  service.secrets.add(to)
  party.accounts.add(to)
  world.bankOf.set(to, world.bankOf.get(account) as string)
  const entry = { code: 'C01', trace, cents: 0, corrected: to }
  const text = bankFile([{ ...entry, direction: code.endsWith('7') ? 'debit' : 'credit' }])
  const file = await putInbound(world, 'correction.ach', carelessAch(dice.random, text))
  const record = accountRecordOf(world, books.entryOf(chosen.file.name, trace) as Entry)
  world.corrected.set(account, { file, readAt: null, record })
  return party.name
}

/** Returns checks that somebody may have and that the bank has not paid. */
export const outstandingChecks = ({ books, mailedChecks }: World): [number, Check][] =>
  [...books.checks].filter(
    ([number, { paidCents, isStopped }]) => paidCents === null && !isStopped && (mailedChecks.get(number) ?? true),
  )

/**
 * Some checks are cashed: rarely a stopped one, one that was cashed before, or one with another amount. Like those of banks, the lists
 * overlap.
 */
export async function payChecks(world: World): Promise<string> {
  const { dice, clock, deps } = world
  const some = outstandingChecks(world)
    .filter(() => dice.chance(0.4))
    .slice(0, 3)
  if (some.length === 0) return 'no check'
  const date = businessDate(clock.now(), deps.settings.timeZone)
  for (const [number, check] of some) {
    check.paidCents = check.deal.cents
    world.cashed.push({ account: operatorBank.accountNumber, number, cents: check.deal.cents, date })
  }
  const lines = world.cashed.slice(-some.length - (dice.chance(0.2) ? 2 : 0))
  for (let copy = 0; copy < (dice.chance(0.1) ? 2 : 1); copy++)
    await putNamed(world, `paid-${++world.inboundCount}.csv`, carelessPaidList(dice.random, lines))
  return some.map(([number]) => number).join(', ')
}
