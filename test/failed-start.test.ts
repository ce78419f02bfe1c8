import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { connect } from '../src/foundation/db/connect.ts'
import { createTestDatabase } from './support/postgres.ts'
import { type Exit, migratedDatabase, runRemit, temporaryFolder } from './support/process.ts'

// A start that fails because of its surroundings: docs/operating.md. test/start.test.ts has ports, addresses and servers.

const run = promisify(execFile)
const ARGS = ['start', '--environments', 'sandbox', '--port', '0']

/** Checks that a start ended with exit code 1, one line that names the remedy, and no stack trace. */
function assertProblem({ code, stdout, stderr }: Exit, message: RegExp): void {
  const lines = stderr
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'))
  assert.deepEqual([code, stdout], [1, ''], stderr)
  assert.ok(!stderr.includes('    at '), stderr)
  assert.match(lines.join('\n'), message)
}

/** Runs `work` with a full file system of one MiB at a path. @returns false where file systems cannot be mounted */
async function onFullDisk(path: string, work: () => Promise<void>): Promise<boolean> {
  await mkdir(path)
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]).catch(() => null)
  if (!isMounted) return false
  try {
    await writeFile(join(path, 'filler'), Buffer.alloc(1 << 20))
    await work()
  } finally {
    await run('umount', ['-l', path])
  }
  return true
}

suite('a start that fails', () => {
  test('a secret file that cannot be read: its setting, its path and the reason, but not the content', async (t) => {
    const home = await temporaryFolder(t)
    const path = join(home, 'database-url')
    assertProblem(
      await runRemit(ARGS, { home, env: { DATABASE_URL_FILE: path } }),
      /^The configuration is invalid\. Fix these settings:\n {2}DATABASE_URL_FILE must name a readable file: .*database-url: there is no such file$/,
    )
    await writeFile(path, 'mysql://remit:hush@localhost/remit')
    const wrong = await runRemit(ARGS, { home, env: { DATABASE_URL_FILE: path } })
    assertProblem(wrong, /^The configuration.*\n {2}DATABASE_URL must be postgres:\/\/USER/)
    assert.doesNotMatch(wrong.stderr, /hush/)
  })

  test('a database of a later release', async (t) => {
    const home = await temporaryFolder(t)
    const url = await migratedDatabase(t)
    const sql = connect(url, { max: 1, applicationName: 'test' })
    await sql`insert into migrations (number, name, checksum) values (9001, '9001_from_the_future.sql', 'x')`
    await sql.end({ timeout: 5 })
    const message = /^The database is newer than this program: .*9001_from_the_future\.sql.* Run the newer version\.$/
    assertProblem(await runRemit(ARGS, { home, env: { DATABASE_URL: url } }), message)
  })

  test('a database of an older release, with a role that cannot migrate', async (t) => {
    const home = await temporaryFolder(t)
    const { url, ownerUrl, drop } = await createTestDatabase()
    t.after(drop)
    const sql = connect(ownerUrl, { max: 1, applicationName: 'test' })
    await sql`delete from migrations where number = (select max(number) from migrations)`
    await sql.end({ timeout: 5 })
    const message = /^The database "\w+" lacks the migration \d{4}\w+\.sql\. Run remit migrate, then start again\.$/
    assertProblem(await runRemit(ARGS, { home, env: { DATABASE_URL: url } }), message)
  })

  test('a full disk', async (t) => {
    const home = await temporaryFolder(t)
    const dataDir = join(home, 'data')
    const env = { DATABASE_URL: await migratedDatabase(t), REMIT_DATA_DIR: dataDir }
    const message = /^Cannot write .*data\/\S+: the disk is full\. Free space on it, or set REMIT_DATA_DIR\.$/
    const isTried = await onFullDisk(dataDir, async () => assertProblem(await runRemit(ARGS, { home, env }), message))
    if (!isTried) t.skip('file systems cannot be mounted here')
  })
})
