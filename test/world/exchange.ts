import { readdirSync } from 'node:fs'
import { readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseCsv } from '../../src/foundation/lib/text/csv.ts'
import { readAch } from '../support/ach.ts'
import { readOrders } from '../support/order-bank.ts'
import { receiveOrders } from './actors/order-rails.ts'
import { receiveAgain } from './bank.ts'
import type { Entry, Side } from './books.ts'
import { type AccountRecord, count, digestOf, keep, type World } from './world.ts'

// The file exchange between the service and its bank, with a transfer job that delays, loses and repeats files.

/** The time after its last change at which a file counts as complete: half an hour. */
const QUIET_MS = 30 * 60_000

/** Returns complete files that left the service and that the bank has not fetched, sorted. */
export function waitingFiles({ service: { folder } }: World): string[] {
  return readdirSync(join(folder, 'outbound'))
    .filter((name) => /^[^.].*\.(ach|csv|pdf|xml)$/.test(name))
    .sort()
}

/** Puts a file of the bank into inbound/. */
export async function putInbound(world: World, name: string, content: string | Buffer): Promise<string> {
  const full = `${++world.inboundCount}-${name}`
  return putNamed(world, full, content)
}

export async function putNamed(world: World, name: string, content: string | Buffer): Promise<string> {
  const path = join(world.service.folder, 'inbound', name)
  await writeFile(path, content)
  const at = new Date(world.clock.now().getTime() - QUIET_MS)
  await utimes(path, at, at)
  return name
}

/** Returns files that the service has not read yet. */
export function unreadFiles({ service: { folder } }: World): string[] {
  const all = readdirSync(join(folder, 'inbound'), { withFileTypes: true })
  return all.filter((one) => one.isFile() && !one.name.startsWith('.')).map(({ name }) => name)
}

/** Files of the bank that the service has read or set aside. */
export const readFiles = ({ service }: World): { folder: string; name: string }[] =>
  ['inbound/done', 'inbound/set-aside'].flatMap((own) => {
    const folder = join(service.folder, own)
    return readdirSync(folder).flatMap((name) => (name.endsWith('.report.txt') ? [] : [{ folder, name }]))
  })

/** The service adds a digest to the name of a file that it sets aside. */
export const sentName = (name: string): string => name.replace(/\.[0-9a-f]{16}$/, '')

/** Enters the files that the service has written since the last call into the books. */
export async function seeNewFiles(world: World): Promise<void> {
  for (const name of waitingFiles(world)) {
    if (world.seenFiles.has(name)) continue
    world.seenFiles.add(name)
    const bytes = await readFile(join(world.service.folder, 'outbound', name))
    if (!name.endsWith('.pdf')) world.trace.push(`file ${name} ${digestOf([bytes.toString('latin1')])}`)
    const see = name.endsWith('.ach') ? seeEntries : name.startsWith('orders-') ? seeOrders : null
    if (see) keep('every entry is owed', see(world, { name, bytes, at: await madeAt(world, name) }))
    if (/^(issue|print)-.*\.csv$/.test(name)) keep('every check has one payment', seeChecks(world, bytes.toString()))
    if (/^print-.*\.csv$/.test(name))
      for (const number of numbersOf(bytes.toString()))
        world.mailedChecks.set(number, world.mailedChecks.get(number) ?? false)
  }
}

const DIRECTION = { debit: '7', credit: '2' } as const

/** Makes the service commit a file, read files of the bank, and only then write its file. */
async function madeAt({ deps, clock }: World, name: string): Promise<Date> {
  const [row] = await deps.sql<{ at: Date }[]>`
    select created_at as at from exchanges where name = ${name.replace(/\.\w+$/, '')} and direction = 'out'
  `
  return row?.at ?? clock.now()
}

type NewFile = { name: string; bytes: Buffer; at: Date }

function seeEntries(world: World, { name, bytes, at }: NewFile): string[] {
  return readAch(name, bytes.toString('latin1'))
    .entries.filter(({ description }) => description !== 'ACCTVERIFY')
    .flatMap(({ trace, cents, code, account, effective }) => {
      const deal = world.books.deals.get(cents)
      const isOfPayer = deal && world.accountsOf(deal.payer).has(account)
      const side: Side = code.endsWith(DIRECTION.debit) ? 'debit' : isOfPayer ? 'refund' : 'payout'
      return seeEntry(world, { side, file: name, trace, effective, cents, account, at })
    })
}

/** Orders for wires and real-time payments are entries as well. The bank names them by their EndToEndId. */
const seeOrders = (world: World, { name, bytes, at }: NewFile): string[] =>
  readOrders(bytes.toString()).flatMap(({ endToEndId: trace, cents, payeeAccount: account }) =>
    seeEntry(world, { side: 'payout', file: name, trace, effective: '', cents, account, at }),
  )

