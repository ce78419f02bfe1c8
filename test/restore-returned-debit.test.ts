import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { readDebt } from '../src/money/ledger/ledger-actions.ts'
import { lockLeg } from '../src/money/rail/leg-actions.ts'
import type { LegKey, LegRow } from '../src/money/rail/leg-store.ts'
import { holdForReview } from '../src/money/rail/restore-hold-actions.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { bankFile } from './support/ach.ts'
import { type FileService, legsOf, newPair, pay, startFileService, statusOf } from './support/file-service.ts'
import { operatorBank } from './support/paid-lists.ts'
import { sendPayment } from './support/payments.ts'
import { backUp, loseFolder, recover } from './support/restore.ts'

// Debits that come back after a restore of the database, while the bank has a refund or a payout of the payment that was lost.

const CENTS = 3_000

const lastAch = async ({ folder }: FileService): Promise<string> =>
  (await readdir(join(folder, 'outbound/sent'))).sort().at(-1)?.replace('.ach', '') ?? ''

/** A payment of $30. `until` opens windows until a leg has a status. */
async function startPayment(t: TestContext, { isPrinted = false } = {}) {
  const service = await startFileService(t, isPrinted ? { operatorBank } : {})
  const { deps, openWindow } = service
  const pair = await newPair(service)
  const order = { amount: CENTS / 100, recipient: pair.recipient.userId }
  const id = isPrinted ? (await sendPayment(pair.sender, order)).id : await pay(pair, CENTS / 100)
  if (isPrinted) await pair.recipient.post(`/v3/check/print/${id}`)
  const has = async (purpose: string, status: string) =>
    (await legsOf(service, id)).some((leg) => leg[0] === purpose && leg[1] === status)
  const until = async (purpose: string, status: string) => {
    for (let window = 0; window < 20 && !(await has(purpose, status)); window++) await openWindow()
    assert.ok(await has(purpose, status), `${purpose} ${status}`)
    traces.R10 ||= (await entries('PAYMENT', '27'))[0]?.trace ?? ''
    traces.R03 ||= (await payouts())[0]?.trace ?? ''
  }
  const entries = async (description: string, code: string) =>
    (await service.sent()).filter((one) => one.cents === CENTS && one.description === description && one.code === code)
  const payouts = () => entries('PAYMENT', '22')
  const refunds = () => entries('REFUND', '22')
  const traces = { R03: '', R10: '' }
  let files = 0
  /** The bank returns the debit (R10) or the payout (R03) of the payment. */
  const giveBack = async (code: 'R03' | 'R10') => {
    const direction = code === 'R10' ? 'debit' : 'credit'
    const returned = { code, trace: traces[code], direction, cents: CENTS } as const
    await service.receive(`return-${++files}.ach`, bankFile([returned]))
  }
  const [row] = await deps.sql<{ platformId: string }[]>`select platform_id from users where id = ${pair.sender.id}`
  const user = { platformId: row?.platformId as string, userId: pair.sender.id }
  /** What the payment is, what its sender owes, and how many refunds and payouts the bank has. */
  const outcome = async () => [
    await statusOf(pair.sender, id),
    await readDebt(deps, user),
    (await refunds()).length,
    (await payouts()).length,
  ]
  const decide = async (verb: string, flags: CommandFlags = {}) => {
    const [held] = await getExceptions(deps, {})
    assert.equal(held?.kind, 'maybe_at_bank')
    await exceptionCommand({ note: 'asked the bank', ...flags }, [verb, held.id])(deps)
  }
  return { service, pair, id, until, giveBack, payouts, refunds, outcome, decide }
}

