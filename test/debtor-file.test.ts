import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { settleDebt } from '../src/money/debt/debt-actions.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { debtCommand } from '../src/operation/cli/debt-commands.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { acknowledgment, bankFile, exchange, fileStatuses, type SentEntry } from './support/ach.ts'
import {
  type FileService,
  legsOf,
  newPair,
  pay,
  startFileService,
  statusOf,
  untilPaid,
} from './support/file-service.ts'
import { operatorBank } from './support/paid-lists.ts'
import { sendPayment } from './support/payments.ts'
import type { TestUser } from './support/service.ts'

// Debts where money moves in bank files: returns after the money has left, or after the user was deleted.

const entryOf = async (service: FileService, code: string, cents: number): Promise<SentEntry> => {
  const entry = (await service.sent()).findLast((one) => one.code === code && one.cents === cents)
  assert.ok(entry)
  return entry
}

async function giveBack(service: FileService, code: string, cents: number, direction: 'debit' | 'credit') {
  const { trace } = await entryOf(service, direction === 'debit' ? '27' : '22', cents)
  await service.receive(`${code}-${trace}.ach`, bankFile([{ code, trace, direction, cents }]))
}

const debtOf = async ({ deps }: FileService, user: TestUser) => {
  const [row] = await deps.sql<{ debtCents: number }[]>`select debt_cents from user_counters where user_id = ${user.id}`
  return row?.debtCents
}

const exceptionsOf = async ({ deps }: FileService) =>
  (await getExceptions(deps, {})).map(({ id, kind, cents, note }) => ({ id, kind, cents, note }))

async function paidPayment(service: FileService) {
  const pair = await newPair(service)
  const id = await pay(pair, 40)
  await untilPaid(service, pair.sender, id, 4_000)
  await service.passDays(3)
  return { ...pair, id }
}

test('a credit returned after its debit pays the debt, and is not refunded to the debtor', async (t) => {
  const service = await startFileService(t)
  const { sender, id } = await paidPayment(service)
  await giveBack(service, 'R01', 4_000, 'debit')
  assert.equal(await debtOf(service, sender), 4_000)
  await giveBack(service, 'R03', 4_000, 'credit')
  assert.equal(await debtOf(service, sender), 0)
  await service.passDays(10)
  for (let window = 0; window < 4; window++) await service.openWindow()
  assert.equal(await statusOf(sender, id), 'FAILED')
  assert.deepEqual(
    (await service.sent()).filter(({ description }) => description === 'REFUND'),
    [],
  )
  assert.equal((await sendPayment(sender)).status, 'UNPAID')
  assert.deepEqual(await exceptionsOf(service), [])
})

test('a credit returned for a partially paid debt waits for the operator', async (t) => {
  const service = await startFileService(t)
  const { deps } = service
  const { sender, id } = await paidPayment(service)
  await giveBack(service, 'R01', 4_000, 'debit')
  const [row] = await deps.sql<{ platformId: string }[]>`select platform_id from users where id = ${sender.id}`
  const user = { platformId: row?.platformId as string, userId: sender.id }
  const actor = { userId: null, credential: { kind: 'operator' }, origin: null } as const
  const settle = (cents: number) =>
    inTransaction(deps, (tx) =>
      settleDebt(tx, user, { cents, payment: { reference: `cash ${cents}`, note: null }, actor }),
    )
  await settle(1_000)
  await giveBack(service, 'R03', 4_000, 'credit')
  const [exception] = await exceptionsOf(service)
  assert.deepEqual(
    [exception?.kind, exception?.cents, exception?.note],
    ['debt_paid_in_part', 4_000, 'The credit came back. The sender owes $30.00 of it and has paid the rest.'],
  )
  await service.passDays(10)
  assert.deepEqual([await statusOf(sender, id), await debtOf(service, sender)], ['FAILED', 3_000])
  const resend = () => exceptionCommand({}, ['resend', exception?.id as string])(deps)
  await assert.rejects(resend(), /Check that its money is here and not owed/)
  const close = (flags: CommandFlags) =>
    exceptionCommand({ note: 'done', ...flags }, ['close', exception?.id as string])
  const owed = /The sender still owes a part of \$40\.00 .* remit debt settle/
  await assert.rejects(close({})(deps), owed)
  await assert.rejects(close({ paidBy: 'wire', reference: 'wire 4712' })(deps), owed)
  await settle(3_000)
  assert.equal(await resend(), 'The refund was sent again.')
  await service.openWindow()
  assert.deepEqual(
    [await statusOf(sender, id), (await entryOf(service, '22', 4_000)).description],
    ['REFUNDED', 'REFUND'],
  )
  await service.assertLedger()
})

test('a credit returned after its debt was paid goes to the sender who voids the payment', async (t) => {
  const service = await startFileService(t)
  const { deps } = service
  const { sender, id } = await paidPayment(service)
  await giveBack(service, 'R01', 4_000, 'debit')
  const [login] = await deps.sql<{ email: string }[]>`select email from logins`
  const flags = { owner: login?.email as string, user: sender.userId, amount: '40', reference: 'wire 4711' }
  await debtCommand(flags, ['settle'])(deps)
  await giveBack(service, 'R03', 4_000, 'credit')
  assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
  await service.openWindow()
  assert.deepEqual([await statusOf(sender, id), (await entryOf(service, '22', 4_000)).description], ['VOID', 'REFUND'])
  await service.assertLedger()
})

