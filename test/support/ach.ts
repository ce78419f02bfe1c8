import { chmod, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckLayout } from '../../src/foundation/core/check-layout.ts'
import type { Connection, Connections } from '../../src/foundation/core/connections.ts'
import type { OperatorBank } from '../../src/foundation/core/environment.ts'
import type { Pool } from '../../src/foundation/db/connect.ts'
import type { Deps } from '../../src/foundation/db/deps.ts'
import type { NachaOrigin } from '../../src/money/ach/format/nacha-origin-rules.ts'
import { exchangeBankFiles, followBankFiles } from '../../src/operation/scheduler/bank-file-work.ts'
import { layouts } from './check-layouts.ts'

/** The company and its bank in tests. */
export const origin: NachaOrigin = {
  immediateDestination: '091000019',
  immediateDestinationName: 'FIRST BANK',
  immediateOrigin: '1840275936',
  immediateOriginName: 'REMIT INC',
  companyName: 'REMIT INC',
  companyId: '1840275936',
  odfiRoutingNumber: '091000019',
  settlementAccount: null,
}

export type Acknowledged = { ach: 'required' | 'none'; paper: 'required' | 'none' }

type Given = {
  statements?: Connection['statements']
  virtualAccounts?: Connection['virtualAccounts']
  folder: string
  id?: string
  origin?: NachaOrigin
  acknowledgements?: Acknowledged
  layout?: CheckLayout
  operatorBank?: OperatorBank | null
}

/** A connection with an exchange folder, to a bank that sends no acknowledgments, unless the test overrides it. */
export function connection({ folder, id = 'first', origin: own = origin, ...given }: Given): Connection {
  const { acknowledgements = { ach: 'none', paper: 'none' }, operatorBank = null } = given
  const { layout = layouts['csv-with-headings'] } = given
  const { settlementAccount } = own
  const account = { type: 'checking', currency: 'USD' } as const
  return {
    id,
    transport: { type: 'folder', path: folder },
    timeZone: 'America/Los_Angeles',
    holidays: [],
    expected: null,
    accounts: [
      ...(settlementAccount
        ? [{ ...account, ...settlementAccount, id: 'settlement', type: settlementAccount.kind }]
        : []),
      ...(operatorBank ? [{ ...account, ...operatorBank, id: 'checks' }] : []),
    ],
    ach: {
      destination: own.immediateDestination,
      destinationName: own.immediateDestinationName,
      origin: own.immediateOrigin,
      originName: own.immediateOriginName,
      companyName: own.companyName,
      companyId: own.companyId,
      odfiRoutingNumber: own.odfiRoutingNumber,
      windows: ['14:00', '17:00'],
      timeZone: 'America/Los_Angeles',
      acknowledgements: acknowledgements.ach,
      balancingAccount: settlementAccount ? 'settlement' : null,
      limits: { entriesPerFile: null, centsPerFile: null, centsPerDay: null },
    },
    checks: operatorBank && {
      account: 'checks',
      companyName: operatorBank.companyName,
      bankName: operatorBank.bankName,
      fractionalRouting: operatorBank.fractionalRouting,
      firstCheckNumber: operatorBank.firstCheckNumber,
      acknowledgements: acknowledgements.paper,
      layout,
    },
    iso20022: null,
    statements: given.statements ?? null,
    virtualAccounts: given.virtualAccounts ?? null,
    processor: null,
  }
}

/** Connections. The first carries all rails unless the test overrides it. */
export const connectionsOf = (
  all: readonly [Connection, ...Connection[]],
  rails: Connections['rails'] = { ACH: all[0].id, MAIL: all[0].id, PRINT: all[0].id },
): { current(): Connections } => {
  const connections = { all, rails, keepBytesDays: 400 }
  return { current: () => connections }
}

/** Returns the dependencies of a service with a changed first connection. */
export function withConnection(deps: Deps, change: (connection: Connection) => Connection): Deps {
  const { all, ...others } = deps.connections.current()
  const [first, ...rest] = all as [Connection, ...Connection[]]
  const changed = { ...others, all: [change(first), ...rest] }
  return { ...deps, connections: { current: () => changed } }
}

/** A connection whose checks are drawn on another account of the operator. */
export const drawnOn = (one: Connection, operatorBank: OperatorBank): Connection => ({
  ...one,
  accounts: [
    ...one.accounts.filter(({ id }) => id !== 'checks'),
    { ...operatorBank, id: 'checks', type: 'checking', currency: 'USD' },
  ],
  checks: one.checks && { ...one.checks, ...operatorBank },
})

