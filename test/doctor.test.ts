import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, suite, type TestContext, test } from 'node:test'
import tls from 'node:tls'
import { newMasterKey } from '../src/foundation/core/seal.ts'
import { connect } from '../src/foundation/db/connect.ts'
import { recordProof } from '../src/money/ledger/ledger-proof-store.ts'
import { readConfig } from '../src/operation/app/config.ts'
import { VERSION } from '../src/operation/app/version.ts'
import { judgeArchiver, judgeClock, judgeSettings, judgeVersion } from '../src/operation/doctor/database-rules.ts'
import { CHECK_IDS, examine, thisMachine } from '../src/operation/doctor/doctor.ts'
import { duration, exitCodeOf, type Finding } from '../src/operation/doctor/finding-rules.ts'
import type { Machine } from '../src/operation/doctor/machine-checks.ts'
import { createAuthority, selfSigned } from './support/certificates.ts'
import {
  CONNECTION_SECRETS,
  connectionsFolder,
  sshdConnection,
  twoBanks,
  writeConnections,
} from './support/connections.ts'
import { startHttps } from './support/https-server.ts'
import { startMailServer } from './support/mail-server.ts'
import { startNameServer } from './support/name-server.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { createTestDatabase } from './support/postgres.ts'
import { runRemit, startProcess, temporaryFolder } from './support/process.ts'
import { startReceiver } from './support/receiver.ts'
import { runCommand } from './support/run-command.ts'
import { startTestService } from './support/service.ts'
import { requireSshd, SSHD_PASSPHRASE, startSshd } from './support/sshd.ts'
import { newSender, setWebhook } from './support/webhooks.ts'

/** The checks that a test made fail or warn. */
const broken = new Set<string>()

type Given = { env?: Record<string, string>; machine?: Partial<Machine>; dataDir?: string }

/** Runs all checks of a sandbox without PostgreSQL, unless `env` says otherwise. */
async function examineWith(t: TestContext, { env = {}, machine, dataDir }: Given = {}): Promise<Finding[]> {
  const folder = dataDir ?? (await temporaryFolder(t))
  const variables = { REMIT_ENVIRONMENTS: 'sandbox', REMIT_DATA_DIR: folder, REMIT_MASTER_KEYS: newMasterKey(), ...env }
  return examine(readConfig({}, variables), { ...thisMachine(), ...machine })
}

/** Returns the finding of a check. For several findings: the worst. */
function findingOf(findings: readonly Finding[], id: string): Finding {
  const own = findings.filter((finding) => finding.id === id)
  const found = own.toSorted((a, b) => exitCodeOf([b]) - exitCodeOf([a]))[0]
  return found ?? assert.fail(`${id} is not among ${findings.map((finding) => finding.id).join(', ')}`)
}

/** `id` of a connection: that of the connection `first`. */
function assertBroken(findings: readonly Finding[], id: string, expected: { status: string; found: RegExp }) {
  const { status, found, remedy } = findingOf(findings, id)
  assert.match(found, expected.found)
  assert.equal(status, expected.status, found)
  assert.ok(remedy && remedy.length > 10)
  broken.add(id.replace('connection.first.', 'connection.ID.'))
}

const inDays = (days: number) => () => new Date(Date.now() + days * 86_400_000)

