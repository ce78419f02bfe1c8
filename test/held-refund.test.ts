import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { getExceptions, recordException } from '../src/foundation/exception/exception-actions.ts'
import { holdLeg, lockLegs } from '../src/money/rail/leg-actions.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { bankFile } from './support/ach.ts'
import { type FileService, legsOf, newPair, startFileService, statusOf, untilPaid } from './support/file-service.ts'
import { balanceOf, newWallet } from './support/money.ts'
import { answerOrders, answerRecall } from './support/order-bank.ts'
import { book, casesOf, fund, payByRtp, startOrders } from './support/order-service.ts'
import { sendPayment } from './support/payments.ts'

// A case of the bank holds a payment from a wallet. Its sender does not get the money back until the operator has decided.

const REFUSAL =
  'This payment cannot be voided now: its payee may have the money. The operator of this service is asking the bank. Try again later.'

/** An order that the bank has rejected, and that its statement books. `before` runs before the statement comes. */
async function startContradicted(
  t: TestContext,
  before: (given: Started, id: string) => Promise<unknown> = async () => {},
) {
  const started = await startOrders(t)
  const { service, folder, send, answer, parties } = started
  const id = await payByRtp(parties, 47)
  const [order] = await send()
  assert.ok(order)
  await answer(answerOrders([{ ...order, code: 'RJCT', reason: 'AC04' }]))
  await before(started, id)
  await book({ service, folder }, [{ cents: -4_700, reference: order.endToEndId }])
  assert.deepEqual(await casesOf(service), ['line_contradicts'])
  const state = async () => [await statusOf(parties.sender, id), await balanceOf(parties.sender, parties.wallet)]
  const voidIt = async () => {
    const { status, body } = await parties.sender.del(`/v3/check/${id}`)
    return status === 200 ? 'voided' : [body.code, body.message]
  }
  return { ...started, id, state, voidIt }
}

type Started = Awaited<ReturnType<typeof startOrders>>

const depositAgain = async ({ parties: { recipient, account } }: Started, id: string) =>
  assert.equal((await recipient.post(`/v3/check/deposit/${id}`, { account })).status, 201)

async function closeCase({ deps }: FileService): Promise<void> {
  const [one] = await getBankCases(deps)
  assert.equal(await exceptionCommand({ note: 'the bank did not pay it' }, ['close', one?.id ?? ''])(deps), 'Closed.')
}

test('a failed payment whose order the statement books is voided only after the case is closed', async (t) => {
  const { service, state, voidIt } = await startContradicted(t)
  await service.passDays(6)
  assert.deepEqual(await state(), ['FAILED', 953])
  assert.deepEqual(await voidIt(), ['not_voidable', REFUSAL])
  assert.deepEqual(await state(), ['FAILED', 953])
  await closeCase(service)
  assert.equal(await voidIt(), 'voided')
  assert.deepEqual(await state(), ['VOID', 1_000])
  await service.assertLedger()
})

test('the same payment is refunded as usual after the case is closed', async (t) => {
  const { service, state } = await startContradicted(t)
  await service.passDays(6)
  assert.deepEqual(await state(), ['FAILED', 953])
  await closeCase(service)
  await service.passDays(2)
  assert.deepEqual(await state(), ['REFUNDED', 1_000])
})

test('a payment that was deposited again before it is sent is voided only after the case is closed', async (t) => {
  const { service, parties, id, state, voidIt, ...started } = await startContradicted(t)
  await depositAgain({ service, parties, ...started }, id)
  assert.deepEqual((await legsOf(service, id)).at(-1), ['payment_push', 'WAITING', true])
  assert.deepEqual(await voidIt(), ['not_voidable', REFUSAL])
  assert.deepEqual(await state(), ['IN_PROCESS', 953])
  await closeCase(service)
  assert.equal(await voidIt(), 'voided')
  assert.deepEqual(await state(), ['VOID', 1_000])
  await service.assertLedger()
})

