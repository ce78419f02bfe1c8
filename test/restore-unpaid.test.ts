import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { readAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { followUserStatus } from '../src/operation/scheduler/user-status-work.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import type { UserKey } from '../src/people/user/user-store.ts'
import { bankFile } from './support/ach.ts'
import { DAY, legsOf, startFileService, statusOf } from './support/file-service.ts'
import { balanceOf, newWallet } from './support/money.ts'
import { newParties } from './support/order-service.ts'
import { sendPayment } from './support/payments.ts'
import { backUp, recover } from './support/restore.ts'

// Payments that were not deposited at the backup, and that the bank pays, because they were deposited after it.

const ACCOUNT = '000555006789'

/** `id` is the payment that the bank has. `other` has the same amount, and nobody has deposited it. */
async function losePayout(t: TestContext) {
  const bank = { companyName: 'Remit Inc.', bankName: 'First Bank', routingNumber: '091000019', accountNumber: ACCOUNT }
  const service = await startFileService(t, {
    operatorBank: { ...bank, fractionalRouting: null, firstCheckNumber: 1001 },
  })
  service.secrets.add(ACCOUNT)
  const parties = await newParties(service)
  const { sender, recipient, wallet, account } = parties
  await service.openWindow() // micro-deposits
  const send = async (): Promise<string> =>
    (await sendPayment(sender, { amount: 30, name: 'Payee', account: wallet, recipient: recipient.userId })).id
  const [id, other] = [await send(), await send()]
  const deposit = (into: string) => recipient.post(`/v3/check/deposit/${id}`, { account: into })
  const restore = await backUp(service, t)
  assert.equal((await deposit(account)).status, 201)
  await service.openWindow()
  const trace = (await service.sent()).find(({ cents }) => cents === 3_000)?.trace ?? ''
  await restore()
  const names = await readdir(join(service.folder, 'outbound/sent'))
  const last =
    names
      .filter((name) => name.endsWith('.ach'))
      .sort()
      .at(-1)
      ?.replace('.ach', '') ?? ''
  await recover(service, { lastAch: last, lastPrint: 'none', lastIssue: 'none' })
  const decide = (one: string, verb: string, flags: CommandFlags = {}) =>
    exceptionCommand({ note: 'asked the bank', ...flags }, [verb, one])(service.deps)
  const balance = () => balanceOf(sender, wallet)
  const readAgain = () => readAchFiles(service.deps, achHooks)
  return { service, ...parties, id, other, deposit, trace, last, decide, balance, readAgain }
}

test('a payment that was deposited after the backup cannot be voided until the case of its payout is closed', async (t) => {
  const { service, sender, id, other, decide, balance, readAgain } = await losePayout(t)
  const { status, body } = await sender.del(`/v3/check/${id}`)
  assert.deepEqual([status, body.code, await balance()], [400, 'not_voidable', 940])
  assert.match(body.message, /its payee may have the money\. The operator of this service is asking the bank/)
  assert.equal((await sender.del(`/v3/check/${other}`)).status, 200, 'the entry has the number of another payment')
  assert.equal(await balance(), 970)
  service.clock.advance(8 * DAY)
  await readAgain()
  const [missing, ...others] = await getBankCases(service.deps)
  assert.deepEqual([missing?.kind, others], ['payment_missing', []])
  assert.equal((await sender.del(`/v3/check/${id}`)).body.code, 'not_voidable')
  await decide(missing?.id ?? '', 'close')
  assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
  assert.equal(await balance(), 1_000)
  await service.assertLedger()
})

test('a payment whose payout after the backup was rejected is free again', async (t) => {
  const { service, sender, recipient, id, other, trace, last, balance } = await losePayout(t)
  assert.equal((await sender.del(`/v3/check/${id}`)).body.code, 'not_voidable')
  await filesCommand({ trace: [trace] }, ['reject', last])(service.deps)
  assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
  const wallet = await newWallet(recipient, 0)
  assert.equal((await recipient.post(`/v3/check/deposit/${other}`, { account: wallet })).status, 201)
  assert.deepEqual([await balance(), await balanceOf(recipient, wallet)], [970, 30])
  await service.assertLedger()
})

test('a payment that was deposited after the backup does not expire, and its next deposit is assigned to its entry', async (t) => {
  const { service, sender, account, id, other, deposit, balance } = await losePayout(t)
  const soon = new Date(service.clock.now().getTime() + 60_000)
  await service.deps.sql`update payments set expires_at = ${soon} where id = any (${[id, other]}::uuid[])`
  service.clock.advance(120)
  await service.doDueWork()
  assert.deepEqual([await statusOf(sender, id), await statusOf(sender, other)], ['UNPAID', 'EXPIRED'])
  assert.equal(await balance(), 970)
  assert.equal((await deposit(account)).status, 201)
  await service.openWindow()
  assert.deepEqual(await legsOf(service, id), [['payment_push', 'ACCEPTED', false]])
  assert.equal((await service.sent()).filter(({ cents }) => cents === 3_000).length, 1)
  await service.assertLedger()
})

test('a payment that was deposited after the backup is not paid into a wallet', async (t) => {
  const { sender, recipient, id, deposit } = await losePayout(t)
  const wallet = await newWallet(recipient, 0)
  const { status, body } = await deposit(wallet)
  assert.deepEqual([status, body.code], [400, 'not_depositable'])
  assert.match(body.message, /may be paid already/)
  assert.deepEqual([await statusOf(sender, id), await balanceOf(recipient, wallet)], ['UNPAID', 0])
})

test('the check of a payment that was deposited after the backup is not handed out until the operator decides', async (t) => {
  for (const isPaid of [true, false]) {
    const { service, sender, recipient, id, trace, decide } = await losePayout(t)
    const print = () => recipient.post(`/v3/check/print/${id}`, {})
    const { body } = await print()
    assert.equal(body.code, 'check_not_ready')
    assert.match(body.message, /the operator of this service has to look at it first/)
    assert.equal((await print()).body.code, 'check_not_ready')
    assert.equal((await sender.del(`/v3/check/${id}`)).body.code, 'not_voidable')
    const [held, ...others] = await getExceptions(service.deps, {})
    assert.ok(held && others.length === 0)
    assert.ok(held.note.includes(trace), held.note)
    assert.equal(held.kind, 'maybe_at_bank')
    if (isPaid) {
      assert.match(await decide(held.id, 'apply', { trace: [trace], code: 'ACSC' }), /has paid the payment/)
      assert.equal(await statusOf(sender, id), 'PAID')
      assert.equal((await print()).body.code, 'not_printable')
    } else {
      await decide(held.id, 'close')
      assert.equal((await print()).status, 200)
    }
    await service.assertLedger()
  }
})

test('a payment whose lost payout the bank has returned, or whose file it has rejected, can be voided', async (t) => {
  for (const isReturned of [true, false]) {
    const { service, sender, id, trace, last, balance } = await losePayout(t)
    const returned = { code: 'R03', trace, direction: 'credit', cents: 3_000 } as const
    if (isReturned) await service.receive('return.ach', bankFile([returned]))
    else await filesCommand({}, ['reject', last])(service.deps)
    const { status, text } = await sender.del(`/v3/check/${id}`)
    assert.equal(status, 200, text)
    assert.equal(await balance(), 970)
    await service.assertLedger()
  }
})

test('the closing of its sender does not void a payment that was deposited after the backup', async (t) => {
  const { service, sender, id, other } = await losePayout(t)
  const { deps } = service
  const [user] = await deps.sql<UserKey[]>`select platform_id, id as user_id from users where id = ${sender.id}`
  await inTransaction(deps, (tx) => decideUser(tx, user as UserKey, 'close'))
  await followUserStatus(deps)
  const statusIn = async (payment: string) =>
    (await deps.sql<{ status: string }[]>`select status from payments where id = ${payment}`)[0]?.status
  assert.deepEqual([await statusIn(id), await statusIn(other)], ['UNPAID', 'VOID'])
  await service.assertLedger()
})