suite('remit doctor', () => {
  test('finds no problem with a new service in an empty folder, and exits 0', async (t) => {
    const home = await temporaryFolder(t)
    await startProcess(t, ['start', '--port', '0', '--environments', 'sandbox'], { home })
    const { code, stdout, stderr } = await runRemit(['doctor', '--environments', 'sandbox'], { home })
    assert.equal(code, 0, stdout + stderr)
    const lines = stdout.trimEnd().split('\n')
    assert.ok(
      lines.every((line) => line.startsWith('ok      ')),
      stdout,
    )
    assert.ok(lines.some((line) => line.startsWith(`ok      sandbox database.migrations: up to date with ${VERSION}`)))
    const json = await runRemit(['doctor', '--json', '--environments', 'sandbox'], { home })
    const ids = new Set(JSON.parse(json.stdout).findings.map(({ id }: Finding) => id))
    const expected = CHECK_IDS.filter((id) => !id.startsWith('connection.ID.'))
    assert.deepEqual([...ids].toSorted(), expected.toSorted())
  })

  test('creates nothing in an empty folder', async (t) => {
    const dataDir = await temporaryFolder(t)
    const findings = await examineWith(t, { dataDir, env: { REMIT_MASTER_KEYS: '' } })
    assert.equal(exitCodeOf(findings), 0, JSON.stringify(findings))
    assert.deepEqual(await readdir(dataDir), [])
  })

  test('reports invalid settings as a failure, exit code 2, and unknown databases too', async (t) => {
    const invalid = await runCommand(['doctor', '--json'], { REMIT_PORT: 'http' })
    assert.equal(invalid.code, 2)
    assertBroken(JSON.parse(invalid.stdout).findings, 'settings.valid', { status: 'failure', found: /REMIT_PORT/ })
    const REMIT_DATA_DIR = await temporaryFolder(t)
    const settings = {
      REMIT_ENVIRONMENTS: 'sandbox',
      REMIT_DATA_DIR,
      DATABASE_URL: 'postgres://remit:hush@127.0.0.1:1/no',
    }
    const unreachable = await runCommand(['doctor'], settings)
    assert.equal(unreachable.code, 2)
    assert.match(unreachable.stdout, /^FAILURE sandbox database\.reachable: .*\n {8}Correct DATABASE_URL/m)
    assert.doesNotMatch(unreachable.stdout, /hush/)
    broken.add('database.reachable')
  })

  test('exits 1 with a warning', () => {
    const finding = { id: 'disk.space', environment: null, found: '', remedy: '' } as const
    assert.equal(exitCodeOf([{ ...finding, status: 'warning' }]), 1)
    assert.equal(
      exitCodeOf([
        { ...finding, status: 'failure' },
        { ...finding, status: 'warning' },
      ]),
      2,
    )
  })
})

suite('checks of the machine', () => {
  test('an old Node.js and old time zones', async (t) => {
    const findings = await examineWith(t, { machine: { nodeVersion: '20.20.2', timeZoneData: '2019a' } })
    assertBroken(findings, 'node.version', { status: 'failure', found: /20\.20\.2/ })
    assertBroken(findings, 'node.time-zones', { status: 'warning', found: /years old/ })
  })

  test('a file system without space', async (t) => {
    const findings = await examineWith(t, { dataDir: '/proc/remit' })
    assertBroken(findings, 'disk.space', { status: 'failure', found: /0\.0 GiB free|not writable/ })
  })

  test('files with secrets that others can read, and unreadable keys', async (t) => {
    const dataDir = await temporaryFolder(t)
    await writeFile(join(dataDir, 'master-keys'), 'k1:short', { mode: 0o600 })
    await writeFile(join(dataDir, 'sandbox.json'), '{}')
    await chmod(join(dataDir, 'sandbox.json'), 0o644)
    const findings = await examineWith(t, { dataDir, env: { REMIT_MASTER_KEYS: '' } })
    assertBroken(findings, 'files.mode', { status: 'failure', found: /sandbox\.json \(mode 644\)/ })
    await chmod(join(dataDir, 'sandbox.json'), 0o600)
    await writeFile(join(dataDir, 'keys'), newMasterKey())
    await chmod(join(dataDir, 'keys'), 0o604)
    const keys = { REMIT_MASTER_KEYS: '', REMIT_MASTER_KEYS_FILE: join(dataDir, 'keys') }
    assertBroken(await examineWith(t, { dataDir, env: keys }), 'files.mode', {
      status: 'failure',
      found: /keys \(mode 604\)/,
    })
    assertBroken(findings, 'keys.readable', { status: 'failure', found: /entry 1 is not/ })
    assert.doesNotMatch(JSON.stringify(findings), /short/)
  })
})