/** Production without its requirements for senders. */
export const fileSettings = {
  railNetwork: 'file' as const,
  microDepositCents: [7, 15] as const,
  mustBeVerified: false,
  limits: null,
  signatureAboveCents: null,
}

type Lifetime = { after(end: () => Promise<void>): void }

/** A folder for bank files, deleted after the test. */
export async function achFolder(t: Lifetime): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'remit-ach-'))
  await chmod(folder, 0o700)
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export type SentEntry = {
  file: string
  sec: string
  description: string
  effective: string
  code: string
  routing: string
  account: string
  cents: number
  id: string
  name: string
  trace: string
  addenda: string | null
}

export type SentFile = { name: string; modifier: string; entries: SentEntry[]; debits: number; credits: number }

/**
 * Parses a file by the positions of Appendix Three, independently of the program. Verifies all totals and throws if one
 * is wrong.
 */
export function readAch(name: string, text: string): SentFile {
  const lines = text.split('\r\n')
  if (lines.pop() !== '') throw new Error(`${name}: the last line has no end`)
  const must = (isTrue: boolean, what: string) => {
    if (!isTrue) throw new Error(`${name}: ${what}`)
  }
  must(lines.length % 10 === 0, 'blocks of ten')
  must(
    lines.every((line) => /^[ -~]{94}$/.test(line)),
    'lines of 94 ASCII characters',
  )
  const cut = (line: string, first: number, last: number) => line.substring(first - 1, last)
  const entries: SentEntry[] = []
  const total = { count: 0, hash: 0, debits: 0, credits: 0, batches: 0 }
  let batch = { header: '', count: 0, hash: 0, debits: 0, credits: 0, trace: '' }
  let end = -1
  for (const [index, line] of lines.entries()) {
    const type = line.charAt(0)
    if (index === 0) must(line.startsWith('101 ') && cut(line, 35, 40) === '094101', 'a header')
    else if (end !== -1) must(line === '9'.repeat(94), 'nines at the end')
    else if (type === '5') batch = { header: line, count: 0, hash: 0, debits: 0, credits: 0, trace: '' }
    else if (type === '6') {
      const code = cut(line, 2, 3)
      const cents = Number(cut(line, 30, 39))
      const isCredit = Number(code.charAt(1)) < 5
      const entry = {
        file: name,
        sec: cut(batch.header, 51, 53),
        description: cut(batch.header, 54, 63).trim(),
        effective: cut(batch.header, 70, 75),
        code,
        routing: cut(line, 4, 12),
        account: cut(line, 13, 29).trim(),
        cents,
        id: cut(line, 40, 54).trim(),
        name: cut(line, 55, 76).trim(),
        trace: cut(line, 80, 94),
        addenda: null,
      }
      entries.push(entry)
      must(entry.trace > batch.trace, 'trace numbers ascend')
      batch.trace = entry.trace
      batch.count++
      batch.hash += Number(cut(line, 4, 11))
      batch.debits += isCredit ? 0 : cents
      batch.credits += isCredit ? cents : 0
    } else if (type === '7') {
      const entry = entries.at(-1) as SentEntry
      must(cut(line, 88, 94) === entry.trace.slice(8), 'the addenda are of the entry')
      entry.addenda = cut(line, 4, 83).trim()
      batch.count++
    } else if (type === '8') {
      must(Number(cut(line, 5, 10)) === batch.count, 'the count of a batch')
      must(Number(cut(line, 11, 20)) === batch.hash % 1e10, 'the hash of a batch')
      must(Number(cut(line, 21, 32)) === batch.debits, 'the debits of a batch')
      must(Number(cut(line, 33, 44)) === batch.credits, 'the credits of a batch')
      must(Number(cut(line, 88, 94)) === ++total.batches, 'the number of a batch')
      total.count += batch.count
      total.hash += batch.hash
      total.debits += batch.debits
      total.credits += batch.credits
    } else if (type === '9') {
      end = index
      must(Number(cut(line, 2, 7)) === total.batches, 'the count of batches')
      must(Number(cut(line, 8, 13)) === lines.length / 10, 'the count of blocks')
      must(Number(cut(line, 14, 21)) === total.count, 'the count of the file')
      must(Number(cut(line, 22, 31)) === total.hash % 1e10, 'the hash of the file')
      must(Number(cut(line, 32, 43)) === total.debits, 'the debits of the file')
      must(Number(cut(line, 44, 55)) === total.credits, 'the credits of the file')
    } else must(false, `line ${index + 1} begins with ${type}`)
  }
  must(end !== -1, 'truncated')
  must(new Set(entries.map(({ trace }) => trace)).size === entries.length, 'each trace number comes once')
  return { name, modifier: cut(lines[0] as string, 34, 34), entries, debits: total.debits, credits: total.credits }
}

