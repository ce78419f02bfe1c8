import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../packages/embedded-postgres/src/embedded-port.ts'
import { openServer, serverProblems } from '../src/connections/transport/open-server-actions.ts'
import { checkServer } from '../src/connections/transport/server-check-actions.ts'
import { withSftpSession } from '../src/connections/transport/sftp-session-actions.ts'
import type { SftpServer, TransportSession } from '../src/connections/transport/transport-types.ts'
import type { SftpTransport, Upload } from '../src/foundation/core/connections.ts'
import { requireSshd, type Sshd, startSshd } from './support/sshd.ts'
import { neverPublished, pinOf, sendTo, transferProblem } from './support/transfer.ts'

const missing = requireSshd()

describe('OpenSSH', { skip: missing ?? false }, () => {
  let sshd: Sshd
  let opened: SftpServer
  before(async () => {
    sshd = await startSshd()
    opened = await openServer(sshd.transport)
  })
  after(() => sshd?.remove())

  const server = (given: Partial<SftpServer> = {}): SftpServer => ({ ...opened, ...given })
  const inSession = <T>(work: (session: TransportSession) => Promise<T>, given: Partial<SftpServer> = {}) =>
    withSftpSession(server(given), work)
  const stored = (name: string) => readFile(join(sshd.root, 'in', name))

  test('a file arrives under its name, and is proven by reading it back', async () => {
    const bytes = randomBytes(700_001)
    assert.equal(await sendTo(server(), { name: 'first.ach', bytes }), 'bytes')
    assert.deepEqual(await stored('first.ach'), bytes)
    assert.deepEqual(await readdir(join(sshd.root, 'in')), ['first.ach'])
  })

  test('a file that is there already is not sent again', async () => {
    const bytes = Buffer.from('sent by a process that was killed afterward')
    await sshd.put('in/twice.ach', bytes)
    assert.equal(
      await sendTo(server(), { name: 'twice.ach', bytes, mayBeThere: true, beforePublish: neverPublished }),
      'bytes',
    )
  })

  test('a file of the same name with other content is never overwritten', async () => {
    for (const other of ['other!', 'longer than ours', 'o']) {
      await sshd.put('in/taken.ach', other)
      for (const upload of ['rename', 'direct', 'vanishes'] satisfies Upload[]) {
        await assert.rejects(
          sendTo(server({ upload }), {
            name: 'taken.ach',
            bytes: Buffer.from('mine!!'),
            beforePublish: neverPublished,
          }),
          transferProblem('other_content', /taken\.ach is on the server with other content/),
        )
      }
      assert.equal((await stored('taken.ach')).toString(), other)
    }
  })

  test('an upload that was broken off is finished: under the temporary name, and with direct under the final one', async () => {
    const bytes = randomBytes(100_000)
    await sshd.put('in/.half.ach.part', bytes.subarray(0, 40_000))
    assert.equal(await sendTo(server(), { name: 'half.ach', bytes, mayBeThere: true }), 'bytes')
    await sshd.put('in/direct.ach', bytes.subarray(0, 40_000))
    assert.equal(await sendTo(server({ upload: 'direct' }), { name: 'direct.ach', bytes, mayBeThere: true }), 'bytes')
    assert.deepEqual([await stored('half.ach'), await stored('direct.ach')], [bytes, bytes])
    assert.ok(!(await readdir(join(sshd.root, 'in'))).includes('.half.ach.part'))
  })

  test('a file that may be at the bank and is gone is not sent again', async () => {
    await assert.rejects(
      sendTo(server(), { name: 'gone.ach', bytes: Buffer.from('x'), mayBeThere: true, beforePublish: neverPublished }),
      transferProblem('other_content', /gone\.ach is not on the server.*Ask the bank/),
    )
    assert.equal(
      await sendTo(server({ upload: 'vanishes' }), { name: 'gone.ach', bytes: Buffer.from('x'), mayBeThere: true }),
      'taken',
    )
  })

  test('an empty file and one of exactly one packet arrive', async () => {
    assert.equal(await sendTo(server(), { name: 'empty.ach', bytes: Buffer.alloc(0) }), 'bytes')
    assert.equal(
      await sendTo(server({ packetBytes: 1_000 }), { name: 'packet.ach', bytes: randomBytes(1_000) }),
      'bytes',
    )
    assert.deepEqual([(await stored('empty.ach')).length, (await stored('packet.ach')).length], [0, 1_000])
  })

  test('regular files are listed; folders and links are skipped with a warning, and unusable names are told', async () => {
    const out = join(sshd.root, 'out')
    await writeFile(join(out, 'b.txt'), 'two')
    await writeFile(join(out, 'a.txt'), '')
    await writeFile(join(out, '.upload.part'), 'hidden')
    await mkdir(join(out, 'archive'))
    await symlink('/etc/passwd', join(out, 'passwd.txt'))
    await writeFile(
      Buffer.concat([Buffer.from(`${out}/`), Buffer.from([0x66, 0xff, 0xfe])]),
      'name in no known encoding',
    )
    await writeFile(join(out, 'line\nbreak'), 'x')
    const { files, unusable, warnings } = await inSession((session) => session.list('in'))
    assert.deepEqual(
      files.map(({ name, byteCount }) => [name, byteCount]),
      [
        ['a.txt', 0],
        ['b.txt', 3],
      ],
    )
    assert.deepEqual(
      unusable.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      [
        { name: 'f\uFFFD\uFFFD', problem: 'The name is not UTF-8.' },
        { name: 'line break', problem: 'The name contains control characters.' },
      ],
    )
    assert.match(
      warnings.join(),
      /^Skipped in \/out, because only regular files are read: (archive, passwd.txt|passwd.txt, archive)\.$/,
    )
    const read = await inSession((session) => session.read(files[1] as never))
    assert.equal(read?.toString(), 'two')
  })

  test('a file that changed since it was listed is not read', async () => {
    const path = join(sshd.root, 'out', 'growing.txt')
    await writeFile(path, 'half')
    const { files } = await inSession((session) => session.list('in'))
    const listed = files.find(({ name }) => name === 'growing.txt') as never
    await writeFile(path, 'half and more')
    assert.equal(await inSession((session) => session.read(listed)), null)
  })

  test('a file is removed once, and a second time does no harm', async () => {
    await writeFile(join(sshd.root, 'out', 'read.txt'), 'x')
    for (let time = 0; time < 2; time++) await inSession((session) => session.remove('read.txt'))
    assert.ok(!(await readdir(join(sshd.root, 'out'))).includes('read.txt'))
  })

  test('no name leaves its folder', async () => {
    for (const name of ['../x', '..', '/etc/passwd', 'a/../../x', 'a\\b']) {
      await assert.rejects(
        sendTo(server(), { name, bytes: Buffer.from('x') }),
        transferProblem('failed', /The name of a file/),
      )
      await assert.rejects(
        inSession((session) => session.remove(name)),
        transferProblem('failed', /The name of a file/),
      )
    }
  })

  test('a missing folder is empty, with a warning', async () => {
    const listing = await inSession((session) => session.list('in'), { in: '/no/such/folder' })
    assert.deepEqual(listing, {
      files: [],
      unusable: [],
      warnings: ['/no/such/folder does not exist on the server.'],
    })
  })

  test('a folder without the right to write is a refusal that names the file', async () => {
    await chmod(join(sshd.root, 'in'), 0o555)
    const forbidden = { name: 'forbidden.ach', bytes: Buffer.from('x') }
    await assert.rejects(sendTo(server(), forbidden), transferProblem('refused', /forbidden\.ach/))
    await chmod(join(sshd.root, 'in'), 0o755)
  })

  test('a line of known_hosts pins the key of its type, although the server prefers another one', async () => {
    const pinned = server({ hostKeys: [pinOf(sshd.knownHosts)] })
    assert.equal(await sendTo(pinned, { name: 'rsa.ach', bytes: Buffer.from('x') }), 'bytes')
  })

  test('key files that cannot be used are named, and no secret is', async () => {
    const path = (name: string) => join(sshd.root, '..', name)
    const { keyFile } = sshd.transport.credential as { keyFile: string }
    await writeFile(path('wrong'), 'a wrong passphrase\n')
    await writeFile(path('lines'), 'a wrong passphrase\nin two lines\n')
    await writeFile(path('garbage'), 'not a key')
    const expectations: [Partial<SftpTransport>, RegExp][] = [
      [{ credential: { keyFile: path('nowhere'), passphraseFile: null } }, /nowhere cannot be read: it does not exist/],
      [
        { credential: { keyFile: path('garbage'), passphraseFile: null } },
        /garbage cannot be used: Unsupported key format/,
      ],
      [{ credential: { keyFile: `${keyFile}.pub`, passphraseFile: null } }, /client\.pub contains a public key/],
      [{ credential: { keyFile, passphraseFile: null } }, /client cannot be used: .*no passphrase given/],
      [{ credential: { keyFile, passphraseFile: path('wrong') } }, /client cannot be used: .*bad passphrase/],
      [{ credential: { keyFile, passphraseFile: path('lines') } }, /lines must contain one line/],
      [{ credential: { passwordFile: path('nowhere') } }, /nowhere cannot be read/],
      [{ hostKeys: [] }, /No host key is pinned/],
      [{ hostKeys: ['MD5:00:11'] }, /"MD5:00:11" is neither SHA256:… nor a line of known_hosts/],
    ]
    for (const [given, message] of expectations) {
      const transport = { ...sshd.transport, ...given }
      await assert.rejects(openServer(transport), transferProblem('settings', message))
      const problems = await serverProblems(transport)
      assert.equal(problems.length, 1)
      assert.match(problems.join(), message)
      assert.doesNotMatch(problems.join(), /a wrong passphrase|not a key|PRIVATE KEY/)
    }
    const broken = { ...sshd.transport, hostKeys: [], credential: { passwordFile: path('nowhere') } }
    assert.equal((await serverProblems(broken)).length, 2)
    assert.deepEqual(await serverProblems(sshd.transport), [])
  })

  test('a password that the server does not accept is named without the secret', async () => {
    const password = server({ credential: { password: 'a secret password' } })
    await assert.rejects(sendTo(password, { name: 'x', bytes: Buffer.from('x') }), (error: Error) => {
      assert.doesNotMatch(error.message, /a secret password/)
      return transferProblem('sign_in', /does not let the user .* sign in/)(error)
    })
  })

  test('a check lists both folders, and writes and removes a file if it is asked to', async () => {
    await writeFile(join(sshd.root, 'out', 'checked.txt'), 'x')
    const files = await readdir(join(sshd.root, 'in'))
    const { out, in: inbound, hasWritten } = await checkServer(server(), { writes: false })
    assert.deepEqual(
      out.files.map(({ name }) => name),
      files.filter((name) => !name.startsWith('.')).toSorted(),
    )
    assert.ok(inbound.files.some(({ name }) => name === 'checked.txt') && !hasWritten)
    for (const upload of ['rename', 'direct', 'vanishes'] satisfies Upload[]) {
      assert.ok((await checkServer(server({ upload }), { writes: true })).hasWritten)
    }
    assert.deepEqual(await readdir(join(sshd.root, 'in')), files)
  })

  test('a changed host key sends nothing, and names both fingerprints; a pin for each key survives the change', async () => {
    const before = sshd.fingerprints.ed25519
    await sshd.restart({ newKeys: true })
    const files = await readdir(join(sshd.root, 'in'))
    await assert.rejects(sendTo(server(), { name: 'changed.ach', bytes: Buffer.from('x') }), (error: Error) => {
      assert.ok(error.message.includes(before) && error.message.includes(sshd.fingerprints.ed25519), error.message)
      return transferProblem('host_key', /disconnected and sent nothing/)(error)
    })
    assert.deepEqual(await readdir(join(sshd.root, 'in')), files)
    const both = [before, sshd.fingerprints.ed25519].map((text) => pinOf(text))
    assert.equal(await sendTo(server({ hostKeys: both }), { name: 'rotated.ach', bytes: Buffer.from('x') }), 'bytes')
    opened = await openServer(sshd.transport)
  })

  test('a bank that is down does not concern another one, and gets its file once it is up', async () => {
    const other = await startSshd()
    try {
      const otherServer = await openServer(other.transport)
      const file = { name: 'two-banks.ach', bytes: randomBytes(1_000) }
      await sshd.stop()
      const outcomes = await Promise.allSettled([sendTo(server(), file), sendTo(otherServer, file)])
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['rejected', 'fulfilled'],
      )
      await sshd.restart()
      assert.equal(await sendTo(server(), file), 'bytes')
      assert.deepEqual(
        [await stored(file.name), await readFile(join(other.root, 'in', file.name))],
        [file.bytes, file.bytes],
      )
    } finally {
      await other.remove()
    }
  })

  test('a server that is down is unreachable', async () => {
    await assert.rejects(
      sendTo(server({ port: await freePort() }), { name: 'x', bytes: Buffer.from('x') }),
      transferProblem('unreachable', /The connection to 127\.0\.0\.1:\d+ failed: ECONNREFUSED/),
    )
  })
})
