import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, suite, type TestContext, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { bankFile } from './support/ach.ts'
import { sshdConnection, twoBanks } from './support/connections.ts'
import { auditOf, type FileService, startFileService } from './support/file-service.ts'
import { createIssueList, issueListOf, prepareProduction } from './support/production-process.ts'
import { requireSshd, startSshd } from './support/sshd.ts'
import { waitUntil } from './support/wait-until.ts'

// The operator lists files in both directions and decides about them.

const files = ({ deps }: Pick<FileService, 'deps'>, line: string, flags: CommandFlags = {}): Promise<string> =>
  filesCommand(flags, line.split(' '))(deps)

/** The cells of a table, without its header. */
const cellsOf = (table: string): string[][] =>
  table
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/))

const unknownReturn = bankFile([{ code: 'R01', trace: '091000010000001', direction: 'debit', cents: 1 }])

suite('remit files', () => {
  test('lists files in both directions, and filters them', async (t) => {
    const service = await startFileService(t)
    await createIssueList(service, { name: 'issue-1' })
    await service.write()
    await service.receive('returns.ach', unknownReturn)
    await service.receive('empty.ach', bankFile([]))
    const listed = async (flags: CommandFlags = {}) =>
      cellsOf(await files(service, 'list', flags)).map(
        ([name, , direction, status]) => `${name} ${direction} ${status}`,
      )
    assert.deepEqual((await listed()).sort(), ['issue-1 out WRITTEN', 'returns.ach in READ'])
    assert.match(await files(service, 'list'), /^returns\.ach .*an open exception$/m)
    assert.deepEqual((await listed({ all: true, direction: 'in' })).sort(), [
      'empty.ach in READ',
      'returns.ach in READ',
    ])
    assert.deepEqual(await listed({ status: 'WRITTEN' }), ['issue-1 out WRITTEN'])
    assert.equal(
      await files(service, 'list', { connection: 'second' }),
      'No open files. --all lists finished files too.',
    )
    assert.equal(await files(service, 'list', { connection: 'second', all: true }), 'No files.')
    const [row] = JSON.parse(await files(service, 'list', { json: true, direction: 'in' }))
    assert.equal(row.name, 'returns.ach')
  })

  test('prints all files as JSON, and says that a table is not complete', async (t) => {
    const service = await startFileService(t)
    for (let number = 1; number <= 201; number++) await createIssueList(service, { name: `issue-${number}` })
    assert.equal(JSON.parse(await files(service, 'list', { json: true })).length, 201)
    const lines = (await files(service, 'list')).split('\n')
    assert.deepEqual([lines.length, lines.at(-1)], [202, 'Older files are not shown.'])
  })

  test('shows a file of the bank with its digest and its exceptions, and asks for an id if there are several', async (t) => {
    const service = await startFileService(t)
    await service.receive('returns.ach', unknownReturn)
    const shown = JSON.parse(await files(service, 'show returns.ach'))
    const { direction, connection, status, size, sha256, exceptions } = shown
    assert.deepEqual([direction, connection, status, size], ['in', 'first', 'READ', unknownReturn.length])
    assert.equal(sha256, createHash('sha256').update(unknownReturn).digest('hex'))
    assert.deepEqual(
      exceptions.map(({ kind, line }: { kind: string; line: number }) => `${kind} ${line}`),
      ['entry_unread 3'],
    )
    await service.receive('returns.ach', bankFile([]))
    await assert.rejects(
      files(service, 'show returns.ach'),
      /^StartProblem: 2 files have the name returns\.ach\. .*id:\n/,
    )
    assert.equal(JSON.parse(await files(service, `show ${shown.id}`)).id, shown.id)
    await assert.rejects(files(service, 'show none.ach'), /There is no file none\.ach\./)
  })

  test('each decision about a file is in the audit trail, with the operator and the reason', async (t) => {
    const service = await startFileService(t)
    const decision = { by: 'Ada', why: 'the bank says so' }
    for (const name of ['issue-1', 'issue-2', 'issue-3', 'issue-4']) await createIssueList(service, { name })
    await service.write()
    await files(service, 'send issue-1', decision)
    await assert.rejects(files(service, 'mark-sent issue-1', { by: 'Ada' }), /needs --by NAME and --why TEXT/)
    await files(service, 'mark-sent issue-1', decision)
    await files(service, 'resend issue-1', { yes: true, ...decision })
    await files(service, 'send issue-2')
    assert.deepEqual(await auditOf(service, 'bank_file_sent_again'), [
      'operator issue-2',
      'operator issue-1: Ada: the bank says so',
    ])
    await files(service, 'accept issue-1', decision)
    await files(service, 'reject issue-3', decision)
    await files(service, 'cancel issue-4', decision)
    assert.deepEqual(await auditOf(service, 'bank_file_rejected'), ['operator issue-3: Ada: the bank says so'])
    assert.deepEqual(await auditOf(service, 'bank_file_canceled'), ['operator issue-4: Ada: the bank says so'])
    for (const action of ['bank_file_marked_sent', 'bank_file_resent', 'bank_file_accepted'])
      assert.deepEqual(await auditOf(service, action), ['operator issue-1: Ada: the bank says so'])
  })
})

const missing = requireSshd()