type NewEntry = { side: Side; file: string; trace: string; effective: string; cents: number; account: string; at: Date }

/** Enters an entry that the service sent into the books. @returns the promises that it breaks */
export function seeEntry(world: World, { account, at, ...entry }: NewEntry): string[] {
  const { side, file, trace, cents } = entry
  const deal = world.books.deals.get(cents)
  const isKnown = deal && world.accountsOf(side === 'payout' ? deal.payee : deal.payer).has(account)
  const problems = world.books.addEntry(entry, at)
  count(world, `entry ${side}`)
  const correction = world.corrected.get(account)
  const isOfCorrected = deal && correction?.record === accountRecordOf(world, { side, deal })
  if (isOfCorrected && correction.readAt && correction.readAt < at)
    problems.push(`${file} ${trace} goes to a number that the bank corrected`)
  const bankId = deal?.toBankId && world.bankOf.get(account)
  if (side === 'payout' && bankId && bankId !== deal.toBankId)
    problems.push(`${file} ${trace} goes to another bank of the payee`)
  return isKnown ? problems : [...problems, `${file} ${trace}: a ${side} of ${cents} for the account of somebody else`]
}

/** The record that an entry takes its account from. The service corrects each record by the entries that use it. */
export function accountRecordOf({ userOf }: World, { side, deal }: Pick<Entry, 'side' | 'deal'>): AccountRecord {
  const { payer, payee } = deal
  const known = `known to ${(userOf(side === 'payout' ? payee : payer) ?? userOf(payer))?.platform.id}`
  if (side === 'payout') return (userOf(payee) ? null : deal.toBankId) ?? known
  return !deal.debtor && !userOf(payer) ? 'invoice' : known
}

function seeChecks({ books }: World, text: string): string[] {
  const [header, ...rows] = parseCsv(text).rows ?? []
  const at = (column: string) => header?.fields.indexOf(column) as number
  return rows.flatMap(({ fields }) =>
    books.addCheck(Number(fields[at('number')]), Math.round(Number(fields[at('amount')]) * 100)),
  )
}

/** Runs the transfer job. Some files are late or lost. */
export async function transfer(world: World, { isReliable = false } = {}): Promise<string> {
  const { dice, service, lost } = world
  const taken: string[] = []
  for (const name of waitingFiles(world)) {
    if (!isReliable && dice.chance(0.15)) continue
    const path = join(service.folder, 'outbound', name)
    const content = await readFile(path)
    await rename(path, join(service.folder, 'outbound/sent', name))
    if (!isReliable && /\.(ach|xml)$/.test(name) && dice.chance(0.15)) {
      lost.add(name)
      if (dice.chance(0.6)) world.late.set(name, content)
    } else await deliver(world, name, content)
    taken.push(name)
  }
  return `${taken.filter((name) => !name.endsWith('.pdf')).length} files`
}

/** Delivers a file that counted as lost. */
export async function arriveLate(world: World): Promise<string> {
  const name = world.dice.pick([...world.late.keys()])
  const content = name && world.late.get(name)
  if (!content) return 'no file'
  world.late.delete(name)
  await deliver(world, name, content)
  const file = world.bank.get(name)
  if (file) file.isLate = true
  return name
}

/** The bank gets a list of stop orders, or refuses it. After a restore, another list can have the same checks. */
export function noteStop(
  { books, stopLists }: World,
  list: string,
  numbers: readonly number[],
  isStopped: boolean,
): void {
  for (const number of numbers) {
    const check = books.checks.get(number)
    const lists = stopLists.get(number) ?? new Set()
    stopLists.set(number, lists)
    if (isStopped) lists.add(list)
    else lists.delete(list)
    if (check) check.isStopped = lists.size > 0
  }
}

export async function deliver(world: World, name: string, content: Buffer): Promise<void> {
  world.lost.delete(name)
  if (name.startsWith('stop-')) noteStop(world, name, numbersOf(content.toString()), true)
  if (/^print-.*\.csv$/.test(name))
    for (const number of numbersOf(content.toString())) world.mailedChecks.set(number, true)
  if (name.endsWith('.xml')) await receiveOrders(world, name, content.toString())
  if (!name.endsWith('.ach')) return
  const text = content.toString('latin1')
  const known = world.bank.get(name)
  if (known) {
    keep('a file has the same bytes each time', known.content === text ? [] : [name])
    await receiveAgain(world, known)
    return
  }
  const traces = readAch(name, text).entries.map(({ trace }) => trace)
  world.bank.set(name, {
    name,
    content: text,
    traces,
    status: 'received',
    rejected: new Set(),
    isLate: false,
    answers: [],
  })
}

/** Returns the numbers of the checks in a list. */
export function numbersOf(text: string): number[] {
  const [header, ...rows] = parseCsv(text).rows ?? []
  return rows.map(({ fields }) => Number(fields[header?.fields.indexOf('number') as number]))
}
