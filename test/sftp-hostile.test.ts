import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { uploadFile } from '../src/connections/transport/send-file-actions.ts'
import { withSftpSession } from '../src/connections/transport/sftp-session-actions.ts'
import type { SftpServer } from '../src/connections/transport/transport-types.ts'
import type { Upload } from '../src/foundation/core/connections.ts'
import { type Faults, type HostileServer, startHostileServer } from './support/hostile-sftp.ts'
import { neverPublished, sendTo, serverAt, transferProblem, WIDE_BOUNDS } from './support/transfer.ts'

describe('a hostile server', () => {
  let hostile: HostileServer
  before(async () => {
    hostile = await startHostileServer()
  })
  after(() => hostile.stop())

  const begin = (faults: Faults = {}): void => {
    hostile.files.clear()
    hostile.faults = faults
    hostile.onRequest = () => true
  }
  const server = (own: Partial<SftpServer> = {}): SftpServer => serverAt(hostile, own)
  const bytes = randomBytes(10_000)

  test('that closes the connection after any number of bytes gets the whole file with the next try', async () => {
    for (const cutAfterBytes of [0, 1_023, 1_024, 9_999]) {
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

  test('that closes the connection during a rename has the file once, whether it renamed or not', async () => {
    for (const renames of ['cut before', 'cut after'] as const) {
      begin({ renames })
      await assert.rejects(sendTo(server(), { name: 'renamed.ach', bytes }), transferProblem('unreachable', /^/))
      hostile.faults = {}
      assert.equal(await sendTo(server(), { name: 'renamed.ach', bytes, mayBeThere: true }), 'bytes')
      assert.deepEqual([...hostile.files], [['/in/renamed.ach', bytes]])
    }
  })

  test('whose disk is full has no file under the final name', async () => {
    begin({ diskBytes: 5_000 })
    await assert.rejects(
      sendTo(server(), { name: 'full.ach', bytes, beforePublish: neverPublished }),
      transferProblem('failed', /did not store/),
    )
    assert.ok(!hostile.files.has('/in/full.ach'))
  })

  test('that reports success and stores nothing is detected', async () => {
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

  test('that forbids renaming causes a refusal, and direct uploads work', async () => {
    begin({ renames: 'forbidden' })
    await assert.rejects(sendTo(server(), { name: 'a.ach', bytes }), transferProblem('refused', /did not rename/))
    assert.ok(!hostile.files.has('/in/a.ach'))
    assert.equal(await sendTo(server({ upload: 'direct' }), { name: 'a.ach', bytes }), 'bytes')
  })

  test('that pretends to rename is detected, even if it takes files away', async () => {
    begin({ renames: 'pretended' })
    for (const upload of ['rename', 'vanishes'] satisfies Upload[]) {
      const file = { name: `${upload}.ach`, bytes }
      await assert.rejects(sendTo(server({ upload }), file), transferProblem('other_content', /not whole/))
    }
  })

  test('whose rename leaves the temporary name is cleaned up', async () => {
    begin({ renames: 'copying' })
    assert.equal(await sendTo(server(), { name: 'copied.ach', bytes }), 'bytes')
    assert.deepEqual([...hostile.files.keys()], ['/in/copied.ach'])
  })

  test('whose rename overwrites keeps another party’s file', async () => {
    begin({ renames: 'overwriting' })
    hostile.files.set('/in/theirs.ach', Buffer.from('theirs'))
    await assert.rejects(
      sendTo(server(), { name: 'theirs.ach', bytes }),
      transferProblem('other_content', /other content/),
    )
    assert.equal(hostile.files.get('/in/theirs.ach')?.toString(), 'theirs')
  })

  test('whose rename overwrites keeps a file that appears during the upload', async () => {
    begin({ renames: 'overwriting' })
    const beforePublish = async () => {
      hostile.files.set('/in/theirs.ach', Buffer.from('theirs'))
    }
    await assert.rejects(
      sendTo(server(), { name: 'theirs.ach', bytes, beforePublish }),
      transferProblem('other_content', /already on the server/),
    )
    assert.equal(hostile.files.get('/in/theirs.ach')?.toString(), 'theirs')
  })

  test('that takes files away at once is accepted only if the connection is configured for it', async () => {
    begin({ takesFiles: true })
    await assert.rejects(
      sendTo(server(), { name: 'taken.ach', bytes }),
      transferProblem('other_content', /not on the server/),
    )
    assert.equal(await sendTo(server({ upload: 'vanishes' }), { name: 'taken.ach', bytes }), 'taken')
  })

  test('that denies reading proves the size', async () => {
    begin({ forbidsReading: true })
    assert.equal(await sendTo(server(), { name: 'size.ach', bytes }), 'size')
    hostile.files.set('/in/other.ach', randomBytes(10_001))
    await assert.rejects(
      sendTo(server(), { name: 'other.ach', bytes }),
      transferProblem('other_content', /of 10001 bytes/),
    )
  })

  test('that changes its host key between two sessions is refused', async () => {
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

  test('that asks for the password as a hidden question gets it, and one with a visible question does not', async () => {
    begin({ asksForPassword: 'hidden' })
    assert.equal(await sendTo(server(), { name: 'asked.ach', bytes }), 'bytes')
    begin({ asksForPassword: 'shown' })
    await assert.rejects(sendTo(server(), { name: 'x.ach', bytes }), transferProblem('sign_in', /sign in/))
  })

  const list = () => withSftpSession(server(), (session) => session.list('in'))
  const regular = { mode: 0o100644, size: 1 }

  test('that lists 10,000 names, paths and devices returns only the files', async () => {
    const entries = Array.from({ length: 10_000 }, (_, number) => ({ filename: `n${number}`, attrs: regular }))
    begin({
      entries: [
        ...entries,
        { filename: '../x', attrs: regular },
        { filename: '/etc/passwd', attrs: regular },
        { filename: 'device', attrs: { mode: 0o020644, size: 0 } },
        { filename: 'x'.repeat(300), attrs: regular },
      ],
    })
    const { files, unusable, warnings } = await list()
    assert.equal(files.length, 10_000)
    assert.deepEqual(
      unusable.map(({ problem }) => problem),
      ['The name contains a path.', 'The name contains a path.', 'The name is longer than 255 bytes.'],
    )
    assert.deepEqual(warnings, ['Skipped in /out, because only regular files are read: device.'])
  })

  test('whose listing does not end, or is one large packet, is disconnected', async () => {
    const entries = Array.from({ length: 100 }, (_, number) => ({ filename: `n${number}`, attrs: regular }))
    begin({ entries, listsForever: true })
    await assert.rejects(list(), transferProblem('failed', /more than 20000 files/))
    begin({ entries: Array(10_000).fill(entries).flat().slice(0, 10_000), listsAtOnce: true })
    await assert.rejects(list(), transferProblem('unreachable', /broke the SFTP protocol/))
  })

  test('that omits attributes can still be read and written', async () => {
    for (const from of ['listings', 'everything'] as const) {
      begin({ hides: { from, attributes: ['mode', 'mtime'] } })
      hostile.files.set('/out/a.txt', Buffer.from('content'))
      const { files, warnings } = await list()
      assert.deepEqual(files, [{ name: 'a.txt', byteCount: 7, modifiedAt: null }])
      assert.deepEqual(warnings, [])
      const read = await withSftpSession(server(), (session) => session.read(files[0] as never))
      assert.equal(read?.toString(), 'content')
    }
    begin({ hides: { from: 'listings', attributes: ['size', 'mtime', 'mode'] } })
    hostile.files.set('/out/a.txt', Buffer.from('content'))
    assert.deepEqual(
      (await list()).files.map(({ byteCount }) => byteCount),
      [7],
    )
    begin({ hides: { from: 'everything', attributes: ['size'] } })
    hostile.files.set('/out/a.txt', Buffer.from('content'))
    assert.deepEqual((await list()).unusable, [{ name: 'a.txt', problem: 'The server does not say its size.' }])
    assert.equal(await sendTo(server(), { name: 'sizeless.ach', bytes }), 'bytes')
    hostile.faults.forbidsReading = true
    await assert.rejects(
      sendTo(server(), { name: 'sizeless.ach', bytes }),
      transferProblem('failed', /does not say the size/),
    )
  })

  test('with a file of 2^60 bytes does not have it read', async () => {
    begin({ entries: [{ filename: 'huge', attrs: { mode: 0o100644, size: 2 ** 60 } }] })
    const read = withSftpSession(server(), async (session) =>
      session.read((await session.list('in')).files[0] as never),
    )
    await assert.rejects(read, transferProblem('failed', /huge has 1152921504606847000 bytes\. Files of up to 256 MB/))
  })

  test('that returns fewer bytes than requested returns the whole file', async () => {
    begin({ readsAtMost: 100 })
    hostile.files.set('/out/file', bytes)
    const progress: number[] = []
    const read = await withSftpSession(server(), async (session) => {
      const [file] = (await session.list('in')).files
      return session.read(file as never, ({ doneBytes, totalBytes }) => {
        assert.equal(totalBytes, bytes.length)
        progress.push(doneBytes)
      })
    })
    assert.deepEqual(read, bytes)
    assert.deepEqual(
      progress,
      progress.toSorted((one, other) => one - other),
    )
    assert.equal(progress.at(-1), bytes.length)
  })

  test('reports the progress of an upload', async () => {
    begin()
    const progress: number[] = []
    await sendTo(server(), { name: 'a.ach', bytes, onProgress: ({ doneBytes }) => progress.push(doneBytes) })
    assert.equal(progress.length, 10)
    assert.equal(progress.at(-1), bytes.length)
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

  test('that does not answer is disconnected after a limited time: before the sign-in, after it, and when a session is long', async () => {
    begin({ isSilent: true })
    const bounded = (given: Partial<SftpServer['bounds']>) => server({ bounds: { ...WIDE_BOUNDS, ...given } })
    await assert.rejects(
      sendTo(bounded({ connectMs: 300 }), { name: 'x', bytes }),
      transferProblem('timed_out', /did not complete the sign-in within 0\.3 s/),
    )
    begin({ isSilentAfterSignIn: true })
    await assert.rejects(
      withSftpSession(bounded({ answerMs: 2_000 }), (session) => session.list('in')),
      transferProblem('timed_out', /The server did not (list \/out|open SFTP) within 2 s/),
    )
    begin()
    const endless = withSftpSession(bounded({ sessionMs: 2_000 }), async (session) => {
      for (;;) await session.list('in')
    })
    await assert.rejects(endless, transferProblem('timed_out', /The session took longer than 2 s/))
  })

  test('with a banner of 1 MB is left', async () => {
    begin({ banner: Buffer.alloc(1024 ** 2, 'x') })
    await assert.rejects(sendTo(server(), { name: 'x', bytes }), transferProblem('unreachable', /failed|closed/))
  })

  test('that closes after each command gets the file in no session, and no upload counts as done', async () => {
    begin({ closesAfterEach: true })
    await assert.rejects(sendTo(server(), { name: 'x.ach', bytes }), transferProblem('unreachable', /^/))
    assert.ok(!hostile.files.has('/in/x.ach'))
  })

  test('that fails one file does not fail the next one of the same session', async () => {
    begin()
    hostile.files.set('/in/first.ach', Buffer.from('of somebody else'))
    const outcomes = await withSftpSession(server(), async (session) => {
      const files = ['first.ach', 'second.ach'].map((name) => ({
        name,
        bytes,
        mayBeThere: false,
        beforePublish: async () => {},
      }))
      return Promise.allSettled(files.map((file) => uploadFile(session, file)))
    })
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    )
    assert.deepEqual(hostile.files.get('/in/second.ach'), bytes)
  })

  test('gets nothing more from a process that paused and lost its connection to another one', async () => {
    begin()
    let isHeld = true
    const beforePublish = async () => {
      isHeld = false
    }
    const file = { name: 'a.ach', bytes, mayBeThere: false, beforePublish }
    const session = withSftpSession(server(), (one) => uploadFile(one, file), { mayContinue: () => isHeld })
    await assert.rejects(session, transferProblem('timed_out', /stood still/))
    assert.deepEqual([...hostile.files.keys()], ['/in/.a.ach.part'])
  })

  test('learns nothing about an error of the work, which is rethrown unchanged', async () => {
    begin()
    const beforePublish = async () => {
      throw new Error('the database is away')
    }
    await assert.rejects(sendTo(server(), { name: 'a.ach', bytes, beforePublish }), /the database is away/)
    assert.ok(!hostile.files.has('/in/a.ach'))
  })
})