test('a refund that a restore lost is assigned to the payment, although its debit comes back before', async (t) => {
  const { service, until, giveBack, outcome } = await startPayment(t)
  await until('payment_push', 'SETTLED')
  await giveBack('R03')
  const restore = await backUp(service, t)
  await until('payment_refund', 'SENT')
  await restore()
  await recover(service, { lastAch: await lastAch(service) })
  await giveBack('R10')
  assert.deepEqual(await outcome(), ['FAILED', CENTS, 1, 1])
  await until('payment_refund', 'SETTLED')
  assert.deepEqual(await outcome(), ['REFUNDED', CENTS, 1, 1])
  await service.assertLedger()
})

test('a payout that is returned does not cover the debt of its sender, who has got a refund that a restore lost', async (t) => {
  const { service, until, giveBack, outcome } = await startPayment(t)
  await until('payment_push', 'SETTLED')
  const restore = await backUp(service, t)
  await giveBack('R03')
  await until('payment_refund', 'SENT')
  await restore()
  await recover(service, { lastAch: await lastAch(service) })
  await giveBack('R10')
  assert.deepEqual(await outcome(), ['FAILED', CENTS, 1, 1])
  await giveBack('R03')
  assert.deepEqual(await outcome(), ['FAILED', CENTS, 1, 1])
  await until('payment_refund', 'SETTLED')
  assert.deepEqual(await outcome(), ['REFUNDED', CENTS, 1, 1])
  await service.assertLedger()
})

test('a payment whose money has covered a debt is no longer refunded', async (t) => {
  const { service, id, until, giveBack, outcome } = await startPayment(t)
  const { deps } = service
  await until('payment_push', 'SETTLED')
  const restore = await backUp(service, t)
  await giveBack('R03')
  await until('payment_refund', 'SENT')
  await restore()
  await recover(service, { lastAch: await lastAch(service) })
  await giveBack('R10')
  await giveBack('R03')
  const [key] = await deps.sql<LegKey[]>`
    select platform_id, id from legs where subject_id = ${id} and purpose = 'payment_push'
  `
  await inTransaction(deps, async (tx) => {
    const leg = await lockLeg(tx, legHandlers, key as LegKey)
    await holdForReview(tx, leg as LegRow, 'The bank contests the return.')
  })
  const [held] = await getExceptions(deps, {})
  await exceptionCommand({ note: 'asked the bank' }, ['close', held?.id ?? ''])(deps)
  await service.passDays(6)
  assert.deepEqual(await outcome(), ['FAILED', 0, 1, 1])
  const [row] = await deps.sql`select refund_at from payments where id = ${id}`
  assert.equal(row?.refundAt, null)
  await service.assertLedger()
})

for (const settled of ['SENT', 'SETTLED'] as const) {
  test(`a payout that a restore lost is found, although the debit, which was ${settled}, comes back before`, async (t) => {
    const { service, pair, id, until, giveBack, outcome, payouts, decide } = await startPayment(t)
    await until('payment_pull', settled)
    const restore = await backUp(service, t)
    await until('payment_push', 'SENT')
    const [payout] = await payouts()
    await restore()
    await recover(service, { lastAch: await lastAch(service) })
    await giveBack('R10')
    assert.deepEqual(await outcome(), ['FAILED', CENTS, 0, 1])
    assert.deepEqual((await legsOf(service, id)).at(-1), ['payment_push', 'WAITING', true])
    await decide('apply', { trace: [payout?.trace ?? ''] })
    await until('payment_push', 'SETTLED')
    assert.deepEqual(await outcome(), ['FAILED', CENTS, 0, 1])
    assert.equal((await pair.sender.del(`/v3/check/${id}`)).body.code, 'not_voidable')
    await service.assertLedger()
  })
}

