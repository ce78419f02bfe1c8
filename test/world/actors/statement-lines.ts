import { join } from 'node:path'
import { addDays, formatDate } from '../../../src/foundation/lib/clock.ts'
import { getLine } from '../../../src/money/reconciliation/decision/line-view-actions.ts'
import { operatorBank } from '../../support/paid-lists.ts'
import { bai2Lines } from '../../support/statement-files.ts'
import { remit } from '../operators.ts'
import { count, keep, type Party, type World } from '../world.ts'
import { type Account, balanceOf, FILE_CODES, sendOdd, takeFrom, UNKNOWN_CREDIT } from './statements.ts'

// The operator decides about the lines of statements, and closes months.

const by = { by: 'Ada Lovelace' }
const dollarsOf = (cents: number): string => (cents / 100).toFixed(2)

/** The lines about files, returned entries and checks that contradict what the service has read so far. */
export const listWaitingLines = async ({ deps }: World): Promise<string[]> => {
  const rows = await deps.sql<{ id: string }[]>`
    select l.id
    from bank_cases c
    join statement_lines l on l.id = c.inbound_file_id
    where c.closed_at is null and c.kind = 'line_contradicts' and l.code = any (${FILE_CODES})
  `
  return rows.map(({ id }) => id)
}

/**
 * The operator decides about an unknown line, and sometimes changes the decision.
 *
 * @param given.isAtRest whether the service has read all files of the bank, so that a line about them does not wait for one
 * @returns whether there was one
 */
export async function decideLine(world: World, { isAtRest = false } = {}): Promise<boolean> {
  const { account, dice } = world
  const [line] = await world.deps.sql<{ id: string; cents: number; code: string }[]>`
    select id, cents, code
    from statement_lines
    where status = 'SUSPENSE' and (${isAtRest} or code <> all (${FILE_CODES}))
    order by id
    limit 1
  `
  if (!line) return false
  if (line.code === UNKNOWN_CREDIT && (await matchWithWallet(world, line))) return true
  if (account.reversed.has(Math.abs(line.cents)))
    return remit(world, 'reconcile', ['ignore', line.id], { ...by, why: 'the bank took it back' })
  if (await matchCheck(world, line)) return true
  if (await bookKnown(world, line.id)) return true
  const wrong = account.wrongReturns.get(line.cents)
  if (wrong) return splitReturn(world, { ...wrong, line })
  const decide = () =>
    dice.chance(0.5)
      ? remit(world, 'reconcile', ['ignore', line.id], { ...by, why: 'the bank cannot say what it is' })
      : remit(world, 'reconcile', ['split', line.id], { ...by, part: [`fees=${dollarsOf(line.cents)}`] })
  await remit(world, 'reconcile', ['show', line.id])
  const isDecided = await decide()
  if (dice.chance(0.3) && (await remit(world, 'reconcile', ['undo', line.id], { ...by, why: 'a mistake' })))
    await decide()
  return isDecided
}

/** The operator asks the bank for the number of a check. */
async function matchCheck(world: World, line: { id: string; cents: number }): Promise<boolean> {
  const { account, deps } = world
  const number = account.unnumbered.get(line.cents)
  if (number === undefined) return false
  const [check] = await deps.sql<{ legId: string }[]>`select leg_id from paper_checks where serial = ${number}`
  if (!check || !(await remit(world, 'reconcile', ['match', line.id], { ...by, leg: [check.legId] }))) return false
  count(world, 'check matched by hand')
  return true
}

/** The operator books a payment, a file of the service, or the return of an entry, whose payment a restore lost or forgot for a while. */
async function bookKnown(world: World, lineId: string): Promise<boolean> {
  const { proposals } = await getLine(world.deps, lineId)
  const proposal = proposals.find(
    ({ legIds, parts }) => legIds.length > 0 || parts.some(({ name }) => /^\d{8}-|^lost_payments$/.test(name)),
  )
  if (!proposal) return false
  const { legIds } = proposal
  if (legIds.length > 0) return remit(world, 'reconcile', ['match', lineId], { ...by, leg: [...legIds] })
  const part = proposal.parts.map(({ name, cents }) => `${name}=${dollarsOf(cents)}`)
  return remit(world, 'reconcile', ['split', lineId], { ...by, part })
}

/** The operator takes a credit back that the bank returned with another amount. The bank owes the difference. */
async function splitReturn(
  world: World,
  { line, party, cents }: { line: { id: string; cents: number }; party: Party; cents: number },
): Promise<boolean> {
  const take = await takeFrom(world, party, cents)
  const part = [`${party.walletId}=${dollarsOf(-cents)}`, `bank_errors=${dollarsOf(line.cents + cents)}`]
  const isSplit = await remit(world, 'reconcile', ['split', line.id], { ...by, part })
  if (isSplit) take()
  return isSplit
}