test('a backup that is old, missing or empty', async (t) => {
  const folder = await temporaryFolder(t)
  const production = {
    REMIT_ENVIRONMENTS: 'production',
    REMIT_PRODUCTION_BASE_URL: 'https://127.0.0.1:1',
    REMIT_PRODUCTION_CONNECTIONS: await writeConnections(await connectionsFolder(t), twoBanks()),
    DATABASE_URL: 'postgres://remit:secret@127.0.0.1:1/no',
  }
  const after = async (days: number, backup = folder) => {
    const machine = { now: inDays(days) }
    const findings = await examineWith(t, { env: { ...production, REMIT_PRODUCTION_BACKUP: backup }, machine })
    return findings.filter(({ id }) => id === 'backup.age')
  }
  assertBroken(await after(0), 'backup.age', { status: 'failure', found: /^There is no backup in / })
  await writeFile(join(folder, 'empty.dump'), '')
  assertBroken(await after(0), 'backup.age', { status: 'failure', found: /^There is no backup in / })
  await writeFile(join(folder, 'monday.dump'), 'content')
  assert.equal((await after(0))[0]?.status, 'ok')
  assertBroken(await after(2), 'backup.age', { status: 'warning', found: /^The last backup is 2 days old/ })
  assertBroken(await after(8, join(folder, 'monday.dump')), 'backup.age', { status: 'failure', found: /8 days old/ })
})

suite('checks of the network', () => {
  const certificateOf = async (t: TestContext, certificate: { cert: string; key: string }) => {
    const { port } = await startHttps(t, { certificate, address: '127.0.0.1', answer: (_, response) => response.end() })
    return examineWith(t, { env: { REMIT_SANDBOX_BASE_URL: `https://127.0.0.1:${port}` } })
  }

  test('a certificate that is untrusted, expired or unreachable', async (t) => {
    const untrusted = await certificateOf(t, selfSigned('127.0.0.1'))
    assertBroken(untrusted, 'base-url.certificate', { status: 'failure', found: /not trusted: DEPTH_ZERO/ })
    const validity = { from: new Date('2020-01-01'), to: new Date('2020-02-01') }
    const expired = await certificateOf(t, createAuthority().issue(['127.0.0.1'], validity))
    assertBroken(expired, 'base-url.certificate', { status: 'failure', found: /has expired/ })
    const known = tls.getCACertificates()
    t.after(() => tls.setDefaultCACertificates(known))
    const authority = createAuthority()
    tls.setDefaultCACertificates([...known, authority.cert])
    const inTenDays = { to: inDays(10)() }
    const ending = await certificateOf(t, authority.issue(['127.0.0.1'], inTenDays))
    assertBroken(ending, 'base-url.certificate', { status: 'warning', found: /ends in \d+ days/ })
    const away = await examineWith(t, { env: { REMIT_SANDBOX_BASE_URL: 'https://127.0.0.1:1' } })
    assertBroken(away, 'base-url.certificate', { status: 'warning', found: /cannot be reached/ })
  })

  test('connects to a mail server without sending mail, and reports an unreachable one as a failure', async (t) => {
    const server = await startMailServer(t)
    const mail = { REMIT_MAIL_FROM: 'Remit <remit@example.com>', SMTP_ALLOW_PLAINTEXT: 'true' }
    const findings = await examineWith(t, { env: { ...mail, SMTP_URL: server.url } })
    assert.equal(findingOf(findings, 'mail.server').status, 'ok', findingOf(findings, 'mail.server').found)
    assert.deepEqual(server.messages, [])
    const away = await examineWith(t, { env: { ...mail, SMTP_URL: 'smtp://user:hush@127.0.0.1:1' } })
    assertBroken(away, 'mail.server', { status: 'failure', found: /127\.0\.0\.1:1 refuses mail/ })
    assert.doesNotMatch(JSON.stringify(away), /hush/)
    const production = {
      REMIT_ENVIRONMENTS: 'production',
      REMIT_PRODUCTION_BASE_URL: 'https://127.0.0.1:1',
      REMIT_PRODUCTION_CONNECTIONS: '/nowhere/connections.json',
      DATABASE_URL: 'postgres://remit@127.0.0.1:1/remit',
    }
    const none = await examineWith(t, { env: production })
    assertBroken(none, 'mail.server', {
      status: 'warning',
      found: /^SMTP_URL is not set, .* sign-up, .* do not work\.$/,
    })
  })

  test('a name server that does not answer, and a source address of another machine', async (t) => {
    const { address } = await startNameServer(t)
    const answering = await examineWith(t, { env: { REMIT_WEBHOOK_NAME_SERVERS: address } })
    assert.equal(findingOf(answering, 'webhooks.name-servers').status, 'ok')
    const env = { REMIT_WEBHOOK_NAME_SERVERS: '127.0.0.1:9', REMIT_WEBHOOK_SOURCE_ADDRESSES: '127.0.0.1,192.0.2.10' }
    const findings = await examineWith(t, { env })
    assertBroken(findings, 'webhooks.name-servers', { status: 'failure', found: /127\.0\.0\.1:9 does not answer/ })
    assertBroken(findings, 'webhooks.source-addresses', { status: 'failure', found: /192\.0\.2\.10 is no address/ })
  })
})