/** Returns every ACH file in outbound/ and outbound/sent/, as an uploader sees them, sorted by name. */
export async function readOutbound(folder: string): Promise<SentFile[]> {
  const files: SentFile[] = []
  for (const place of ['outbound', 'outbound/sent']) {
    const all = await readdir(join(folder, place), { withFileTypes: true })
    for (const { name } of all.filter((one) => one.isFile() && /^[^.].*\.ach$/.test(one.name))) {
      files.push(readAch(name, await readFile(join(folder, place, name), 'latin1')))
    }
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Moves all files to outbound/sent/. @returns their names */
export async function upload(folder: string, pattern = /\.ach$/): Promise<string[]> {
  const all = await readdir(join(folder, 'outbound'), { withFileTypes: true })
  const names = all.filter((one) => one.isFile() && !one.name.startsWith('.')).map(({ name }) => name)
  const taken = names.filter((name) => pattern.test(name))
  for (const name of taken) await rename(join(folder, 'outbound', name), join(folder, 'outbound/sent', name))
  return taken
}

/** An entry from the bank: a return, or a notification of change with the corrected data. */
export type BankEntry = {
  code: string
  trace: string
  direction: 'debit' | 'credit'
  cents: number
  corrected?: string
  name?: string
  /** The receiving bank in the addenda record of a return. By default the bank that the tests send to. */
  rdfi?: string
  account?: string
}

let bankFileCount = 0

/** A file from the bank, by the positions of Appendix Four. */
export function bankFile(entries: readonly BankEntry[], { companyId = '1840275936' } = {}): string {
  const number = (value: number | string, length: number) => String(value).padStart(length, '0')
  const left = (text: string, length: number) => text.padEnd(length)
  const lines = [
    `1011840275936 09100001926${number((++bankFileCount % 12) + 1, 2)}${number((bankFileCount % 28) + 1, 2)}${number(bankFileCount % 2400, 4)}A094101${left('REMIT INC', 23)}${left('FIRST BANK', 23)}${left('', 8)}`,
    `5200${left('REMIT INC', 36)}${companyId}${entries.every(({ corrected }) => corrected) ? 'COR' : 'PPD'}${left('PAYMENT', 16)}2603030621021000020000001`,
  ]
  const sums = { debit: 0, credit: 0 }
  for (const [index, entry] of entries.entries()) {
    const { code, trace, direction, cents, corrected, name = '', rdfi = '02100002', account = '****' } = entry
    const own = `02100002${number(index + 1, 7)}`
    const data = corrected === undefined ? left('', 44) : left(left(corrected, 29), 44)
    lines.push(
      `6${direction === 'debit' ? '26' : '21'}091000019${left(account, 17)}${number(cents, 10)}${left('', 15)}${left(name, 24)}1${own}`,
      `7${corrected === undefined ? '99' : '98'}${code}${trace}${left('', 6)}${rdfi}${data}${own}`,
    )
    sums[direction] += cents
  }
  const totals = (countLength: number) =>
    number(entries.length * 2, countLength) +
    number((entries.length * 9_100_001) % 1e10, 10) +
    number(sums.debit, 12) +
    number(sums.credit, 12)
  lines.push(`8200${totals(6)}${companyId}${left('', 25)}021000020000001`)
  const blocks = Math.ceil((lines.length + 1) / 10)
  lines.push(`9000001${number(blocks, 6)}${totals(8)}${left('', 39)}`)
  while (lines.length % 10 !== 0) lines.push('9'.repeat(94))
  return lines.map((line) => `${line}\n`).join('')
}

/** The real clock of a test may have stopped when its file was loaded, minutes ago on a busy machine. */
const HALF_HOUR_MS = 30 * 60_000

/** Writes a file to inbound/ with a modification time of half an hour ago. */
export async function putInbound(folder: string, name: string, content: string | Buffer): Promise<void> {
  const path = join(folder, 'inbound', name)
  await writeFile(path, content)
  const at = new Date(Date.now() - HALF_HOUR_MS)
  await utimes(path, at, at)
}

/** Creates payments of the given cents, as copies of a one-cent payment whose debit waits for a file. */
export async function copyPayments(
  sql: Pool,
  { fromCents, toCents }: { fromCents: number; toCents: number },
): Promise<void> {
  for (let from = fromCents; from <= toCents; from += COPIES_PER_STATEMENT) {
    await copySome(sql, { fromCents: from, toCents: Math.min(toCents, from + COPIES_PER_STATEMENT - 1) })
  }
}

/** Keeps statements below the limit of 10 s, even on a busy machine. */
const COPIES_PER_STATEMENT = 1_000

async function copySome(sql: Pool, { fromCents, toCents }: { fromCents: number; toCents: number }): Promise<void> {
  await sql`
    with copies as (
      select
        to_jsonb(p) || jsonb_build_object(
          'id', md5('p' || n)::uuid, 'amount_cents', n, 'number', n::text, 'status', 'IN_PROCESS'
        ) as payment,
        to_jsonb(l) || jsonb_build_object(
          'id', md5('l' || n)::uuid, 'subject_id', md5('p' || n)::uuid, 'cents', n, 'status', 'WAITING',
          'file_at', l.created_at, 'next_event', null, 'next_at', null, 'sent_at', null
        ) as leg
      from legs l
      join payments p on p.platform_id = l.platform_id and p.id = l.subject_id
      cross join generate_series(${fromCents}::integer, ${toCents}::integer) n
      where l.purpose = 'payment_pull' and l.cents = 1
    ),
    payments_made as (
      insert into payments select row.* from copies cross join jsonb_populate_record(null::payments, payment) row
    )
    insert into legs select row.* from copies cross join jsonb_populate_record(null::legs, leg) row
  `
}

/** Runs all of the worker's steps for committed files until nothing is left. */
export async function exchange(deps: Deps): Promise<void> {
  while ((await exchangeBankFiles(deps)) + (await followBankFiles(deps)) > 0);
}

/** The status of every bank file, by name. */
export async function fileStatuses(sql: Pool): Promise<Record<string, string>> {
  const rows = await sql<
    { name: string; status: string }[]
  >`select name, status from exchanges where direction = 'out' order by number`
  return Object.fromEntries(rows.map(({ name, status }) => [name, status]))
}

/** An acknowledgment by the Federal Reserve for one of our files, as the bank forwards it. */
export function acknowledgment(
  content: string,
  change: {
    status?: string
    errors?: readonly string[]
    totals?: false
    batchCount?: number
    entryCount?: number
    debitCents?: number
    creditCents?: number
    modifier?: string
    origin?: string
    time?: string
  } = {},
): string {
  const lines = content.split('\r\n')
  const header = lines[0] as string
  const control = lines.find((line) => line.startsWith('9')) as string
  const number = (first: number, last: number) => Number(control.slice(first - 1, last))
  const dollars = (cents: number) => (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })
  const date = `${header.slice(25, 27)}/${header.slice(27, 29)}/${header.slice(23, 25)}`
  return [
    '****** ACKNOWLEDGEMENT OF ACH FILE DEPOSITS ******',
    `FILE STATUS: ${change.status ?? 'FILE ACCEPTED WITH NO ERRORS'}`,
    `IMMEDIATE ORIGIN: ${change.origin ?? header.slice(13, 23).trim()}       IMMEDIATE DESTINATION: ${header.slice(3, 13).trim()}`,
    `FILE CREATION DATE: ${date}  FILE CREATION TIME: ${change.time ?? '14:00'}   FILE ID MODIFIER: ${change.modifier ?? header.charAt(33)}`,
    ...(change.totals === false
      ? []
      : [
          ` BATCHES: ${change.batchCount ?? number(2, 7)}        DEBITS:  $ ${dollars(change.debitCents ?? number(32, 43))}`,
          ` ENTRY/ADDENDA: ${change.entryCount ?? number(14, 21)}  CREDITS: $ ${dollars(change.creditCents ?? number(44, 55))}`,
        ]),
    ...(change.errors ?? []),
    '************************** END OF ACKNOWLEDGEMENT *************************',
    '',
  ].join('\n')
}
