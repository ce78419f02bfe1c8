import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, suite, type TestContext, test } from 'node:test'
import { newMasterKey } from '../src/foundation/core/seal.ts'
import { VERSION } from '../src/operation/app/version.ts'
import {
  CONNECTION_SECRETS,
  connectionsFolder,
  sshdConnection,
  twoBanks,
  writeConnections,
} from './support/connections.ts'
import { serviceUrlOf } from './support/postgres.ts'
import { missingDatabase, runRemit, startProcess } from './support/process.ts'
import { runCommand } from './support/run-command.ts'
import { requireSshd, SSHD_PASSPHRASE, type Sshd, startSshd } from './support/sshd.ts'
import { waitUntil } from './support/wait-until.ts'

/** Runs `remit connections …` with a file, and searches the output for secrets. */
async function connections(path: string, ...args: string[]) {
  const result = await runCommand(['connections', ...args], { REMIT_PRODUCTION_CONNECTIONS: path })
  for (const secret of [...Object.values(CONNECTION_SECRETS), SSHD_PASSPHRASE])
    assert.ok(!`${result.stdout}${result.stderr}`.includes(secret), `${result.stdout}${result.stderr}`)
  return result
}

suite('commands without a database', () => {
  test('schema prints the file that ships with the package', async (t) => {
    const written = await readFile(new URL('../schemas/connections.schema.json', import.meta.url), 'utf8')
    const { code, stdout } = await runRemit(['connections', 'schema'], { home: await connectionsFolder(t) })
    assert.deepEqual([code, stdout], [0, written])
  })

  test('init writes an example that only its owner can read, and never overwrites a file', async (t) => {
    const folder = await connectionsFolder(t)
    const path = join(folder, 'etc', 'connections.json')
    const { code, stdout } = await connections(path, 'init')
    assert.equal(code, 0)
    assert.equal(
      stdout,
      `Wrote ${path}, with one bank as an example.

Next:
  1. Replace the values by those of your bank. docs/connections-reference.md explains every key.
  2. remit connections check
  3. remit connections test first
`,
    )
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    const text = await readFile(path, 'utf8')
    const [, schema = ''] = /"\$schema": "(.*)"/.exec(text) ?? []
    assert.equal(JSON.parse(await readFile(join(folder, 'etc', schema), 'utf8')).title, 'Connections of Remit')
    const again = await connections(path, 'init')
    assert.deepEqual([again.code, again.stderr], [1, `${path} is already there. Nothing was changed.\n`])
    assert.equal(await readFile(path, 'utf8'), text)

    // The example lacks only the secrets.
    const checked = await connections(path, 'check')
    assert.equal(checked.code, 1)
    assert.match(checked.stderr, /has 2 faults:\n.*key_file: is not there.*\n.*number_file: is not there.*\n$/)
    const other = join(folder, 'other.json')
    assert.match(
      (await connections(path, 'init', other)).stdout,
      /^ {2}2\. remit connections check (.*other\.json)\n {2}3\. Set REMIT_PRODUCTION_CONNECTIONS=\1$/m,
    )
  })

  test('check lists the connections of a valid file, and the faults of an invalid one', async (t) => {
    const folder = await connectionsFolder(t)
    const path = await writeConnections(folder, twoBanks())
    const valid = await connections('/nowhere', 'check', path)
    assert.equal(valid.code, 0, valid.stderr)
    const lines = valid.stdout.split('\n').map((line) => line.replace(/ {2,}/g, '  '))
    assert.deepEqual(lines, [
      `${path} is valid: 2 connections.`,
      '',
      'ID  TRANSPORT  RAILS',
      'first  sftp acme@sftp.first.example:22  ACH',
      `second  folder ${join(folder, 'second')}  MAIL, PRINT`,
      '',
    ])
    await chmod(join(folder, 'secrets/passphrase'), 0o644)
    const { code, stdout, stderr } = await connections(path, 'check')
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(
      stderr,
      /^.*connections\.json has a fault:\n {2}line \d+ {2}connections\[0\]\.transport\.passphrase_file: can be read or changed by other users\. Run chmod 600 on it\n$/,
    )
    assert.match((await connections('/nowhere', 'check')).stderr, /^There is no file \/nowhere\. Write one with: /)
  })

  test('test checks a folder, and writes only if requested', async (t) => {
    const folder = await connectionsFolder(t)
    const path = await writeConnections(folder, twoBanks())
    const bank = join(folder, 'second')
    const missing = await connections(path, 'test', 'second')
    assert.equal(missing.code, 1)
    assert.match(
      missing.stdout,
      /✘ outbound +.*second\/outbound does not exist\. The service creates it when it starts\n/,
    )
    for (const name of ['outbound', 'inbound']) await mkdir(join(bank, name), { recursive: true })
    await writeFile(join(bank, 'inbound/returns.ach'), 'content')
    assert.deepEqual(await connections(path, 'test', 'second'), {
      code: 0,
      stdout: `second: folder ${bank}

  ✔ outbound   ${bank}/outbound: 0 files
  ✔ inbound    ${bank}/inbound: 1 file
  - write      not tested: add --write, which writes a file and removes it

The connection works.
`,
      stderr: '',
    })
    const { stdout } = await connections(path, 'test', 'second', '--write')
    assert.match(stdout, /✔ write +a file was written and removed\n\nThe connection works\.\n$/)
    assert.deepEqual(await readdir(join(bank, 'outbound')), [])
    const unknown = await connections(path, 'test', 'third')
    assert.deepEqual([unknown.code, unknown.stderr], [1, 'There is no connection third. There is: first, second.\n'])
  })
})