const noSshd = requireSshd()

describe('checks of the connections', { skip: noSshd ?? false }, () => {
  type Banks = ReturnType<typeof twoBanks>

  /** Examines production whose first bank is `sshd`. The service's own database says what it knows about the bank. */
  async function startWithBank(t: TestContext) {
    const sshd = await startSshd()
    t.after(() => sshd.remove())
    const { url, ownerUrl, drop } = await createTestDatabase()
    t.after(drop)
    const owner = connect(ownerUrl, { max: 1, applicationName: 'test' })
    t.after(() => owner.end())
    const folder = await connectionsFolder(t)
    const examined = async (
      change: (banks: Banks, transport: Record<string, unknown>) => void,
      machine?: Partial<Machine>,
    ) => {
      const banks = twoBanks()
      const transport: Record<string, unknown> = { ...sshdConnection(sshd) }
      Object.assign(banks.connections[0] as object, { transport })
      change(banks, transport)
      const env = {
        REMIT_ENVIRONMENTS: 'production',
        REMIT_PRODUCTION_BASE_URL: 'https://127.0.0.1:1',
        REMIT_PRODUCTION_CONNECTIONS: await writeConnections(folder, banks),
        DATABASE_URL: url,
      }
      const findings = await examineWith(t, { env, ...(machine && { machine }) })
      for (const secret of [...Object.values(CONNECTION_SECRETS), SSHD_PASSPHRASE])
        assert.ok(!JSON.stringify(findings).includes(secret))
      return findings
    }
    return { sshd, owner, examined }
  }

  test('a bank that answers, and one with another key, another user or other folders; nothing is written or fetched', async (t) => {
    const { sshd, examined } = await startWithBank(t)
    await sshd.put('out/returns.ach', 'content')
    const good = await examined(() => {})
    for (const check of ['host-key', 'folders', 'cut-off'])
      assert.equal(
        findingOf(good, `connection.first.${check}`).status,
        'ok',
        findingOf(good, `connection.first.${check}`).found,
      )
    assert.equal(
      findingOf(good, 'connection.first.folders').found,
      '0 files in the folder for uploads, 1 in the other one',
    )
    assert.match(findingOf(good, 'connection.second.folders').found, /second\/outbound does not exist/)
    assertBroken(good, 'connection.first.contact', { status: 'warning', found: /^No session has succeeded yet/ })
    assert.deepEqual(await readdir(join(sshd.root, 'in')), [])
    assert.deepEqual(await readdir(join(sshd.root, 'out')), ['returns.ach'])

    const pin = `SHA256:${Buffer.alloc(32, 9).toString('base64').replace('=', '')}`
    const otherKey = await examined((_, transport) => Object.assign(transport, { host_keys: [pin] }))
    assertBroken(otherKey, 'connection.first.host-key', { status: 'failure', found: /SHA256:.*Remit disconnected/ })
    assert.equal(findingOf(otherKey, 'connection.first.folders').status, 'warning')
    const otherUser = await examined((_, transport) => Object.assign(transport, { user: 'acme' }))
    assertBroken(otherUser, 'connection.first.folders', {
      status: 'failure',
      found: /does not let the user acme sign in/,
    })
    assert.equal(findingOf(otherUser, 'connection.first.host-key').status, 'ok')
    const otherFolder = await examined((_, transport) => Object.assign(transport, { in: '/none' }))
    assertBroken(otherFolder, 'connection.first.folders', { status: 'failure', found: /\/none does not exist/ })
    await sshd.stop()
    const down = await examined(() => {})
    assertBroken(down, 'connection.first.host-key', { status: 'failure', found: /The connection to 127\.0\.0\.1/ })
  })

  test('a bank whose sessions fail or are too old, one without a cut-off, and a file with faults', async (t) => {
    const { owner, examined } = await startWithBank(t)
    const contactAfter = async (days: number) => {
      const finding = findingOf(await examined(() => {}, { now: inDays(days) }), 'connection.first.contact')
      return `${finding.status}: ${finding.found}`
    }
    await owner`insert into connection_states (connection_id, contacted_at) values ('first', now())`
    assert.match(await contactAfter(0), /^ok: The last session was \d+ seconds? ago/)
    assert.match(await contactAfter(0.1), /^warning: The last session was 2 hours ago/)
    assert.match(await contactAfter(3), /^failure: The last session was 3 days ago/)
    await owner`update connection_states set tries = 2, last_problem = 'The bank is down.'`
    assert.equal(await contactAfter(0), 'failure: The last 2 sessions failed: The bank is down.')

    const days = Array.from({ length: 30 }, (_, day) => inDays(day)().toISOString().slice(0, 10))
    const closed = await examined(({ connections }) => Object.assign(connections[0] as object, { holidays: days }))
    assertBroken(closed, 'connection.first.cut-off', { status: 'failure', found: /^The next cut-off is / })
    const faulty = await examined(({ rails }) => Object.assign(rails, { ACH: 'third' }))
    assertBroken(faulty, 'connections.valid', { status: 'failure', found: /rails\.ACH: is not the id of a connection/ })
    assert.ok(!faulty.some(({ id }) => id.startsWith('connection.')))
  })
})

