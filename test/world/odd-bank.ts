import { businessDate } from '../../src/foundation/lib/clock.ts'
import { readAch } from '../support/ach.ts'
import { carelessPaidList } from '../support/careless-bank.ts'
import { operatorBank } from '../support/paid-lists.ts'
import { sendReturns } from './bank.ts'
import { putNamed } from './exchange.ts'
import type { World } from './world.ts'

// Rare events at banks: they return the micro-deposits that verify an account, and pay a check with another amount.

/** The bank returns a micro-deposit, each at most once. */
export async function returnVerification(world: World): Promise<string> {
  const { bank, dice, returnedVerifications: returned } = world
  const sent = [...bank.values()]
    .filter(({ status }) => status === 'accepted')
    .slice(-6)
    .flatMap((file) => readAch(file.name, file.content).entries.map((entry) => ({ file, entry })))
    .filter(({ file, entry: { description, code, trace } }) => {
      const isCredit = description === 'ACCTVERIFY' && !code.endsWith('7')
      return isCredit && !file.rejected.has(trace) && !returned.has(trace)
    })
  const chosen = dice.pick(sent)
  if (!chosen) return 'no deposit'
  const { file, entry } = chosen
  const { trace, cents } = entry
  returned.add(trace)
  await sendReturns(world, [{ code: 'R03', trace, cents, direction: 'credit', file: file.name }])
  return `${cents} of ${file.name}`
}

const WRONG_BY_CENTS = 10_000_000

/** The bank pays a check with a wrong amount. It owes the difference, and the payee has the money. */
export async function payOtherAmount(world: World): Promise<string> {
  const { dice, books, clock, deps, stoppedChecks } = world
  const open = [...books.checks].filter(([number, { paidCents }]) => paidCents === null && !stoppedChecks.has(number))
  const chosen = dice.pick(open)
  if (!chosen) return 'no check'
  const [number, check] = chosen
  check.paidCents = check.deal.cents
  const date = businessDate(clock.now(), deps.settings.timeZone)
  const line = { account: operatorBank.accountNumber, number, cents: check.deal.cents + WRONG_BY_CENTS, date }
  const name = `paid-${++world.inboundCount}.csv`
  world.contradictions.add(await putNamed(world, name, carelessPaidList(dice.random, [line])))
  return `${number}`
}