const noSshd = requireSshd()

describe('test against OpenSSH', { skip: noSshd ?? false }, () => {
  let sshd: Sshd
  before(async () => {
    sshd = await startSshd()
  })
  after(() => sshd?.remove())

  /** A file whose first bank is the server. */
  async function fileFor(t: TestContext, changes: object = {}): Promise<string> {
    const file = twoBanks()
    const [first] = file.connections
    const transport = { ...sshdConnection(sshd), ...changes }
    Object.assign(first as object, { transport })
    return writeConnections(await connectionsFolder(t), file)
  }

  test('connects, lists both folders, and writes a file only if requested', async (t) => {
    await sshd.put('out/statement.txt', 'content')
    const path = await fileFor(t)
    const { code, stdout } = await connections(path, 'test', 'first')
    assert.equal(code, 0, stdout)
    assert.match(
      stdout,
      /^first: sftp nobody@127\.0\.0\.1:\d+\n\n {2}✔ keys .*\n {2}✔ connect .*\n {2}✔ host key .*\n {2}✔ sign in .*\n {2}✔ out +0 files\n {2}✔ in +1 file\n {2}- write .*\n\nThe connection works\.\n$/,
    )
    const written = await connections(path, 'test', 'first', '--write')
    assert.equal(written.code, 0, written.stdout)
    assert.match(written.stdout, /✔ write +a file was written, read back and removed\n/)
    assert.deepEqual(await readdir(join(sshd.root, 'in')), [])
  })

  test('a server with another host key gets no credentials, and the command shows both fingerprints', async (t) => {
    const pinned = `SHA256:${Buffer.alloc(32, 9).toString('base64').replace('=', '')}`
    const { code, stdout } = await connections(await fileFor(t, { host_keys: [pinned] }), 'test', 'first', '--write')
    assert.equal(code, 1)
    assert.match(
      stdout,
      /✔ connect .*\n {2}✘ host key .*SHA256:.*SHA256:.*add the new key to host_keys\.\n\nThe connection does not work\.\n$/,
    )
    assert.ok(stdout.includes(pinned) && stdout.includes(sshd.fingerprints.ed25519))
  })

  test('a user without access, a missing folder, and a missing server', async (t) => {
    const refused = await connections(await fileFor(t, { user: 'acme' }), 'test', 'first')
    assert.equal(refused.code, 1)
    assert.match(refused.stdout, /✔ host key .*\n {2}✘ sign in .*Ask the bank whether it has your public key/)
    const missing = await connections(await fileFor(t, { in: '/none' }), 'test', 'first')
    assert.equal(missing.code, 1)
    assert.match(missing.stdout, /✔ out .*\n {2}✘ in +\/none does not exist on the server/)
    const silent = await connections(await fileFor(t, { port: 1 }), 'test', 'first')
    assert.equal(silent.code, 1)
    assert.match(silent.stdout, /✔ keys .*\n {2}✘ connect /)
  })
})

