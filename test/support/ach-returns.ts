import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Pool, Sql } from '../../src/foundation/db/connect.ts'
import type { Deps, TxDeps } from '../../src/foundation/db/deps.ts'
import { inUndoneTransaction } from '../../src/foundation/db/transaction.ts'
import { bankOf, recordInbound } from '../../src/money/ach/file/ach-inbound-actions.ts'
import { readInbound } from '../../src/money/ach/file/ach-inbound-rules.ts'
import { achHooks } from '../../src/operation/scheduler/leg-handlers.ts'
import { connection } from './ach.ts'
import { pay, startFileService } from './file-service.ts'
import { addBank } from './service.ts'

/** The effects of a bank file. Entries are identified by the last digits of the trace number. */
export type AchResult = {
  /** `trace code` of returned entries. */
  returned: string[]
  /** Corrected bank accounts with their current values: `routing account type`. */
  corrected: string[]
  /** `kind line`, with `bank` if it holds the whole bank, and the trace number of the entry whose legs it holds. */
  cases: string[]
  /** Our files that changed: name, status, and whether the operator must review them. */
  files: string[]
  report: string | null
}

let tried = 0

/** Applies a file of the bank and rolls it back. */
export const tryAchFile = (deps: Deps, bytes: Buffer): Promise<AchResult> =>
  inUndoneTransaction(deps, async (tx) => {
    const { sql } = tx
    const before = await stateOf(tx)
    const contentHash = createHash('sha256').update(bytes).digest()
    const name = `try-${++tried}.ach`
    const file = {
      name,
      contentHash,
      bytes,
      reading: readInbound(bytes),
      bank: bankOf(connection({ folder: '/nowhere' })),
    }
    const outcome = await recordInbound({ ...deps, sql: poolIn(sql) }, achHooks, file)
    assert.ok(outcome)
    const after = await stateOf(tx)
    const changed = (kind: keyof typeof before) => after[kind].filter((one) => !before[kind].includes(one))
    const cases = await sql<CaseRow[]>`
      select b.kind, b.line, b.is_bank_wide, right(e.trace_number, 2) as trace, l.held_at is not null as is_held,
        b.account_sealed is not null as has_account
      from bank_cases b
      left join legs l on l.platform_id = b.platform_id and l.id = b.leg_id
      left join ach_entries e on e.platform_id = b.platform_id and e.leg_id = b.leg_id
      where b.file_name = ${name}
      order by b.line, b.kind
    `
    return {
      returned: changed('returned'),
      corrected: changed('corrected'),
      files: changed('files'),
      cases: cases.map(({ kind, line, isBankWide, trace, isHeld, hasAccount }) =>
        [
          ...[kind, line],
          ...(isBankWide ? ['bank'] : []),
          ...(isHeld || hasAccount ? [trace] : []),
          ...(hasAccount ? ['account'] : []),
        ].join(' '),
      ),
      report: outcome.report,
    }
  })

type CaseRow = { kind: string; line: number; isBankWide: boolean; trace: string; isHeld: boolean; hasAccount: boolean }

async function stateOf({ sql, keyRing }: Pick<TxDeps, 'sql' | 'keyRing'>) {
  const returned = await sql<{ text: string }[]>`
    select right(e.trace_number, 2) || ' ' || l.return_code as text
    from legs l
    join ach_entries e on e.platform_id = l.platform_id and e.leg_id = l.id
    where l.status = 'RETURNED'
    order by e.trace_number
  `
  const banks = await sql<{ routing: string; accountSealed: Buffer; type: string }[]>`
    select routing, account_sealed, type from banks order by id
  `
  const files = await sql<{ text: string }[]>`
    select name || ' ' || status || case when attention is null then '' else ' needs you' end as text
    from exchanges
    order by name
  `
  const texts = (rows: readonly { text: string }[]) => rows.map(({ text }) => text)
  const corrected = banks.map(({ routing, accountSealed, type }) =>
    [routing, keyRing.openText(accountSealed, 'bank account'), type].join(' '),
  )
  return { returned: texts(returned), corrected, files: texts(files) }
}

/** The actions begin their own transactions. Here, they become parts of the one that is rolled back. */
const poolIn = (sql: Sql): Pool =>
  new Proxy(sql, {
    get: (target, key) =>
      key === 'begin' ? (work: (sql: Sql) => unknown) => inPart(sql, work) : Reflect.get(target, key),
  }) as unknown as Pool

async function inPart(sql: Sql, work: (sql: Sql) => unknown): Promise<unknown> {
  await sql`savepoint whole`
  try {
    const result = await work(sql)
    await sql`release savepoint whole`
    return result
  } catch (error) {
    await sql`rollback to savepoint whole`
    throw error
  }
}

/**
 * Debits of $10, $20 and $30 (trace numbers that end in 04, 05 and 06) and a credit of $40 (07) are at the bank. All debits go to one
 * account. The test acts as the bank.
 */
export async function startWithEntriesOut(t: Parameters<typeof startFileService>[0]) {
  const service = await startFileService(t, { acknowledgements: { ach: 'required', paper: 'none' } })
  const { deps, newUser, openWindow, folder } = service
  const [sender, recipient] = [await newUser(), await newUser()]
  const bank = await addBank(sender, SENDER_ACCOUNT)
  await sender.post('/v3/bank/release', { account: bank })
  await sender.post('/v3/bank/verify', { account: bank, amount_1: 0.07, amount_2: 0.15 })
  const account = await addBank(recipient, RECIPIENT_ACCOUNT)
  await openWindow()
  for (const amount of [10, 20, 30]) {
    await pay({ sender, recipient, account }, amount)
    await openWindow()
  }
  const wallet: string = (await sender.post('/v3/account/wallet', { name: 'Cash' })).body.id
  await deps.sql`select post_transfers_v1(
    platform_id, ${deps.sql.json([{ id: wallet, mode: 'post', debit: 'world', credit: `wallet:${wallet}`, cents: 4_000, reason: 'fund' }])},
    null, null, ${deps.clock.now()}
  ) from wallets where id = ${wallet}`
  await pay({ sender, recipient, account }, 40, { account: wallet })
  await openWindow()
  const sent = await service.sent()
  assert.deepEqual(
    sent.slice(3).map(({ trace, cents, account }) => [trace.slice(-2), cents, account]),
    [
      ['04', 1_000, SENDER_ACCOUNT],
      ['05', 2_000, SENDER_ACCOUNT],
      ['06', 3_000, SENDER_ACCOUNT],
      ['07', 4_000, RECIPIENT_ACCOUNT],
    ],
  )
  return { ...service, sender, recipient, folder }
}

const SENDER_ACCOUNT = '730194826351'
const RECIPIENT_ACCOUNT = '55001122'
