import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findConnectionState } from '../src/connections/exchange/connection-state-store.ts'
import type { Connection } from '../src/foundation/core/connections.ts'
import type { Deps } from '../src/foundation/db/deps.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { nextAchWindow } from '../src/foundation/lib/banking-day.ts'
import { readAchFiles, writeAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { exchangeBankFiles } from '../src/operation/scheduler/bank-file-work.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { readMail } from '../src/payments/mailbox/mailbox-worker.ts'
import {
  achFolder,
  acknowledgment,
  bankFile,
  connection,
  connectionsOf,
  exchange,
  fileStatuses,
  readAch,
} from './support/ach.ts'
import { type FileService, mailboxAddress, pay, startFileService, statusOf } from './support/file-service.ts'
import { type HostileServer, startHostileServer } from './support/hostile-sftp.ts'
import { addBank, addVerifiedBank } from './support/service.ts'
import { requireSshd, type Sshd, startSshd } from './support/sshd.ts'

const hoursLater = (deps: Deps): Deps => {
  const now = new Date(deps.realClock.now().getTime() + 2 * 3_600_000)
  return { ...deps, realClock: { now: () => now } }
}

// Production over SFTP with OpenSSH: ACH files are uploaded and returns are downloaded.

const missing = requireSshd()

describe('a bank over SFTP', { skip: missing ?? false }, () => {
  let first: Sshd
  before(async () => {
    first = await startSshd()
  })
  after(async () => {
    await first?.remove()
  })

  const overSftp = (id: string, bank: Sshd): Connection => ({
    ...connection({ folder: '/nowhere', id, acknowledgements: { ach: 'required', paper: 'none' } }),
    transport: { ...bank.transport, hostKeys: [bank.fingerprints.ed25519] },
  })

  /** A connection to a server made for tests, which keeps the files that were read. */
  async function overHostile(t: TestContext, id: string, { port, fingerprint }: HostileServer): Promise<Connection> {
    const passwordFile = join(await achFolder(t), 'password')
    await writeFile(passwordFile, 'secret', { mode: 0o600 })
    const server = { host: '127.0.0.1', port, user: 'acme', credential: { passwordFile }, hostKeys: [fingerprint] }
    const bounds = { connectMs: 60_000, answerMs: 60_000, sessionMs: 240_000 }
    const transfer = { out: '/in', in: '/out', upload: 'rename', removesRead: false, packetBytes: 1_024 } as const
    return {
      ...connection({ folder: '/nowhere', id }),
      transport: { type: 'sftp', ...server, ...transfer, bounds, pgp: null },
    }
  }

  /** Runs passes without waiting for the retry delay: the real clock is a minute later in each pass. */
  function passesOf({ deps }: Pick<FileService, 'deps'>) {
    let realMs = deps.realClock.now().getTime()
    const later = (): Deps => {
      realMs += 5 * 60_000
      const now = new Date(realMs)
      return { ...deps, realClock: { now: () => now } }
    }
    const write = async () => {
      while ((await writeAchFiles(deps, achHooks)) > 0);
      await exchange(later())
    }
    /** Runs two passes, because a file is downloaded if it has not changed since the previous pass. */
    const fetch = async () => {
      for (let pass = 0; pass < 2; pass++) await exchangeBankFiles(later())
      await readAchFiles(deps, achHooks)
      await exchange(deps)
    }
    return { later, write, fetch }
  }

  async function toWindow(service: FileService, write: () => Promise<void>) {
    const now = service.clock.now().getTime()
    service.clock.advance((nextAchWindow(new Date(now + 1)).getTime() - now) / 1000)
    await service.doDueWork()
    await write()
  }

  const sentFiles = async (bank: Sshd) => {
    const names = (await readdir(join(bank.root, 'in'))).sort()
    return Promise.all(names.map(async (name) => readAch(name, await readFile(join(bank.root, 'in', name), 'latin1'))))
  }

  const openCases = async ({ deps }: Pick<FileService, 'deps'>) =>
    (await getBankCases(deps)).map(({ connectionId, kind, fileName }) => `${connectionId} ${kind} ${fileName}`)

  test('a payment is PAID: its files arrive once, acknowledgments and returns are downloaded, and nothing is left on the server', async (t) => {
    const service = await startFileService(t, { connections: connectionsOf([overSftp('first', first)]) })
    const { write, fetch } = passesOf(service)
    const acknowledge = async () => {
      for (const name of await readdir(join(first.root, 'in'))) {
        const content = await readFile(join(first.root, 'in', name), 'latin1')
        await first.put(`out/ack-${name}.txt`, acknowledgment(content))
      }
      await fetch()
    }
    const [sender, recipient] = [await service.newUser(), await service.newUser()]
    await addVerifiedBank(sender)
    const account = await addBank(recipient)
    const id = await pay({ sender, recipient, account }, 12.5)
    for (let window = 0; window < 16 && (await statusOf(sender, id)) !== 'PAID'; window++) {
      await toWindow(service, write)
      await acknowledge()
      await fetch()
      await service.doDueWork()
    }
    assert.equal(await statusOf(sender, id), 'PAID')
    const entries = (await sentFiles(first)).flatMap((file) => file.entries)
    assert.deepEqual(
      entries.filter(({ cents }) => cents === 1_250).map(({ code }) => code.charAt(1)),
      ['7', '2'],
    )
    assert.deepEqual(new Set(Object.values(await fileStatuses(service.deps.sql))), new Set(['ACCEPTED']))
    assert.deepEqual(await readdir(join(first.root, 'out')), [], 'read files are removed')
    assert.deepEqual(await openCases(service), [])

    const credit = entries.find(({ cents, code }) => cents === 1_250 && code.endsWith('2'))
    assert.ok(credit)
    const returned = { code: 'R03', trace: credit.trace, direction: 'credit', cents: 1_250 } as const
    await first.put('out/returns.ach', bankFile([returned]))
    await fetch()
    assert.equal(await statusOf(sender, id), 'FAILED')
    await service.assertLedger()
  })

  test('one bank is down, and the other one is served', async (t) => {
    const [good, second] = [await startSshd(), await startSshd()]
    t.after(() => Promise.all([good.remove(), second.remove()]))
    const connections = connectionsOf([overSftp('first', good), overSftp('second', second)])
    const service = await startFileService(t, { connections })
    const { write, fetch } = passesOf(service)
    await second.stop()
    try {
      await newUserOver(service)
      await toWindow(service, write)
      await fetch()
      const [statuses] = [Object.values(await fileStatuses(service.deps.sql))]
      assert.deepEqual(statuses, ['TRANSMITTED'])
      const state = await findConnectionState(service.deps.sql, 'second')
      assert.match(state?.lastProblem ?? '', /127\.0\.0\.1/)
      assert.deepEqual(await openCases(service), [], 'a short outage of a bank opens no case')
      for (let pass = 0; pass < 8; pass++) await fetch()
      assert.deepEqual(await openCases(service), ['second connection_failing second'])
    } finally {
      await second.restart()
    }
  })

  test('a bank whose server is slow does not delay another one', async (t) => {
    const [slow, quick] = [await startHostileServer(), await startHostileServer()]
    t.after(() => Promise.all([slow.stop(), quick.stop()]))
    slow.faults.isSilentAfterSignIn = true
    const connections = connectionsOf([await overHostile(t, 'slow', slow), await overHostile(t, 'quick', quick)])
    const { deps } = await startFileService(t, { connections })
    let hasEnded = false
    const pass = exchangeBankFiles(deps).finally(() => {
      hasEnded = true
    })
    const isServed = async () => (await findConnectionState(deps.sql, 'quick'))?.contactedAt !== undefined
    for (let tries = 0; tries < 100 && !(await isServed()); tries++) await sleep(100)
    assert.deepEqual([await isServed(), hasEnded], [true, false])
    await slow.stop()
    await pass
  })

  for (const [late, early] of [
    ['json', 'pdf'],
    ['pdf', 'json'],
  ] as const)
    test(`the ${late} of a piece of mail is delayed while its bank is unreachable for hours`, async (t) => {
      const bank = await startSshd()
      t.after(() => bank.remove())
      const connections = connectionsOf([overSftp('first', bank)])
      const service = await startFileService(t, { connections, settings: { mailboxAddress } })
      const { later } = passesOf(service)
      const { address } = (await (await service.newUser()).post('/v3/mailbox', {})).body
      const letter = { id: 'letter-1', mailbox: address.line_2.slice(4), sender: 'Ann Payer', checks: [] }
      const parts = { pdf: Buffer.from('%PDF-1.4 a scan'), json: JSON.stringify(letter) }
      await bank.put(`out/mail-1.${early}`, parts[early])
      for (let pass = 0; pass < 2; pass++) await exchangeBankFiles(later())
      await bank.put(`out/mail-1.${late}`, parts[late])
      await bank.stop()
      service.clock.advance(2 * 3_600)
      await exchangeBankFiles(later())
      await readMail(hoursLater(service.deps))
      assert.deepEqual(
        (await openCases(service)).filter((one) => one.includes('mail-1')),
        [],
      )

      await bank.restart()
      for (let pass = 0; pass < 2; pass++) await exchangeBankFiles(later())
      await readMail(service.deps)
      assert.deepEqual(await openCases(service), [])
      const mail = await service.deps.sql`select name, status from exchanges where name like 'mail-%' order by name`
      assert.deepEqual(
        mail.map(({ name, status }) => `${name} ${status}`),
        ['mail-1.json READ', 'mail-1.pdf READ'],
      )
    })

  test('with an unknown host key, nothing is sent, and a case names both keys and closes when the key is correct again', async (t) => {
    const bank = await startSshd()
    t.after(() => bank.remove())
    const pinned = bank.fingerprints.ed25519
    const service = await startFileService(t, { connections: connectionsOf([overSftp('first', bank)]) })
    const { write, later } = passesOf(service)
    await bank.restart({ newKeys: true })
    await newUserOver(service)
    await toWindow(service, write)
    assert.deepEqual(await readdir(join(bank.root, 'in')), [])
    assert.deepEqual(await openCases(service), ['first connection_failing first'])
    const [one] = await getBankCases(service.deps)
    assert.ok(one)
    assert.ok(one.note.includes(pinned) && one.note.includes(bank.fingerprints.ed25519))
    const shown = JSON.parse(await exceptionCommand({}, ['show', one.id])(service.deps))
    assert.deepEqual(shown.commands[0], 'remit connections test first')
    const repinned = connectionsOf([overSftp('first', bank)])
    for (let pass = 0; pass < 12; pass++) await exchangeBankFiles({ ...later(), connections: repinned })
    assert.deepEqual(await openCases(service), [])
    assert.equal((await readdir(join(bank.root, 'in'))).length, 1)
  })

  /** A bank whose folder has another file with the name of our first one, so that this one waits for the operator. */
  async function startWithUsedName(t: TestContext) {
    const bank = await startSshd()
    t.after(() => bank.remove())
    const service = await startFileService(t, { connections: connectionsOf([overSftp('first', bank)]) })
    const { write } = passesOf(service)
    await newUserOver(service)
    await bank.put('in/20260302-A.ach', 'somebody else’s')
    await toWindow(service, write)
    assert.deepEqual(await openCases(service), ['first file_not_sent 20260302-A'])
    const files = (verb: string, flags: CommandFlags = {}) => filesCommand(flags, [verb, '20260302-A'])(service.deps)
    const statusOfFile = async () => (await fileStatuses(service.deps.sql))['20260302-A']
    return { bank, service, write, files, statusOfFile }
  }

  test('a file with our name and other content becomes a case, and our file is sent after the operator’s decision', async (t) => {
    const { bank, service, write } = await startWithUsedName(t)
    assert.equal((await readFile(join(bank.root, 'in/20260302-A.ach'))).toString(), 'somebody else’s')
    assert.deepEqual(await fileStatuses(service.deps.sql), { '20260302-A': 'WRITTEN' })

    const [{ id } = { id: '' }] = await getBankCases(service.deps)
    const close = () => exceptionCommand({ note: 'the bank removed the other file' }, ['close', id])(service.deps)
    await assert.rejects(close(), /20260302-A waits for your decision.* remit files send 20260302-A --yes/)
    const { commands } = JSON.parse(await exceptionCommand({}, ['show', id])(service.deps))
    assert.deepEqual(
      commands.filter((line: string) => line.includes('exceptions close')),
      [],
    )
    assert.deepEqual(await openCases(service), ['first file_not_sent 20260302-A'])

    const send = async () => {
      await filesCommand({ yes: true }, ['send', '20260302-A'])(service.deps)
      assert.deepEqual(await openCases(service), [])
      await write()
    }
    await send()
    assert.deepEqual(
      await openCases(service),
      ['first file_not_sent 20260302-A'],
      'the file is there again, in another case',
    )
    await rm(join(bank.root, 'in/20260302-A.ach'))
    await send()
    assert.deepEqual(await openCases(service), [])
    assert.deepEqual(await fileStatuses(service.deps.sql), { '20260302-A': 'TRANSMITTED' })
  })

  test('two operators who both ask the bank do not send a file twice', async (t) => {
    const { bank, service, write, files, statusOfFile } = await startWithUsedName(t)
    await rm(join(bank.root, 'in/20260302-A.ach'))
    await files('send', { yes: true })
    // The session ends after the upload and before its proof, and the bank processes the file.
    await service.ownerSql`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'the process ends'; end $$
    `
    await service.ownerSql`
      create trigger broken before update on exchange_parts for each row
      when (new.transmitted_at is not null) execute function refuse()
    `
    await write()
    await service.ownerSql`drop trigger broken on exchange_parts`
    assert.equal(await statusOfFile(), 'WRITTEN')
    await rm(join(bank.root, 'in/20260302-A.ach'))
    await assert.rejects(files('send', { yes: true }), /20260302-A waits for no decision/)
    await assert.rejects(files('cancel'), /The upload of 20260302-A has begun/)
    await write()
    assert.deepEqual(await readdir(join(bank.root, 'in')), [], 'the bank gets the file once')
    assert.deepEqual(await openCases(service), ['first file_not_sent 20260302-A'])
  })

  test('a file whose upload has not begun is accepted or rejected only after the operator says how the bank got it', async (t) => {
    const bank = await startSshd()
    t.after(() => bank.remove())
    const service = await startFileService(t, { connections: connectionsOf([overSftp('first', bank)]) })
    const { write } = passesOf(service)
    await newUserOver(service)
    await bank.stop()
    await toWindow(service, write)
    const files = (verb: string, flags: CommandFlags = {}) => filesCommand(flags, [verb, '20260302-A'])(service.deps)
    for (const [verb, flags] of [['accept'], ['reject'], ['reject', { batch: ['1'] }]] as const) {
      await assert.rejects(files(verb, flags && { batch: [...flags.batch] }), /has not begun to upload.*mark-sent/)
    }
    await bank.restart()
    await write()
    assert.deepEqual(await fileStatuses(service.deps.sql), { '20260302-A': 'TRANSMITTED' })
    assert.equal((await readdir(join(bank.root, 'in'))).length, 1)

    await service.ownerSql`update exchanges set status = 'WRITTEN', published_at = null, transmitted_at = null`
    await files('mark-sent', { by: 'Ada', why: 'given to the bank by mail' })
    assert.match(await files('accept'), /is ACCEPTED/)
  })

  test('the case of a file that was not sent stays open until the operator decides about the file', async (t) => {
    const { bank, service, write, files, statusOfFile } = await startWithUsedName(t)
    await service.ownerSql`
      update bank_cases set closed_at = now(), resolution = 'closed without a decision', closed_by = 'operator'
    `
    await write()
    assert.deepEqual(await openCases(service), ['first file_not_sent 20260302-A'])
    assert.match(await files('cancel'), /is CANCELED/)
    assert.equal(await statusOfFile(), 'CANCELED')
    assert.deepEqual(await openCases(service), [])
    assert.doesNotMatch(await filesCommand({}, ['list'])(service.deps), /20260302-A/)
    await write()
    assert.deepEqual(await openCases(service), [])
    assert.equal((await readFile(join(bank.root, 'in/20260302-A.ach'))).toString(), 'somebody else’s')
  })

  test('a file with a used name and other content, and an empty file, become cases that hold this bank', async (t) => {
    const bank = await startSshd()
    t.after(() => bank.remove())
    const one = overSftp('first', bank)
    const keeping = { ...one, transport: { ...bank.transport, ...one.transport, removesRead: false } } as Connection
    const service = await startFileService(t, { connections: connectionsOf([keeping]) })
    const { fetch } = passesOf(service)
    await bank.put('out/a.ach', bankFile([{ code: 'R01', trace: '091000010000001', direction: 'debit', cents: 1 }]))
    await bank.put('out/b.ach', '')
    await fetch()
    assert.deepEqual(await openCases(service), ['first entry_unread a.ach', 'first file_unread b.ach'])
    await bank.put(
      'out/a.ach',
      `${bankFile([{ code: 'R02', trace: '091000010000001', direction: 'debit', cents: 1 }])}\n`,
    )
    await fetch()
    assert.deepEqual((await openCases(service)).sort(), [
      'first entry_unread a.ach',
      'first file_unread a.ach',
      'first file_unread b.ach',
    ])
    assert.deepEqual((await readdir(join(bank.root, 'out'))).sort(), ['a.ach', 'b.ach'])
  })

  test('a file of the same name and size is fetched from a server that does not tell the times of files', async (t) => {
    const bank = await startHostileServer()
    t.after(() => bank.stop())
    bank.faults.hides = { from: 'everything', attributes: ['mtime'] }
    const service = await startFileService(t, { connections: connectionsOf([await overHostile(t, 'first', bank)]) })
    const { later } = passesOf(service)
    const put = (trace: string) =>
      bank.files.set('/out/a.ach', Buffer.from(bankFile([{ code: 'R01', trace, direction: 'debit', cents: 1 }])))
    const received = async () => (await service.deps.sql`select problem from exchanges`).map(({ problem }) => problem)
    const results: unknown[][] = []
    for (const trace of ['091000010000001', '091000010000002']) {
      put(trace)
      for (let pass = 0; pass < 4; pass++) await exchangeBankFiles(later())
      results.push(await received())
    }
    assert.deepEqual(results, [[null], [null, 'a file of this name with other content was received before']])
    // It is replaced between two passes. The first one has read an incomplete file.
    put('091000010000003')
    await exchangeBankFiles(later())
    put('091000010000004')
    await exchangeBankFiles(later())
    assert.equal((await received()).length, 2)
  })

  /** A user whose micro-deposits go into the first file. */
  const newUserOver = async (service: FileService) => addVerifiedBank(await service.newUser())
})
