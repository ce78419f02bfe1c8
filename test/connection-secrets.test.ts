import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { generateKey } from 'openpgp'
import { readConnections } from '../src/connections/config/connections-actions.ts'
import { calendarOf } from '../src/connections/exchange/bank-calendar-rules.ts'
import { pgpOf } from '../src/connections/transport/pgp-actions.ts'
import type { Connection } from '../src/foundation/core/connections.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { nextAchWindow } from '../src/foundation/lib/banking-day.ts'
import { createLog } from '../src/foundation/lib/log.ts'
import { readAchFiles, writeAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { createMetrics } from '../src/operation/app/metrics.ts'
import { listCommand } from '../src/operation/cli/connections/connections-list.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { exchangeBankFiles } from '../src/operation/scheduler/bank-file-work.ts'
import { achHooks, legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { writeCheckFiles } from '../src/payments/check/printing/print-worker.ts'
import { achFolder, type BankEntry, bankFile, fileSettings, readAch } from './support/ach.ts'
import { CONNECTION_SECRETS, connectionsFolder, twoBanks, writeConnections } from './support/connections.ts'
import { startHostileServer } from './support/hostile-sftp.ts'
import { sendPayment } from './support/payments.ts'
import { readEachTable } from './support/rows.ts'
import { formsOf, secretsIn } from './support/secret-forms.ts'
import { addBank, newAccountNumber, startTestService, type TestService } from './support/service.ts'
import { requireSshd, SSHD_PASSPHRASE, type Sshd, startSshd } from './support/sshd.ts'

// Secrets of connections, and account numbers, after a run over SFTP with PGP: in no table, log, case, list or metric.

const PGP_PASSPHRASE = 'passphrase of a PGP key'

test('a secret is recognized in clear text, as hex, and as base64 at any place of a longer text', () => {
  const secrets = { number: '8812345670' }
  for (const before of ['', 'x', 'xy', 'xyz']) {
    const text = `${before}${secrets.number}z`
    for (const form of [text, Buffer.from(text).toString('base64'), Buffer.from(text).toString('hex').toUpperCase()]) {
      assert.deepEqual(secretsIn(`{"some":"${form}"}`, secrets), ['number'], form)
    }
  }
  assert.deepEqual(secretsIn('8812345671', secrets), [])
  assert.ok(formsOf(secrets.number).every((form) => form.length >= 10))
})

describe('after a run over SFTP with PGP', { skip: requireSshd() ?? false }, () => {
  test('no table, log, case, list of connections or metric contains a secret or an account number', async (t) => {
    const sshd = await startSshd()
    t.after(() => sshd.remove())
    const { connections, secrets, bankPgp } = await connectionsWithPgp(t, sshd)
    const metrics = createMetrics(createLog('silent'))
    const service = await startTestService(t, {
      environment: 'production',
      settings: { ...fileSettings, stateFolder: await achFolder(t) },
      connections: { current: () => connections },
      metrics: { metrics, verifyLedgerEveryMs: null },
    })
    const { deps, ownerSql } = service
    const numbers = { sender: newAccountNumber(), recipient: newAccountNumber(), corrected: newAccountNumber() }
    const { toWindow, fetch } = passesOf(service, connections.all[0] as Connection)
    const sentEntries = async () => {
      const names = (await readdir(join(sshd.root, 'in'))).filter((one) => one.endsWith('.ach'))
      const files = await Promise.all(names.map((name) => readFile(join(sshd.root, 'in', name))))
      for (const wire of files) assert.deepEqual(secretsIn(wire.toString('latin1'), numbers), [])
      const opened = await Promise.all(files.map((wire) => bankPgp.open(wire)))
      return opened.flatMap(({ bytes }) => readAch('sent', bytes.toString('latin1')).entries)
    }

    const [sender, recipient] = [await service.newUser(), await service.newUser()]
    const from = await addBank(sender, numbers.sender)
    await sender.post('/v3/bank/release', { account: from })
    assert.equal((await sender.post('/v3/bank/verify', { account: from, amount_1: 0.07, amount_2: 0.15 })).status, 200)
    const account = await addBank(recipient, numbers.recipient)
    await sendPayment(sender, { amount: 12.5, recipient: { id: recipient.userId, account } })
    await sender.post('/v3/check/physical', { amount: 7, name: 'Grace Hopper', recipient: ADDRESS })
    await toWindow()
    const debit = (await sentEntries()).find(({ cents }) => cents === 1_250)
    assert.equal(debit?.account, numbers.sender, 'only the bank can read the number')

    const { trace } = debit
    const correction = { code: 'C01', trace, direction: 'debit', cents: 0, corrected: numbers.corrected } as const
    const stranger = {
      code: 'R01',
      trace: '091000019999999',
      direction: 'debit',
      cents: 5,
      account: numbers.recipient,
    } as const
    await sshd.put('out/correction.ach', await bankPgp.seal(Buffer.from(fileOf(correction))))
    await sshd.put('out/returns.ach', await bankPgp.seal(Buffer.from(fileOf(stranger))))
    await sshd.put('out/unsigned.ach', fileOf(stranger))
    await fetch()
    const cases = await getBankCases(deps)
    assert.deepEqual(cases.map(({ connectionId, kind, fileName }) => `${connectionId} ${kind} ${fileName}`).sort(), [
      'first entry_unread returns.ach',
      'first file_unread unsigned.ach',
      'second connection_failing second',
    ])

    const tables = (await readEachTable<{ row: string }>(ownerSql, ownerSql`t::text as row`)).map(({ row }) => row)
    const outputs = {
      tables: tables.join('\n'),
      log: await readFile(process.env.TEST_RUN_LOG as string, 'utf8'),
      cases: `${await exceptionCommand({ all: true }, ['list'])(deps)}${JSON.stringify(cases)}`,
      connections: `${await listCommand({})(deps)}${await listCommand({ json: true })(deps)}`,
      files: `${await filesCommand({ all: true }, ['list'])(deps)}${await filesCommand({ all: true, json: true }, ['list'])(deps)}`,
      metrics: await metrics.text(),
    }
    for (const [name, text] of Object.entries(outputs)) {
      assert.ok(text.length > 100, name)
      assert.deepEqual(secretsIn(text, { ...secrets, ...numbers }), [], `in ${name}`)
    }
    const shown = await Promise.all(cases.map(({ id }) => exceptionCommand({}, ['show', id])(deps)))
    assert.deepEqual(secretsIn(shown.join('\n'), secrets), [], 'in a case as the operator sees it')
  })
})

/** A file for the company of the first connection. */
const fileOf = (entry: BankEntry) => bankFile([entry], { companyId: '1123456789' })

const ADDRESS = { line_1: '45 Navy Yard Ave', city: 'Arlington', state: 'VA', zip: '22201' }

/** The first bank is OpenSSH, with a key and with PGP. The second one, for checks, refuses this password. */
async function connectionsWithPgp(t: TestContext, sshd: Sshd) {
  const [folder, hostile] = [await connectionsFolder(t), await startHostileServer()]
  t.after(() => hostile.stop())
  const write = (name: string, content: string) => writeFile(join(folder, 'secrets', name), content, { mode: 0o600 })
  const keyOf = async (name: string) => {
    const { privateKey, publicKey } = await generateKey({ userIDs: [{ name }], passphrase: PGP_PASSPHRASE })
    await write(`${name}.asc`, privateKey)
    await writeFile(join(folder, `${name}.pub.asc`), publicKey)
    return privateKey
  }
  const [ours] = [await keyOf('ours'), await keyOf('bank')]
  await write('pgp.passphrase', PGP_PASSPHRASE)
  const [operating, checks] = [newAccountNumber(), newAccountNumber()]
  await write('operating.number', operating)
  await write('checks.number', checks)
  const { host, port, user, credential, hostKeys: host_keys, out, in: inbound } = sshd.transport
  assert.ok('keyFile' in credential)
  const file = twoBanks()
  const [first, second] = file.connections as [object, { accounts: object[] }]
  Object.assign(first, {
    transport: {
      ...{ type: 'sftp', host, port, user, out, in: inbound, host_keys, remove_after_reading: true },
      ...{ key_file: credential.keyFile, passphrase_file: credential.passphraseFile },
      pgp: {
        encrypt_to_files: ['bank.pub.asc'],
        sign_with_file: 'secrets/ours.asc',
        decrypt_with_file: 'secrets/ours.asc',
        passphrase_file: 'secrets/pgp.passphrase',
        require_signature_of_files: ['bank.pub.asc'],
      },
    },
  })
  Object.assign(first, { expected: undefined })
  Object.assign(second, {
    transport: {
      ...{ type: 'sftp', host: '127.0.0.1', port: hostile.port, user: 'acme', password_file: 'secrets/password' },
      ...{ out: '/in', in: '/out', host_keys: [hostile.fingerprint] },
    },
    accounts: [{ id: 'checks', routing: '021000021', number_file: 'secrets/checks.number' }],
  })
  const path = (name: string) => join(folder, name)
  const bankPgp = await pgpOf({
    encryptToFiles: [path('ours.pub.asc')],
    signWithFile: path('secrets/bank.asc'),
    decryptWithFile: path('secrets/bank.asc'),
    passphraseFile: path('secrets/pgp.passphrase'),
    requireSignatureOfFiles: [path('ours.pub.asc')],
    isArmored: false,
  })
  const secrets = {
    operating,
    checks,
    password: CONNECTION_SECRETS.password,
    'passphrase of the SSH key': SSHD_PASSPHRASE,
    'passphrase of the PGP key': PGP_PASSPHRASE,
    ...bytesOf('SSH key', await readFile(credential.keyFile, 'utf8')),
    ...bytesOf('PGP key', ours),
  }
  return { connections: await readConnections(await writeConnections(folder, file)), secrets, bankPgp }
}

/** Parts of an armored key, from its middle. */
function bytesOf(name: string, armored: string): Record<string, Buffer> {
  const lines = armored.split(/\r?\n/).filter((line) => /^[A-Za-z0-9+/]{60,}$/.test(line))
  const bytes = Buffer.from(lines.join(''), 'base64')
  const middle = Math.floor(bytes.length / 2)
  return { [name]: bytes.subarray(middle, middle + 24), [`${name}, its end`]: bytes.subarray(-24) }
}

/** Runs passes without waiting for the retry delay: each is five minutes after the previous one. */
function passesOf({ deps, clock, doDueWork }: TestService, bank: Connection) {
  let realMs = deps.realClock.now().getTime()
  const pass = async () => {
    realMs += 5 * 60_000
    const now = new Date(realMs)
    await exchangeBankFiles({ ...deps, realClock: { now: () => now } })
  }
  const toWindow = async () => {
    const now = clock.now().getTime()
    clock.advance((nextAchWindow(new Date(now + 1), calendarOf(bank)).getTime() - now) / 1000)
    await doDueWork()
    while ((await writeAchFiles(deps, achHooks)) > 0);
    await writeCheckFiles(deps, legHandlers)
    await pass()
  }
  /** Two passes: a file is fetched when it did not change since the one before. */
  const fetch = async () => {
    for (let nth = 0; nth < 2; nth++) await pass()
    await readAchFiles(deps, achHooks)
  }
  return { toWindow, fetch }
}