describe('with a running production service', { skip: missing ?? false }, () => {
  /** Production whose first bank is an sshd that must send a file every hour. */
  async function startProduction(t: TestContext) {
    const bank = await startSshd()
    t.after(() => bank.remove())
    const banks = twoBanks()
    const transport = { ...sshdConnection(bank), packet_bytes: 1_024 }
    Object.assign(banks.connections[0] as object, { transport, expected: 'every 1 hours' })
    const production = await prepareProduction(t, banks)
    const exceptionKinds = async () => {
      const { stdout } = await production.remit('exceptions list')
      return cellsOf(stdout.trimEnd())
        .map(([, , kind]) => kind)
        .filter((kind) => kind !== undefined)
        .sort()
    }
    return { ...production, bank, exceptionKinds }
  }

  test('a file whose name is used is sent after the operator’s decision, another one is marked, and a silent bank has a case until it sends a file', async (t) => {
    const { service, bank, remit, exceptionKinds, startWorker } = await startProduction(t)
    await createIssueList(service, { name: 'issue-1' }) // at the time of the test's clock, which is months in the past
    await bank.put('in/issue-1.csv', 'somebody else’s')
    const worker = await startWorker()

    await waitUntil('the case of the file is open', async () => (await exceptionKinds()).includes('file_not_sent'))
    await waitUntil('the bank is silent', async () => (await exceptionKinds()).includes('connection_silent'))
    const listed = await remit('files list')
    assert.match(listed.stdout, /^issue-1 +first +out +WRITTEN .*issue-1\.csv is on the server with other content/m)
    assert.match((await remit('exceptions list')).stdout, /connection_silent +first: first +Nothing has ever come from/)
    assert.match((await remit('connections list')).stdout, /^first +silent +sftp nobody@.* 2 *$/m)

    await bank.put('out/returns.ach', unknownReturn)
    await rm(join(bank.root, 'in/issue-1.csv'))
    const sent = await remit('files send issue-1', '--by', 'Ada', '--why', 'the bank removed the other file')
    assert.deepEqual([sent.code, sent.stdout], [0, 'issue-1 is sent in the next pass over first.\n'], sent.stderr)
    await waitUntil('it is at the bank', async () =>
      /^issue-1 +first +out +TRANSMITTED/m.test((await remit('files list')).stdout),
    )
    assert.equal(await readFile(join(bank.root, 'in/issue-1.csv'), 'utf8'), issueListOf('issue-1'))
    const { proof, size, sha256 } = JSON.parse((await remit('files show issue-1')).stdout)
    const digest = createHash('sha256').update(issueListOf('issue-1')).digest('hex')
    assert.deepEqual([proof, size, sha256], ['bytes', issueListOf('issue-1').length, digest])
    assert.ok(!(await exceptionKinds()).includes('file_not_sent'))

    await bank.put('in/issue-2.csv', 'somebody else’s')
    await createIssueList(service, { name: 'issue-2' })
    await waitUntil('the second file has a case', async () => (await exceptionKinds()).includes('file_not_sent'))
    const unexplained = await remit('files mark-sent issue-2')
    assert.deepEqual(
      [unexplained.code, unexplained.stderr],
      [1, 'remit files mark-sent needs --by NAME and --why TEXT: who at the bank confirmed it.\n'],
    )
    const marked = await remit('files mark-sent issue-2', '--by', 'Ada', '--why', 'the bank has it by mail')
    assert.deepEqual([marked.code, marked.stdout], [0, 'issue-2 is TRANSMITTED.\n'], marked.stderr)
    assert.equal(JSON.parse((await remit('files show issue-2')).stdout).proof, 'told')
    assert.equal(await readFile(join(bank.root, 'in/issue-2.csv'), 'utf8'), 'somebody else’s')

    // The sessions of these files also listed and downloaded the bank's files.
    await waitUntil('the bank has sent a file', async () => !(await exceptionKinds()).includes('connection_silent'))
    const isRead = async () =>
      /^returns\.ach +first +in +READ /m.test((await remit('files list --all --direction in')).stdout)
    await waitUntil('the file of the bank is read', isRead)
    assert.match((await remit('connections list')).stdout, /^first +connected /m)
    assert.deepEqual(await auditOf(service, 'bank_file_sent_again'), [
      'operator issue-1: Ada: the bank removed the other file',
    ])
    assert.equal((await worker.end()).code, 0)
  })

  test('a terminal shows the progress of a long upload, and a pipe only shows decisions', async (t) => {
    const { service, bank, remit, remitProcess, remitOnTerminal, startWorker } = await startProduction(t)
    const content = 'x'.repeat(12_000_000)
    for (const name of ['issue-1', 'issue-2']) {
      await bank.put(`in/${name}.csv`, 'somebody else’s')
      await createIssueList(service, { name, content })
    }
    await startWorker()
    const waits = async (name: string) => /other content/.test((await remit(`files show ${name}`)).stdout)
    for (const name of ['issue-1', 'issue-2']) {
      await waitUntil(`${name} waits for the operator`, () => waits(name))
      await rm(join(bank.root, `in/${name}.csv`))
    }
    const shown = stripVTControlCharacters(await remitOnTerminal('files send issue-1'))
    assert.match(shown, /\rissue-1 {2}\[#*-+\] {2}\d+ % {2}\d+\.\d of 12\.0 MB\r/)
    assert.match(shown, /\rissue-1 is TRANSMITTED\.\r?\n$/)
    const piped = await remitProcess('files', 'send', 'issue-2')
    assert.deepEqual([piped.stdout, piped.stderr], ['issue-2 is sent in the next pass over first.\n', ''])
  })
})