/** The operator finds the wallet of a credit. */
async function matchWithWallet(world: World, line: { id: string; cents: number }): Promise<boolean> {
  const party = world.dice.pick(world.parties()) as Party
  const { walletId } = party
  const flags = { ...by, wallet: walletId }
  if (!(await remit(world, 'reconcile', ['match', line.id], flags))) return false
  world.books.fund(walletId, line.cents)
  world.account.matched.push({ lineId: line.id, party, cents: line.cents, owedCents: 0 })
  return true
}

/** Closes the next month, and sometimes reopens it. */
export async function closeMonth(world: World): Promise<string> {
  const { account, dice, service } = world
  const month = account.openMonth
  const flags = { ...by, month, output: join(service.folder, 'reports') }
  if (!(await remit(world, 'reconcile', ['close'], flags))) return `${month} is open`
  await remit(world, 'reconcile', ['report'], flags)
  if (dice.chance(0.3) && (await remit(world, 'reconcile', ['reopen'], { ...flags, why: 'a line was wrong' })))
    return `${month} is open again`
  account.openMonth = formatDate(addDays(new Date(`${month}-28`), 4)).slice(0, 7)
  const late = { account: operatorBank.accountNumber, openingCents: 100, lines: [], day: `${month}-15` }
  if (dice.chance(0.3)) await sendOdd(world, bai2Lines(late))
  return `${month} is closed`
}

/** The operator takes back how lines book a file, because the bank has taken its movement back. @returns whether there was a line */
export async function forgetFile(world: World, name: string): Promise<boolean> {
  const { sql } = world.deps
  const booked = await sql<{ id: string }[]>`
    select distinct l.id
    from exchanges x
    join ach_entries e on e.file_id = x.id
    join line_postings p on p.platform_id = e.platform_id and p.leg_id = e.leg_id and p.undone_at is null
    join statement_lines l on l.id = p.line_id and l.code in ('142', '451')
    where x.name = ${name}
    order by l.id
  `
  for (const { id } of booked) await remit(world, 'reconcile', ['undo', id], { ...by, why: 'the bank took it back' })
  const waiting = await sql<{ id: string }[]>`
    select id from statement_lines where file_name = ${name} and status = 'SUSPENSE' order by id
  `
  for (const { id } of waiting) await remit(world, 'reconcile', ['ignore', id], { ...by, why: 'the bank took it back' })
  count(world, 'booked and rejected')
  return waiting.length > 0
}

/**
 * The operator takes back that a credit, or the return of one, belongs to a wallet, and then finds that it does. A debt for the return is
 * owed again, except for the part that the wallet has by now.
 */
export async function matchAgain(world: World, lines: Account['matched']): Promise<string> {
  const { books, dice } = world
  const chosen = dice.pick(lines)
  if (!chosen) return 'no new day'
  const { lineId, party, cents } = chosen
  if (cents > 1 && dice.chance(0.5)) return matchInPart(world, chosen)
  const balance = await balanceOf(party)
  if (!(await remit(world, 'reconcile', ['undo', lineId], { ...by, why: 'not sure' }))) return 'the month is closed'
  if (cents < 0) {
    const undone = Math.min(chosen.owedCents, books.owedForWallet(party.name))
    const paid = Math.min(undone, balance)
    chosen.owedCents = undone - paid
    books.fund(party.walletId, -paid)
    if (paid > 0) books.oweForWallet(party.name, -paid)
  }
  const isMatched = await remit(world, 'reconcile', ['match', lineId], { ...by, wallet: party.walletId })
  keep('a line can be matched again', isMatched ? [] : [lineId])
  return `${cents} again to ${party.name}`
}

/** The operator finds that only a part of a credit belongs to a wallet. It pays as much of the debt that undoing the credit leaves. */
async function matchInPart(world: World, chosen: Account['matched'][number]): Promise<string> {
  const { account, books, dice } = world
  const { lineId, party, cents } = chosen
  const take = await takeFrom(world, party, cents)
  if (!(await remit(world, 'reconcile', ['undo', lineId], { ...by, why: 'a part is of somebody else' })))
    return 'the month is closed'
  const owed = take()
  const part = dice.between(1, cents - 1)
  const parts = [`${party.walletId}=${dollarsOf(part)}`, `fees=${dollarsOf(cents - part)}`]
  const isSplit = await remit(world, 'reconcile', ['split', lineId], { ...by, part: parts })
  keep('a credit can be split', isSplit ? [] : [lineId])
  const paid = Math.min(part, owed)
  if (paid > 0) books.oweForWallet(party.name, -paid)
  books.fund(party.walletId, part - paid)
  account.matched.splice(account.matched.indexOf(chosen), 1)
  count(world, `credit in part: owed ${owed > 0}`)
  return `${part} of ${cents} to ${party.name}`
}
