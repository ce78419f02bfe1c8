import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { withSftpSession } from '../src/connections/transport/sftp-session-actions.ts'
import type { SftpServer } from '../src/connections/transport/transport-types.ts'
import type { Upload } from '../src/foundation/core/connections.ts'
import { type Faults, type HostileServer, startHostileServer } from './support/hostile-sftp.ts'
import { neverPublished, pinOf, sendTo, transferProblem, WIDE_BOUNDS } from './support/transfer.ts'

describe('a hostile server', () => {
  let hostile: HostileServer
  before(async () => {
    hostile = await startHostileServer()
  })
  after(() => hostile.stop())

  const begin = (faults: Faults = {}): void => {
    hostile.files.clear()
    hostile.faults = faults
  }
  const server = (given: Partial<SftpServer> = {}): SftpServer => ({
    host: '127.0.0.1',
    port: hostile.port,
    user: 'acme',
    hostKeys: [pinOf(hostile.fingerprint)],
    credential: { password: 'secret' },
    packetBytes: 4_096,
    out: '/in',
    in: '/out',
    upload: 'rename',
    bounds: WIDE_BOUNDS,
    ...given,
  })
  const bytes = randomBytes(50_000)

  test('that cuts the connection after any number of bytes gets the whole file with the next try', async () => {
    for (const cutAfterBytes of [0, 1, 4_095, 4_096, 20_000, 49_999]) {
      for (const upload of ['rename', 'direct'] satisfies Upload[]) {
        begin({ cutAfterBytes })
        let mayBeThere = false
        const beforePublish = async () => {
          mayBeThere = true
        }
        await assert.rejects(
          sendTo(server({ upload }), { name: 'cut.ach', bytes, beforePublish }),
          transferProblem('unreachable', /^/),
        )
        assert.notDeepEqual(hostile.files.get('/in/cut.ach'), bytes)
        hostile.faults = {}
        assert.equal(await sendTo(server({ upload }), { name: 'cut.ach', bytes, mayBeThere, beforePublish }), 'bytes')
        assert.deepEqual([...hostile.files], [['/in/cut.ach', bytes]])
      }
    }
  })

  test('that cuts the connection while it renames has the file once, whether it renamed or not', async () => {
    for (const renames of ['cut before', 'cut after'] as const) {
      begin({ renames })
      await assert.rejects(sendTo(server(), { name: 'renamed.ach', bytes }), transferProblem('unreachable', /^/))
      hostile.faults = {}
      assert.equal(await sendTo(server(), { name: 'renamed.ach', bytes, mayBeThere: true }), 'bytes')
      assert.deepEqual([...hostile.files], [['/in/renamed.ach', bytes]])
    }
  })

  test('whose disk is full has no file under the final name', async () => {
    begin({ diskBytes: 10_000 })
    await assert.rejects(
      sendTo(server(), { name: 'full.ach', bytes, beforePublish: neverPublished }),
      transferProblem('failed', /did not store/),
    )
    assert.ok(!hostile.files.has('/in/full.ach'))
  })

  test('that reports success and stores nothing is not believed', async () => {
    begin({ storesNothing: true })
    for (const upload of ['rename', 'vanishes'] satisfies Upload[]) {
      await assert.rejects(
        sendTo(server({ upload }), { name: 'nothing.ach', bytes, beforePublish: neverPublished }),
        transferProblem('failed', /reported success, but .* is missing/),
      )
    }
    await assert.rejects(
      sendTo(server({ upload: 'direct' }), { name: 'nothing.ach', bytes }),
      transferProblem('other_content', /not on the server/),
    )
  })

  test('that forbids renaming is a refusal; direct sends to it', async () => {
    begin({ renames: 'forbidden' })
    await assert.rejects(sendTo(server(), { name: 'a.ach', bytes }), transferProblem('refused', /did not rename/))
    assert.ok(!hostile.files.has('/in/a.ach'))
    assert.equal(await sendTo(server({ upload: 'direct' }), { name: 'a.ach', bytes }), 'bytes')
  })

  test('whose rename overwrites keeps the file of somebody else', async () => {
    begin({ renames: 'overwriting' })
    hostile.files.set('/in/theirs.ach', Buffer.from('theirs'))
    await assert.rejects(
      sendTo(server(), { name: 'theirs.ach', bytes }),
      transferProblem('other_content', /other content/),
    )
    assert.equal(hostile.files.get('/in/theirs.ach')?.toString(), 'theirs')
  })

  test('that takes files at once is believed only where the connection says so', async () => {
    begin({ takesFiles: true })
    await assert.rejects(
      sendTo(server(), { name: 'taken.ach', bytes }),
      transferProblem('other_content', /not on the server/),
    )
    assert.equal(await sendTo(server({ upload: 'vanishes' }), { name: 'taken.ach', bytes }), 'taken')
  })

  test('that lets nobody read proves the size', async () => {
    begin({ forbidsReading: true })
    assert.equal(await sendTo(server(), { name: 'size.ach', bytes }), 'size')
    hostile.files.set('/in/other.ach', randomBytes(50_001))
    await assert.rejects(
      sendTo(server(), { name: 'other.ach', bytes }),
      transferProblem('other_content', /of 50001 bytes/),
    )
  })

  test('that changes its host key between two sessions is not believed', async () => {
    begin()
    const pinned = server()
    const beforePublish = async () => hostile.changeHostKey()
    await assert.rejects(
      sendTo(pinned, { name: 'key.ach', bytes, beforePublish }),
      transferProblem('host_key', /has the host key SHA256/),
    )
    await hostile.stop()
    hostile = await startHostileServer()
  })

  test('that lists 10,000 names, paths and devices gives the files only', async () => {
    const entries = Array.from({ length: 10_000 }, (_, number) => ({ filename: `n${number}`, mode: 0o100644 }))
    begin({
      entries: [
        ...entries,
        { filename: '../x', mode: 0o100644 },
        { filename: '/etc/passwd', mode: 0o100644 },
        { filename: 'device', mode: 0o020644 },
        { filename: 'x'.repeat(300), mode: 0o100644 },
      ],
    })
    const { files, unusable, warnings } = await withSftpSession(server(), (session) => session.list('in'))
    assert.equal(files.length, 10_000)
    assert.deepEqual(
      unusable.map(({ problem }) => problem),
      ['The name contains a path.', 'The name contains a path.', 'The name is longer than 255 bytes.'],
    )
    assert.deepEqual(warnings, ['Skipped in /out, because only regular files are read: device.'])
    hostile.faults.entries?.push(...entries, ...entries)
    await assert.rejects(
      withSftpSession(server(), (session) => session.list('in')),
      transferProblem('failed', /more than 20000 files/),
    )
  })

  test('with a file that grows while it is read is read another time', async () => {
    begin({ growing: '/out/growing' })
    hostile.files.set('/out/growing', Buffer.from('some'))
    const read = await withSftpSession(server(), async (session) => {
      const [file] = (await session.list('in')).files
      return session.read(file as never)
    })
    assert.equal(read, null)
  })

  test('that does not answer is left after a bounded time', async () => {
    begin({ isSilent: true })
    const bounds = { ...WIDE_BOUNDS, connectMs: 300 }
    await assert.rejects(
      sendTo(server({ bounds }), { name: 'x', bytes }),
      transferProblem('timed_out', /did not complete the sign-in within 0.3 s/),
    )
  })

  test('with a banner of 1 MB is left', async () => {
    begin({ banner: Buffer.alloc(1024 ** 2, 'x') })
    await assert.rejects(sendTo(server(), { name: 'x', bytes }), transferProblem('unreachable', /failed|closed/))
  })

  test('that closes after each command gets the file in no session, and nothing is believed', async () => {
    begin({ closesAfterEach: true })
    await assert.rejects(sendTo(server(), { name: 'x.ach', bytes }), transferProblem('unreachable', /^/))
    assert.ok(!hostile.files.has('/in/x.ach'))
  })
})
