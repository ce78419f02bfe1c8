import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { openExchange } from '../src/connections/exchange/exchange-guard-actions.ts'
import type { Deps } from '../src/foundation/db/deps.ts'
import { nextAchWindow } from '../src/foundation/lib/banking-day.ts'
import { writeAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { bankFile, connection, connectionsOf, exchange, fileStatuses, upload } from './support/ach.ts'
import { adapterConnection, startScriptedAdapter } from './support/adapter.ts'
import { type FileService, legsOf, newPair, pay, startFileService } from './support/file-service.ts'
import { startProcessorService } from './support/processors.ts'
import { backUp } from './support/restore.ts'
import { addBank, addVerifiedBank } from './support/service.ts'
import { requireSshd, startSshd } from './support/sshd.ts'

// A restored database is detected before anything is sent, paid or read.

/** Commits an ACH file at the next cut-off, without sending it. */
async function commitFile({ deps, clock }: Pick<FileService, 'deps' | 'clock'>): Promise<void> {
  const now = clock.now().getTime()
  clock.advance((nextAchWindow(new Date(now + 1)).getTime() - now) / 1000)
  while ((await writeAchFiles(deps, achHooks)) > 0);
}

test('of two files that were committed at the backup and written after it, the older one is not written again', async (t) => {
  const service = await startFileService(t)
  const { deps, clock, folder } = service
  const pair = await newPair(service)
  for (const amount of [10, 20]) {
    await pay(pair, amount)
    await commitFile(service)
    clock.advance(1)
  }
  const [older] = Object.keys(await fileStatuses(deps.sql)).slice(-2)
  const restore = await backUp(service, t)
  await exchange(deps)
  await upload(folder)
  await rm(join(folder, `outbound/sent/${older}.ach`)) // archived
  await restore()
  assert.equal(await openExchange(deps, service.connection), null)
  await exchange(deps)
  assert.ok(!(await readdir(join(folder, 'outbound'))).includes(`${older}.ach`))
})

test('a restore that lost only a file of the bank is detected, and no payee is paid from a returned debit', async (t) => {
  const service = await startFileService(t)
  const pair = await newPair(service)
  const id = await pay(pair, 10)
  for (let window = 0; window < 2; window++) await service.openWindow()
  const trace = (await service.sent()).find(({ cents, code }) => cents === 1_000 && code === '27')?.trace ?? ''
  const restore = await backUp(service, t)
  await service.receive('R01.ach', bankFile([{ code: 'R01', trace, direction: 'debit', cents: 1_000 }]))
  assert.deepEqual(await legsOf(service, id), [['payment_pull', 'RETURNED', false]])
  assert.equal(await openExchange(service.deps, service.connection), service.folder)
  await restore()
  assert.equal(await openExchange(service.deps, service.connection), null)
  for (let window = 0; window < 12; window++) await service.openWindow()
  assert.equal((await legsOf(service, id)).length, 1, 'no payout')
})

test('a restore that lost only an order at a processor is detected, and the order is not sent again', async (t) => {
  const adapter = await startScriptedAdapter(t)
  const processors = [await adapterConnection(t, { url: adapter.url })] as const
  const service = await startProcessorService(t, { processors, rails: ['INTERAC'] })
  const { deps, sender, recipient, wallet, later } = service
  await exchange(deps)
  const account = await service.add('interac', { username: 'payee@example.ca' })
  const draft = { amount: 50, name: 'Payee', recipient: recipient.userId, account: wallet }
  const { id } = (await sender.post('/v3/check/digital', draft)).body
  const deposit = async () => assert.equal((await recipient.post(`/v3/check/deposit/${id}`, { account })).status, 201)
  const restore = await backUp(service, t)
  await deposit()
  await later(60)
  assert.equal(adapter.orders.size, 1)
  await restore()
  await deposit()
  for (let pass = 0; pass < 2; pass++) await later(60)
  assert.equal(adapter.orders.size, 1)
})

const missing = requireSshd()

describe('over SFTP', { skip: missing ?? false }, () => {
  /** A bank over SFTP, and a payment in a file that is committed and not uploaded. */
  async function startWaiting(t: TestContext) {
    const bank = await startSshd()
    t.after(() => bank.remove())
    const transport = { ...bank.transport, hostKeys: [bank.fingerprints.ed25519] }
    const one = { ...connection({ folder: '/nowhere', id: 'first' }), transport }
    const service = await startFileService(t, { connections: connectionsOf([one]) })
    let realMs = service.deps.realClock.now().getTime()
    const later = (): Deps => {
      realMs += 5 * 60_000
      const now = new Date(realMs)
      return { ...service.deps, realClock: { now: () => now } }
    }
    const [sender, recipient] = [await service.newUser(), await service.newUser()]
    await addVerifiedBank(sender)
    const account = await addBank(recipient)
    await commitFile(service)
    await exchange(later()) // the file with the micro-deposits
    await pay({ sender, recipient, account }, 12.5)
    await commitFile(service)
    const name = Object.keys(await fileStatuses(service.deps.sql)).at(-1) as string
    const statusNow = async () => (await fileStatuses(service.deps.sql))[name]
    return { service, bank, one, later, name, statusNow, path: join(bank.root, 'in', `${name}.ach`) }
  }

  test('a file that was committed at the backup, and that the bank has taken since, is not uploaded again', async (t) => {
    const { service, bank, one, later, name, statusNow, path } = await startWaiting(t)
    const restore = await backUp(service, t)
    await exchange(later())
    assert.equal(await statusNow(), 'TRANSMITTED')
    await rm(path)
    await restore()
    assert.equal(await openExchange(service.deps, one), null)
    for (let pass = 0; pass < 2; pass++) await exchange(later())
    assert.ok(!(await readdir(join(bank.root, 'in'))).includes(`${name}.ach`))
  })

  test('a file that the operator sends again, because the bank does not have it, does not look like a restore', async (t) => {
    const { service, one, later, name, statusNow, path } = await startWaiting(t)
    await exchange(later())
    // The upload could not be proven: the bank's server lost the file.
    await rm(path)
    await service.deps.sql`
      update exchanges
      set status = 'WRITTEN', transmitted_at = null, proof = null, attention = 'The file is not on the server.'
      where name = ${name}
    `
    await filesCommand({ yes: true }, ['send', name])(service.deps)
    assert.ok(await openExchange(service.deps, one))
    await exchange(later())
    assert.equal(await statusNow(), 'TRANSMITTED')
  })
})
