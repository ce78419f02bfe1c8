import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '#embedded-postgres'
import { newMasterKey } from '../src/foundation/core/seal.ts'
import { connect } from '../src/foundation/db/connect.ts'
import { createLog } from '../src/foundation/lib/log.ts'
import { requirePackage } from './support/debian-package.ts'
import { temporaryFolder } from './support/process.ts'
import { runCommand } from './support/run-command.ts'

// pg_dump refuses a newer server, so these tests have a server of Debian's version.

const run = promisify(execFile)
const FOLDER = '/usr/lib/postgresql/15'
const missing = requirePackage('postgresql-15', `${FOLDER}/bin/pg_dump`)

test('remit backup check', { skip: missing ?? false }, async (t) => {
  const folder = await temporaryFolder(t)
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'data'),
    log: createLog('silent'),
    binaries: { folder: FOLDER },
  })
  t.after(() => postgres.stop())
  const url = postgres.url('remit')
  const env = {
    REMIT_ENVIRONMENTS: 'sandbox',
    REMIT_DATA_DIR: folder,
    REMIT_MASTER_KEYS: newMasterKey(),
    DATABASE_URL: postgres.serviceUrl('remit'),
    MIGRATE_DATABASE_URL: url,
  }
  const file = join(folder, 'remit.dump')
  const check = (...args: string[]) => runCommand(['backup', 'check', ...args], env)
  const dump = () => run(`${FOLDER}/bin/pg_dump`, ['--format=custom', `--file=${file}`, url])
  const query = async (text: string, on = url) => {
    const sql = connect(on, { max: 1, applicationName: 'test' })
    try {
      return await sql.unsafe(text)
    } finally {
      await sql.end({ timeout: 5 })
    }
  }
  const scratchDatabases = async () =>
    (await query("select datname from pg_database where datname like 'remit_backup%'", postgres.url('postgres'))).length

  assert.equal((await runCommand(['migrate'], env)).code, 0)
  const owner = await runCommand(['owner', 'create', '--email', 'you@example.com', '--name', 'Your Company'], env)
  assert.equal(owner.code, 0, owner.stderr)

  await t.test('restores a good backup, verifies its ledger and its audit trail, and leaves nothing', async () => {
    await dump()
    const { code, stdout, stderr } = await check(file)
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /^ok {4}age: 0\.0 hours\nok {4}debits equal credits \(\d+ rows\)$/m)
    assert.match(stdout, /^ok {4}chains: 1, sealed entries: \d+$/m)
    assert.equal(await scratchDatabases(), 0)
  })

  await t.test('exits 1 if the backup is older than allowed', async () => {
    const yesterday = new Date(Date.now() - 30 * 3_600_000)
    await utimes(file, yesterday, yesterday)
    const { code, stdout } = await check(file)
    assert.equal(code, 1)
    assert.match(stdout, /^WRONG age: 30\.0 hours: older than 26 hours$/m)
    assert.match((await check(file, '--max-age', '31')).stdout, /^ok {4}age: 30\.0 hours$/m)
  })

  await t.test('exits 1 if the ledger of the backup does not balance', async () => {
    await query('update user_counters set debt_cents = 5')
    await dump()
    const { code, stdout } = await check(file)
    assert.equal(code, 1, stdout)
    assert.match(stdout, /^WRONG receivables match returned debits/m)
    assert.equal(await scratchDatabases(), 0)
  })

  await t.test(
    'describes the problem of the file or the options in one line, and leaves no database behind',
    async () => {
      const damaged = join(folder, 'damaged.dump')
      await writeFile(damaged, 'not an archive')
      for (const [args, message] of [
        [[join(folder, 'missing')], /^There is no backup at .*missing\.$/],
        [[damaged], /^The backup cannot be restored: pg_restore: error: .*Make one with pg_dump --format=custom\.$/],
        [[file, '--max-age', 'soon'], /^--max-age must be a whole number of hours\.$/],
      ] as const) {
        const { code, stderr } = await check(...args)
        assert.equal(code, 1)
        assert.match(stderr.trim(), message)
        assert.ok(!stderr.includes('    at '), stderr)
      }
      const embedded = { REMIT_ENVIRONMENTS: 'sandbox', REMIT_DATA_DIR: folder }
      assert.match((await runCommand(['backup', 'check', file], embedded)).stderr, /^remit backup check needs MIGRATE_/)
      assert.equal(await scratchDatabases(), 0)
      await rm(damaged)
    },
  )
})