suite('in a running service', () => {
  test('list shows each connection, and SIGHUP and reload apply a changed file completely or not at all', async (t) => {
    const folder = await connectionsFolder(t)
    const file = twoBanks()
    Object.assign(file.connections[0] as object, { transport: { type: 'folder', path: 'first' } })
    const path = await writeConnections(folder, file)
    const owner = missingDatabase(t)
    const env = {
      REMIT_ENVIRONMENTS: 'production',
      REMIT_MASTER_KEYS: newMasterKey(),
      REMIT_PRODUCTION_BASE_URL: 'https://pay.example.com',
      REMIT_PRODUCTION_DATABASE_URL: serviceUrlOf(owner),
      REMIT_PRODUCTION_CONNECTIONS: path,
    }
    const run = async (args: string[], more: Record<string, string> = {}) => {
      const exit = await runRemit(args, { home: folder, env: { ...env, ...more } })
      assert.ok(!`${exit.stdout}${exit.stderr}`.includes(CONNECTION_SECRETS.accountNumber))
      return exit
    }
    await run(['migrate'], { REMIT_PRODUCTION_MIGRATE_DATABASE_URL: owner })
    const none = await run(['connections', 'reload'])
    assert.deepEqual(
      [none.code, none.stdout],
      [0, 'The file is valid. No service runs on this database: it reads the file when it starts.\n'],
      none.stderr,
    )
    const worker = await startProcess(t, ['worker'], { home: folder, env })
    const name = `remit production ${VERSION} ${worker.child.pid}`

    const listed = await run(['connections', 'list'])
    assert.match(listed.stdout, /^ID +STATE +TRANSPORT +RAILS +ACCOUNTS +NEXT CUT-OFF +LAST CONTACT +CASES/)
    assert.match(
      listed.stdout,
      /^first +new +folder first +ACH +operating ••••5670 +\d{4}-\d\d-\d\d \d\d:00 [A-Z]\w+\/\w+ /m,
    )
    assert.match(listed.stdout, /^second +new +folder second +MAIL, PRINT +checks ••••5670 /m)

    worker.child.kill('SIGHUP')
    await waitUntil('the worker has read the file', async () =>
      worker.stderr().includes('the connections were reloaded'),
    )
    const reloaded = await run(['connections', 'reload'])
    assert.deepEqual([reloaded.code, reloaded.stdout], [0, `${name} uses the new connections.\n`])

    const valid = await writeConnections(await connectionsFolder(t), file)
    await writeConnections(folder, { ...file, rails: { ACH: 'third' } })
    const faulty = await run(['connections', 'reload'])
    assert.deepEqual([faulty.code, faulty.stdout], [1, ''])
    assert.match(
      faulty.stderr,
      /connections\.json has a fault:\n {2}line \d+ {2}rails\.ACH: is not the id of a connection\n$/,
    )
    assert.ok(!worker.stderr().includes('the old ones stay'), 'no process was asked')
    worker.child.kill('SIGHUP')
    await waitUntil('the worker has read the file', async () =>
      worker.stderr().includes('the connections were not reloaded: the old ones stay'),
    )
    assert.ok(worker.stderr().includes('rails.ACH: is not the id of a connection'))
    const kept = await run(['connections', 'reload'], { REMIT_PRODUCTION_CONNECTIONS: valid })
    assert.equal(kept.code, 1)
    assert.match(kept.stdout, new RegExp(`^${name} keeps its old connections:\n.* has a fault:\n.*rails\\.ACH: is not`))

    assert.equal((await worker.end()).code, 0)
    const refused = await run(['worker'])
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /rails\.ACH: is not the id of a connection/)
    const log = worker.stderr()
    for (const secret of Object.values(CONNECTION_SECRETS)) assert.ok(!log.includes(secret), log)
  })
})