test('the bank calls back the second order of a held payment, and its money waits until the case is closed', async (t) => {
  const { service, recalls, answer, state, voidIt } = await startContradicted(t, async (started, id) => {
    await depositAgain(started, id)
    assert.equal((await started.send()).length, 2)
  })
  assert.equal(await voidIt(), 'voided', 'the bank is asked')
  const [recall] = await recalls()
  assert.ok(recall)
  await answer(answerRecall(recall, 'CNCL'))
  await service.doDueWork()
  assert.deepEqual(await state(), ['IN_PROCESS', 953])
  await closeCase(service)
  await service.doDueWork()
  assert.deepEqual(await state(), ['VOID', 1_000])
  await service.assertLedger()
})

test('a payment whose order was refused before it was sent is voided while its case is open', async (t) => {
  const { service, parties } = await startOrders(t)
  const { deps } = service
  const id = await payByRtp(parties, 47)
  await inTransaction(deps, async (tx) => {
    const keys = await tx.sql<{ platformId: string; id: string }[]>`
      select platform_id, id from legs where subject_id = ${id}
    `
    const [leg] = await lockLegs(tx, legHandlers, keys)
    assert.ok(leg)
    await holdLeg(tx, leg, 'a schema refuses it')
    const about = { platformId: leg.platformId, paymentId: id, legId: leg.id }
    await recordException(tx, { ...about, kind: 'order_refused', note: 'a schema refuses it' })
  })
  assert.equal((await parties.sender.del(`/v3/check/${id}`)).status, 200)
  assert.deepEqual(
    [await statusOf(parties.sender, id), await balanceOf(parties.sender, parties.wallet)],
    ['VOID', 1_000],
  )
})

test('a credit whose return is contested is not voided, whether a wallet or a bank paid for it', async (t) => {
  const service = await startFileService(t)
  const { deps, sender, recipient, account } = { ...service, ...(await newPair(service)) }
  const wallet = await newWallet(sender, 0)
  await fund(service, { account: wallet, cents: 1_000 })
  const payee = { recipient: { id: recipient.userId, account } }
  const ids = [
    (await sendPayment(sender, { account: wallet, amount: 10, ...payee })).id,
    (await sendPayment(sender, { amount: 11, ...payee })).id,
  ]
  const back: { trace: string; direction: 'credit'; cents: number }[] = []
  for (const [index, cents] of [1_000, 1_100].entries()) {
    const { trace } = await untilPaid(service, sender, ids[index] ?? '', cents)
    back.push({ trace, direction: 'credit', cents })
  }
  for (let window = 0; window < 3; window++) await service.openWindow()
  for (const code of ['R03', 'R68'])
    await service.receive(`${code}.ach`, bankFile(back.map((one) => ({ ...one, code }))))
  assert.deepEqual(await casesOf(service), ['return_contested', 'return_contested'])
  for (const id of ids) {
    const { body } = await sender.del(`/v3/check/${id}`)
    assert.deepEqual([body.code, body.message, await statusOf(sender, id)], ['not_voidable', REFUSAL, 'FAILED'])
  }
  const [row] = await deps.sql<{ platformId: string }[]>`select platform_id from payments where id = ${ids[1] ?? ''}`
  const about = { platformId: row?.platformId ?? '', paymentId: ids[1] ?? '' }
  await inTransaction(deps, (tx) => recordException(tx, { ...about, kind: 'user_closed', note: 'the user is closed' }))
  const [{ id: exception = '' } = {}] = await getExceptions(deps, {})
  const flags = { note: 'paid', paidBy: 'wire', reference: 'Fed 1' }
  await assert.rejects(
    exceptionCommand(flags, ['close', exception])(deps),
    /^StartProblem: Another case holds this payment/,
  )
  await assert.rejects(
    exceptionCommand({}, ['resend', exception])(deps),
    /^StartProblem: Another case holds this payment/,
  )
  await service.assertLedger()
})