suite('checks of the database', () => {
  test('the limits of server, settings, clock and archive', () => {
    assert.equal(judgeVersion({ versionNumber: 180_002 }).found, 'PostgreSQL 18.2')
    assert.equal(judgeVersion({ versionNumber: 140_011 }).status, 'failure')
    const good = { fsync: 'on', fullPageWrites: 'on', synchronousCommit: 'on', autovacuum: 'on' }
    const server = { ...good, versionNumber: 180_002, maxConnections: 100, connections: 20 }
    const statusesOf = (change: object) => judgeSettings({ ...server, ...change }).map(({ status }) => status)
    assert.deepEqual(statusesOf({}), ['ok'])
    for (const change of [{ fsync: 'off' }, { fullPageWrites: 'off' }, { synchronousCommit: 'off' }])
      assert.deepEqual(statusesOf(change), ['failure'])
    for (const change of [{ autovacuum: 'off' }, { connections: 85 }]) assert.deepEqual(statusesOf(change), ['warning'])
    assert.deepEqual(statusesOf({ synchronousCommit: 'remote_apply' }), ['ok'])

    const clocks = [1_000, -2_400, 5_000, -300_000].map((ms) => judgeClock(ms).status)
    assert.deepEqual(clocks, ['ok', 'ok', 'warning', 'failure'])

    const now = new Date('2026-11-28T12:00:00Z')
    const at = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
    const archives = [
      [{ mode: 'off', lastArchivedAt: null, lastFailedAt: null }, 'ok'],
      [{ mode: 'on', lastArchivedAt: at(1), lastFailedAt: at(2) }, 'ok'],
      [{ mode: 'on', lastArchivedAt: null, lastFailedAt: null }, 'warning'],
      [{ mode: 'on', lastArchivedAt: at(30), lastFailedAt: null }, 'warning'],
      [{ mode: 'on', lastArchivedAt: at(2), lastFailedAt: at(1) }, 'failure'],
      [{ mode: 'on', lastArchivedAt: at(200), lastFailedAt: null }, 'failure'],
    ] as const
    for (const [archiver, status] of archives) assert.equal(judgeArchiver(archiver, now).status, status)
    for (const id of ['database.version', 'backup.archiving']) broken.add(id)
    assert.deepEqual([1, 89, 3_599, 7_200, 200_000].map(duration), [
      '1 second',
      '1 minute',
      '60 minutes',
      '2 hours',
      '2 days',
    ])
  })

  test('settings that can lose payments, a wrong clock, missing migrations', async (t) => {
    const { url, ownerUrl, drop } = await createTestDatabase()
    t.after(drop)
    const owner = connect(ownerUrl, { max: 1, applicationName: 'test' })
    t.after(() => owner.end())
    await owner.unsafe(`alter database "${new URL(url).pathname.slice(1)}" set synchronous_commit = off`)
    const env = { DATABASE_URL: url }
    const findings = await examineWith(t, { env, machine: { now: inDays(-0.01) } })
    const losing = findings.filter(
      ({ id, found }) => id === 'database.settings' && found.startsWith('synchronous_commit'),
    )
    assertBroken(losing, 'database.settings', { status: 'failure', found: /loses accepted payments/ })
    assertBroken(findings, 'database.clock', { status: 'failure', found: /14 minutes behind the database/ })

    await owner`delete from migrations where number = (select max(number) from migrations)`
    const behind = await examineWith(t, { env })
    assertBroken(behind, 'database.migrations', { status: 'failure', found: /lacks the migration/ })
    assert.ok(!behind.some(({ id }) => id === 'queue.legs'), 'rows of another version are not read')
  })

  test('a role with too many rights in production, and one that lacks a right', async (t) => {
    const { url, ownerUrl, drop } = await createTestDatabase()
    t.after(drop)
    const owner = connect(ownerUrl, { max: 1, applicationName: 'test' })
    t.after(() => owner.end())
    const production = {
      REMIT_ENVIRONMENTS: 'production',
      REMIT_PRODUCTION_BASE_URL: 'https://127.0.0.1:1',
      REMIT_PRODUCTION_CONNECTIONS: await writeConnections(await connectionsFolder(t), twoBanks()),
    }
    const asOwner = await examineWith(t, { env: { ...production, DATABASE_URL: ownerUrl } })
    assertBroken(asOwner, 'database.rights', { status: 'failure', found: /can do too much/ })
    await owner`revoke insert on transfers from remit_service`
    const without = await examineWith(t, { env: { DATABASE_URL: url } })
    assertBroken(without, 'database.rights', { status: 'failure', found: /transfers/ })
  })

  test('keys that differ from those of the database, and a process of another version', async (t) => {
    const { ownerUrl, drop } = await createTestDatabase()
    t.after(drop)
    const owner = connect(ownerUrl, { max: 1, applicationName: 'remit sandbox 0.0.9 4711' })
    t.after(() => owner.end())
    await owner`insert into master_keys (id, fingerprint) values ('k0', ${randomBytes(32)})`
    const env = { DATABASE_URL: ownerUrl }
    const findings = await examineWith(t, { env })
    assertBroken(findings, 'keys.match', { status: 'failure', found: /master key k0, which is missing/ })
    assertBroken(findings, 'processes.version', { status: 'warning', found: /^Processes of 0\.0\.9 are connected/ })
    const [, key] = newMasterKey().split(':')
    const other = await examineWith(t, { env: { ...env, REMIT_MASTER_KEYS: `k0:${key}` } })
    assertBroken(other, 'keys.match', { status: 'failure', found: /another master key k0/ })
  })
})