test('the debit of a payment that was voided after a restore is found in its second file, and its money goes back', async (t) => {
  const service = await startFileService(t, { operatorBank })
  const { sender, recipient } = await newPair(service)
  const { id } = await sendPayment(sender, { amount: 30, recipient: recipient.userId })
  assert.equal((await recipient.post(`/v3/check/print/${id}`)).body.code, 'check_not_ready')
  await service.openWindow()
  const first = await lastAch(service)
  const reject = () => filesCommand({}, ['reject', first])(service.deps)
  const restore = await backUp(service, t)
  await reject()
  await service.openWindow()
  await service.openWindow()
  await restore()
  await recover(service, { lastAch: await lastAch(service), lastPrint: 'none', lastIssue: 'none' })
  assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
  await reject()
  const debits = async () => (await service.sent()).filter((one) => one.cents === CENTS && one.code === '27').length
  for (let window = 0; window < 20 && (await legsOf(service, id)).length < 2; window++) await service.openWindow()
  assert.deepEqual(await debits(), 2, 'one in each file')
  assert.deepEqual(
    (await legsOf(service, id)).map(([purpose, status]) => `${purpose} ${status}`),
    ['payment_pull TRUSTED', 'payment_refund SENT'],
  )
  await service.assertLedger()
})

test('a refund that a restore lost is found, although the debit, which was SENT, comes back before', async (t) => {
  const { service, pair, id, until, giveBack, outcome } = await startPayment(t, { isPrinted: true })
  await until('payment_pull', 'SENT')
  assert.equal((await pair.sender.del(`/v3/check/${id}`)).status, 200)
  const restore = await backUp(service, t)
  await until('payment_refund', 'SENT')
  await restore()
  await recover(service, { lastAch: await lastAch(service), lastPrint: 'none', lastIssue: 'none' })
  await giveBack('R10')
  await until('payment_refund', 'SETTLED')
  assert.deepEqual(await outcome(), ['VOID', CENTS, 1, 0])
  await service.assertLedger()
})

for (const [what, verb, expected] of [
  ['has', 'apply', [CENTS, 'SETTLED']],
  ['does not have', 'close', [0, 'CANCELLED']],
] as const) {
  test(`a held refund whose debit comes back waits until the operator knows that the bank ${what} it`, async (t) => {
    const { service, id, until, giveBack, outcome, refunds, decide } = await startPayment(t)
    await until('payment_push', 'SETTLED')
    await giveBack('R03')
    const restore = await backUp(service, t)
    await until('payment_refund', 'SENT')
    const [refund] = await refunds()
    const last = await lastAch(service)
    await restore()
    await loseFolder(service, t)
    await recover(service, { lastAch: last })
    await service.openWindow()
    await service.openWindow()
    await giveBack('R10')
    const [, owed] = await outcome()
    assert.deepEqual([owed, (await legsOf(service, id)).at(-1)], [CENTS, ['payment_refund', 'WAITING', true]])
    await decide(verb, verb === 'apply' ? { trace: [refund?.trace ?? ''] } : {})
    await service.openWindow()
    const [, left] = await outcome()
    assert.deepEqual([left, (await legsOf(service, id)).at(-1)?.[1]], expected)
    await service.assertLedger()
  })

  test(`a held payout whose debit comes back waits until the operator knows that the bank ${what} it`, async (t) => {
    const { service, id, until, giveBack, outcome, payouts, decide } = await startPayment(t)
    await until('payment_pull', 'SETTLED')
    const restore = await backUp(service, t)
    await until('payment_push', 'SENT')
    const [payout] = await payouts()
    const last = await lastAch(service)
    await restore()
    await loseFolder(service, t)
    await recover(service, { lastAch: last })
    await until('payment_push', 'WAITING')
    await service.openWindow()
    await giveBack('R10')
    const [status, owed] = await outcome()
    assert.deepEqual(
      [status, owed, (await legsOf(service, id)).at(-1)],
      ['FAILED', CENTS, ['payment_push', 'WAITING', true]],
    )
    await decide(verb, verb === 'apply' ? { trace: [payout?.trace ?? ''] } : {})
    await service.openWindow()
    const [, left] = await outcome()
    assert.deepEqual([left, (await legsOf(service, id)).at(-1)?.[1]], expected)
    await service.assertLedger()
  })
}
