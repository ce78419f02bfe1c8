import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { businessDate } from '../../src/foundation/lib/clock.ts'
import { bankFile, readAch } from '../support/ach.ts'
import { carelessAch, carelessPaidList } from '../support/careless-bank.ts'
import { operatorBank } from '../support/paid-lists.ts'
import { answerByReturn, outstandingChecks, sendReturns } from './bank.ts'
import { putInbound, putNamed, readFiles, sentName } from './exchange.ts'
import { count, type World } from './world.ts'

// Rare events at banks: they return the micro-deposits that verify an account, dispute a return, send a correction without a value, pay a
// check with another amount, and send old files again.

/** The bank returns a micro-deposit or its debit, each at most once. */
export async function returnVerification(world: World): Promise<string> {
  const { bank, dice, returnedVerifications: returned } = world
  const sent = [...bank.values()]
    .filter(({ status }) => status === 'accepted')
    .slice(-6)
    .flatMap((file) => readAch(file.name, file.content).entries.map((entry) => ({ file, entry })))
    .filter(
      ({ file, entry: { description, trace } }) =>
        description === 'ACCTVERIFY' && !file.rejected.has(trace) && !returned.has(trace),
    )
  const chosen = dice.pick(sent)
  if (!chosen) return 'no deposit'
  const { file, entry } = chosen
  const { trace, cents, code } = entry
  const direction = code.endsWith('7') ? 'debit' : 'credit'
  returned.add(trace)
  answerByReturn(world, file)
  await sendReturns(world, [{ code: 'R03', trace, cents, direction, file: file.name }])
  return `${direction} of ${cents} in ${file.name}`
}

/** The bank sends a file again that the service has read, perhaps long ago. */
export async function repeatFile(world: World): Promise<string> {
  const { dice, damaged, contradictions, orderAnswers, returnsIn, orderBank } = world
  const numberOf = (name: string) => Number(/\d+/.exec(name)?.[0])
  const files = readFiles(world)
    .filter(({ name }) => !name.startsWith('mail-')) // a copy of a piece of mail is another check
    .sort((a, b) => numberOf(a.name) - numberOf(b.name))
  const chosen = dice.pick(dice.chance(0.5) ? files.slice(-20) : files)
  if (!chosen) return 'no file'
  const name = sentName(chosen.name)
  const content = await readFile(join(chosen.folder, chosen.name))
  const number = ++world.inboundCount
  const copy = await putNamed(world, name.replace(/\d+/, String(number)), content)
  for (const known of [damaged, contradictions, orderAnswers, returnsIn, orderBank.damaged] as Map<string, unknown>[])
    if (known.has(name)) known.set(copy, known.get(name))
  count(world, `another copy of ${name.replace(/\d+/, 'a')}`)
  return `${name} as ${copy}`
}

/** The bank disputes a return that the service has read, or sends a correction without a usable number. The operator asks it. */
export async function sendOddEntry(world: World): Promise<string> {
  const { books, dice } = world
  const entries = [...books.deals.values()].flatMap((deal) => books.entriesOfDeal(deal)).slice(-40)
  const isDispute = dice.chance(0.5)
  const entry = dice.pick(
    entries.filter(({ state, returnReadAt }) => (isDispute ? returnReadAt !== null : state === 'accepted')),
  )
  if (!entry) return 'no entry'
  const { trace, side, deal } = entry
  const direction = side === 'debit' ? 'debit' : 'credit'
  const odd = isDispute
    ? { code: 'R68', cents: deal.cents }
    : { code: 'C01', cents: 0, corrected: dice.one(['', '123', '1--3']) }
  const name = await putInbound(world, 'odd.ach', carelessAch(dice.random, bankFile([{ ...odd, trace, direction }])))
  world.damaged.set(name, { damage: odd.code, entries: [] })
  count(world, `odd entry ${odd.code}`)
  return `${odd.code} of ${deal.cents}`
}

const WRONG_BY_CENTS = 10_000_000

/** The bank pays a check with a wrong amount. It owes the difference, and the payee has the money. */
export async function payOtherAmount(world: World): Promise<string> {
  const { dice, clock, deps } = world
  const chosen = dice.pick(outstandingChecks(world))
  if (!chosen) return 'no check'
  const [number, check] = chosen
  check.paidCents = check.deal.cents
  const date = businessDate(clock.now(), deps.settings.timeZone)
  const line = { account: operatorBank.accountNumber, number, cents: check.deal.cents + WRONG_BY_CENTS, date }
  const name = `paid-${++world.inboundCount}.csv`
  world.contradictions.set(await putNamed(world, name, carelessPaidList(dice.random, [line])), check.deal.cents)
  return `${number}`
}
