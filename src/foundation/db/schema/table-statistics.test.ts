import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../../../test/support/service.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { analyzeGrownTables } from './table-statistics.ts'

test('a table is analyzed when it is several times as large as before, by the service role', async (t) => {
  const { deps } = await startTestService(t)
  const { sql } = deps
  const knownRows = async (table: string) => {
    const [row] = await sql<{ count: number; analyzedAt: Date | null }[]>`
      select reltuples::integer as count, pg_stat_get_last_analyze_time(oid) as analyzed_at
      from pg_class
      where oid = ${table}::regclass
    `
    return row as { count: number; analyzedAt: Date | null }
  }
  const suppress = (from: number, to: number) => sql`
    insert into mail_suppressions (email_digest, created_at)
    select sha256(n::text::bytea), now() from generate_series(${from}::integer, ${to}::integer) n
  `
  const analyzeUntil = (count: number) =>
    waitUntil(`${count} rows are known`, async () => {
      await analyzeGrownTables(deps)
      return (await knownRows('mail_suppressions')).count === count
    })
  await suppress(1, 99)
  await suppress(100, 300)
  await analyzeUntil(300)
  const before = await knownRows('mail_suppressions')

  await suppress(301, 900)
  await sql`update mail_suppressions set created_at = now()`
  const isCounted = async () => {
    const [row] = await sql<{ changes: number }[]>`
      select pg_stat_get_mod_since_analyze('mail_suppressions'::regclass)::integer as changes
    `
    const isByAutovacuum = (await knownRows('mail_suppressions')).count === 900
    return row?.changes === 1_500 || isByAutovacuum
  }
  await waitUntil('the rows are counted', isCounted)
  await analyzeGrownTables(deps)
  assert.deepEqual((await knownRows('mail_suppressions')).analyzedAt, before.analyzedAt)
  await suppress(901, 3_000)
  await analyzeUntil(3_000)
  assert.equal((await knownRows('teams')).analyzedAt, null, 'a table with few rows')
})