test('a debit returned after its sender was deleted is a debt on the operator’s list', async (t) => {
  const service = await startFileService(t)
  const { owner, deps } = service
  const { sender, id } = await paidPayment(service)
  assert.equal((await owner.del(`/v3/user/${sender.id}`)).body.code, 'user_busy')
  await service.passDays(70)
  assert.equal((await owner.del(`/v3/user/${sender.id}`)).status, 200)
  await giveBack(service, 'R10', 4_000, 'debit')
  const [exception, ...others] = await exceptionsOf(service)
  assert.deepEqual(others, [])
  assert.deepEqual([exception?.kind, exception?.cents], ['holder_gone', 4_000])
  assert.equal(await statusOf(owner, id), 'FAILED')
  const [login] = await deps.sql<{ email: string }[]>`select email from logins`
  const email = login?.email as string
  assert.match(
    await debtCommand({ owner: email }, ['list'])(deps),
    new RegExp(`\\(deleted\\) +${sender.id} +\\$40\\.00`),
  )
  const settle = debtCommand({ owner: email, user: sender.id, amount: '40', reference: 'paid after all' }, ['settle'])
  assert.equal(await settle(deps), 'Recorded $40.00. The user still owes $0.00.')
  await service.assertLedger()
})

test('a credit returned after its sender was deleted can be refunded to its bank by the operator', async (t) => {
  const service = await startFileService(t)
  const { owner, deps } = service
  const { sender, id } = await paidPayment(service)
  await service.passDays(70)
  assert.equal((await owner.del(`/v3/user/${sender.id}`)).status, 200)
  await giveBack(service, 'R02', 4_000, 'credit')
  await service.passDays(10)
  assert.equal(await statusOf(owner, id), 'FAILED')
  const [exception] = await exceptionsOf(service)
  assert.deepEqual([exception?.kind, exception?.cents], ['holder_gone', 4_000])
  const resend = exceptionCommand({}, ['resend', exception?.id as string])
  assert.equal(await resend(deps), 'The refund was sent again.')
  await service.openWindow()
  assert.deepEqual(
    [await statusOf(owner, id), (await entryOf(service, '22', 4_000)).description],
    ['REFUNDED', 'REFUND'],
  )
  await service.passDays(5)
  await service.assertLedger()
})

test('a credit whose file is rejected after its debit was returned goes to the sender who paid the debt', async (t) => {
  const service = await startFileService(t, { acknowledgements: { ach: 'required', paper: 'required' } })
  const { deps } = service
  const acknowledge = async (name: string, change?: Parameters<typeof acknowledgment>[1]) => {
    const content = await readFile(join(service.folder, 'outbound/sent', `${name}.ach`), 'latin1')
    await service.receive(`${name}-acknowledgment.txt`, acknowledgment(content, change))
    await exchange(deps)
  }
  const pair = await newPair(service)
  const id = await pay(pair, 10)
  const isPushSent = async () => (await service.sent()).some(({ code, cents }) => code === '22' && cents === 1_000)
  for (;;) {
    await service.openWindow()
    if (await isPushSent()) break
    const statuses = Object.entries(await fileStatuses(deps.sql))
    for (const [name, status] of statuses) if (status === 'TRANSMITTED') await acknowledge(name)
  }
  const file = Object.keys(await fileStatuses(deps.sql)).at(-1) as string
  await giveBack(service, 'R10', 1_000, 'debit')
  const [row] = await deps.sql<{ platformId: string }[]>`select platform_id from payments where id = ${id}`
  const debtor = { platformId: row?.platformId as string, userId: pair.sender.id }
  const actor = { userId: null, credential: { kind: 'operator' }, origin: null } as const
  await inTransaction(deps, (tx) => settleDebt(tx, debtor, { cents: null, payment: null, actor }))
  await acknowledge(file, { status: 'FILE REJECTED' })
  for (let window = 0; window < 14; window++) await service.openWindow()
  assert.equal(await statusOf(pair.sender, id), 'REFUNDED')
  await service.assertLedger()
})

test('a printed check that its payee never got is canceled when the debit comes back, and nobody owes it', async (t) => {
  const service = await startFileService(t, { operatorBank })
  const { sender, recipient } = await newPair(service)
  const { id } = await sendPayment(sender, { amount: 40, recipient: recipient.userId })
  const print = await recipient.post(`/v3/check/print/${id}`)
  assert.equal(print.body.code, 'check_not_ready')
  const printed = async () => (await legsOf(service, id)).find(([purpose]) => purpose === 'payment_push')?.[1]
  for (let window = 0; window < 20 && (await printed()) !== 'SENT'; window++) await service.openWindow()
  assert.equal(await printed(), 'SENT')
  await giveBack(service, 'R10', 4_000, 'debit')
  assert.deepEqual(
    [await statusOf(sender, id), await printed(), await debtOf(service, sender)],
    ['FAILED', 'CANCELLED', 0],
  )
  await service.assertLedger()
})