suite('checks of background work', () => {
  test('late webhooks and legs, receivers that fail', async (t) => {
    const service = await startTestService(t)
    const receiver = await startReceiver(t)
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    const { id } = await sendPayment(sender)
    await triggerStatus(sender, id, 'IN_PROCESS')
    await service.ownerSql`update endpoints set failing_since = now()`
    const env = { DATABASE_URL: service.databaseUrl }
    const findings = await examineWith(t, { env, machine: { now: inDays(400) } })
    assertBroken(findings, 'queue.webhooks', {
      status: 'failure',
      found: /webhooks are due, the oldest since \d+ days/,
    })
    assertBroken(findings, 'queue.legs', { status: 'failure', found: /legs are due, the oldest since \d+ days/ })
    assertBroken(findings, 'webhooks.receivers', { status: 'warning', found: /^1 receivers of webhooks fail/ })
    assertBroken(findings, 'ledger.proof', { status: 'failure', found: /not verified in its first \d+ days/ })
  })

  test('open exceptions, late mail, messages that wait, a ledger that does not balance', async (t) => {
    const { url, ownerUrl, drop } = await createTestDatabase()
    t.after(drop)
    const owner = connect(ownerUrl, { max: 1, applicationName: 'test' })
    t.after(() => owner.end())
    const [platform, other] = [randomUUID(), randomUUID()]
    await owner`
      insert into exceptions (platform_id, id, kind, note, created_at)
      values (${platform}, ${randomUUID()}, 'refund_returned', 'a test', now() - interval '3 days')
    `
    await owner`
      insert into mails (id, recipient, content_sealed, status, next_attempt_at, created_at)
      values (${randomUUID()}, 'a@example.com', ''::bytea, 'PENDING', now() - interval '20 minutes', now())
    `
    await owner`
      insert into outbox (platform_id, target_platform_id, kind, subject_id, content, created_at)
      values (${platform}, ${other}, 'audited', ${randomUUID()}, '{}', now() - interval '1 hour')
    `
    const env = { DATABASE_URL: url }
    const findings = await examineWith(t, { env })
    assertBroken(findings, 'exceptions.open', {
      status: 'warning',
      found: /1 refund_returned\. The oldest is from 3 days ago/,
    })
    assertBroken(findings, 'queue.mail', { status: 'warning', found: /^1 mails are due, the oldest since 20 minutes/ })
    assertBroken(findings, 'outbox.oldest', {
      status: 'warning',
      found: /^1 messages between platforms wait, the oldest since 1 hour/,
    })

    const proofs = [
      [{ at: new Date(), isClean: true }, 'ok', /was verified \d+ seconds? ago/],
      [{ at: inDays(-3)(), isClean: true }, 'warning', /was verified 3 days ago/],
      [{ at: new Date(), isClean: false }, 'failure', /does not balance/],
    ] as const
    for (const [proof, status, found] of proofs) {
      await recordProof(owner, proof)
      const finding = findingOf(await examineWith(t, { env }), 'ledger.proof')
      assert.equal(finding.status, status)
      assert.match(finding.found, found)
    }
  })

  test('docs/operating.md lists each check', async () => {
    const guide = await readFile(new URL('../docs/operating.md', import.meta.url), 'utf8')
    const listed = [...guide.matchAll(/^\| (`[a-zID.-]+`(?:, `[a-zID.-]+`)*) \|/gm)].flatMap(
      ([, ids]) => ids?.split(', ') ?? [],
    )
    assert.deepEqual(
      listed,
      CHECK_IDS.map((id) => `\`${id}\``),
    )
  })

  test('each check was made to fail', () => {
    assert.deepEqual(
      CHECK_IDS.filter((id) => !broken.has(id)),
      [],
    )
  })
})
