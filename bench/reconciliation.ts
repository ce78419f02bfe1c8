import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { STATEMENT_NAMES } from '../src/foundation/core/connections.ts'
import { connect } from '../src/foundation/db/connect.ts'
import type { Deps } from '../src/foundation/db/deps.ts'
import { readStatementFile } from '../src/money/reconciliation/statement-file-actions.ts'
import { matchBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { bai2Lines, type SampleLine } from '../test/support/statement-files.ts'
import { startServer } from './support/database.ts'
import { install, withDatabase } from './support/service.ts'

// npm run bench-reconciliation: reads a statement and matches its lines against open legs. Of 20 lines, 19 name a leg. Prints seconds for each
// number of open legs. --sizes LEGSxLINES,…

const { values: flags } = parseArgs({
  options: { sizes: { type: 'string', default: '10000x10000,100000x100000,1000000x10000' } },
})

const ACCOUNT = '123456789'
const LEGS_PER_FILE = 10_000
const PLATFORM = '019cd46650687727a114d44fe4d00850'

const trace = (number: number): string => `09100001${String(number).padStart(7, '0')}`

/** Inserts debits that are at the bank, 10,000 in a file. */
async function fillLegs({ sql }: Deps, legs: number): Promise<void> {
  for (let first = 1; first <= legs; first += LEGS_PER_FILE) {
    const number = Math.ceil(first / LEGS_PER_FILE)
    const last = Math.min(legs, first + LEGS_PER_FILE - 1)
    const [file] = await sql<{ id: string }[]>`
      insert into exchanges (
        id, connection_id, direction, number, kind, name, status, digest, byte_count, created_at, published_at, transmitted_at, ended_at
      )
      values (gen_random_uuid(), 'first', 'out', ${number}, 'ach', ${`bench-${number}`}, 'ACCEPTED', '', 0, '2026-03-03', '2026-03-03', '2026-03-03', '2026-03-03')
      returning id
    `
    const id = file?.id as string
    await sql`
      insert into ach_files (id, creation_date, modifier, effective_date, company_id, sent_before, entry_count, debit_cents, credit_cents)
      values (${id}, '2026-03-03'::date - ${number}::integer, 'A', '2026-03-04', '1840275936', ${first}, ${last - first + 1}, 1, 1)
    `
    await sql`
      with made as (
        insert into legs (
          platform_id, id, purpose, subject_id, user_id, account_id, rail, direction, cents, status, created_at, connection_id, sent_at
        )
        select ${PLATFORM}, md5('leg' || n)::uuid, 'payment_pull', md5('payment' || n)::uuid, ${PLATFORM}, ${PLATFORM}, 'ACH', 'debit',
          100 + n % 99991, 'ACCEPTED', '2026-03-03', 'first', '2026-03-03'
        from generate_series(${first}::integer, ${last}::integer) n
      )
      insert into ach_entries (file_id, trace_number, platform_id, leg_id, rdfi, account_digest)
      select ${id}, '09100001' || lpad(n::text, 7, '0'), ${PLATFORM}, md5('leg' || n)::uuid, '02100002', ''
      from generate_series(${first}::integer, ${last}::integer) n
    `
  }
}

/** A statement with `count` lines. */
async function writeStatement(path: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, index): SampleLine => {
    const number = index + 1
    const isOurs = number % 20 !== 0
    const cents = 100 + (number % 99_991)
    return {
      cents,
      code: isOurs ? '142' : '301',
      reference: isOurs ? trace(number) : `X${number}`,
      text: `ACH ${number}`,
    }
  })
  const text = bai2Lines({ account: ACCOUNT, openingCents: 0, lines })
  await pipeline(Readable.from(text.map((line) => `${line}\n`)), createWriteStream(path))
}

type Given = { folder: string; legs: number; lines: number; analyze(): Promise<void> }

async function measure(given: Deps, { folder, legs, lines, analyze }: Given): Promise<void> {
  const current = given.connections.current()
  const [first] = current.all
  if (!first) throw new Error('the bench has a connection')
  const account = {
    id: 'operating',
    routingNumber: '091000019',
    accountNumber: ACCOUNT,
    type: 'checking',
    currency: 'USD',
  } as const
  const statements = { format: null, names: STATEMENT_NAMES, csv: null, rules: [] }
  const connection = { ...first, accounts: [account], statements }
  const deps = { ...given, connections: { current: () => ({ ...current, all: [connection] }) } }
  await fillLegs(deps, legs)
  await analyze()
  const path = join(folder, `${legs}.bai`)
  await writeStatement(path, lines)
  const read = () =>
    readStatementFile(deps, { connection, name: 'bench.bai', open: async () => createReadStream(path) })
  const begin = performance.now()
  await read()
  const middle = performance.now()
  while ((await matchBankStatements(deps, { legHandlers })) > 0);
  const end = performance.now()
  await read()
  const again = performance.now()
  const [row] = await deps.sql<{ matched: number }[]>`
    select count(*) as matched from statement_lines where status = 'MATCHED'
  `
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  console.log(
    `${legs} open legs, ${lines} lines: read in ${seconds(middle - begin)} s, matched in ${seconds(end - middle)} s ` +
      `(${((end - middle) / lines).toFixed(3)} ms a line), ${row?.matched} automatically; read again in ${seconds(again - end)} s; ` +
      `${Math.round(process.memoryUsage.rss() / 1_000_000)} MB of memory`,
  )
}

/** Only the owner of the tables may do this. A running database does it automatically. */
async function analyzeAs(ownerUrl: string): Promise<void> {
  const sql = connect(ownerUrl, { max: 1, applicationName: 'bench' })
  await sql.unsafe('analyze')
  await sql.end()
}

const server = await startServer()
try {
  for (const size of flags.sizes.split(',')) {
    const [legs = 0, lines = 0] = size.split('x').map(Number)
    const installation = await install(server, { environment: 'production', database: `reconcile${legs}` })
    await withDatabase(installation, (deps) =>
      measure(deps, { folder: server.folder, legs, lines, analyze: () => analyzeAs(installation.databaseUrl) }),
    )
  }
} finally {
  await server.stop()
}
