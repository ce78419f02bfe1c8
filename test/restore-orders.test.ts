import assert from 'node:assert/strict'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { IsoContract, RailTerms } from '../src/foundation/core/connections.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { readAnswers } from '../src/money/iso20022/order/order-worker.ts'
import { getWaitingLines } from '../src/money/reconciliation/decision/line-view-actions.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { exchange, fileStatuses, readOutbound, upload } from './support/ach.ts'
import { DAY, legsOf, statusOf } from './support/file-service.ts'
import { sampleTerms } from './support/iso-messages.ts'
import { answerOrders } from './support/order-bank.ts'
import { book, payByRtp, startOrders } from './support/order-service.ts'
import { sendPayment } from './support/payments.ts'
import { backUp, recover } from './support/restore.ts'

// A database restored from a backup must not send orders again that the bank already has.

async function startLosing(t: TestContext, iso: Partial<IsoContract> = {}) {
  const bank = await startOrders(t, iso)
  const { service, folder, send, parties } = bank
  const lastOrders = async () =>
    (await readdir(join(folder, 'outbound/sent')))
      .filter((name) => name.startsWith('orders-'))
      .sort()
      .at(-1) ?? 'none'
  const recoverNow = async (flags: CommandFlags = {}) =>
    recover(service, { lastAch: 'none', lastOrders: (await lastOrders()).replace('.xml', ''), ...flags })
  const held = async () => (await getExceptions(service.deps, {})).filter(({ kind }) => kind === 'maybe_at_bank')
  const decide = (id: string, verb: string, flags: CommandFlags = {}) =>
    exceptionCommand({ note: 'asked the bank', ...flags }, [verb, id])(service.deps)
  return { ...bank, lastOrders, recoverNow, held, decide, send, pay: (amount: number) => payByRtp(parties, amount) }
}

test('after a restore, an order that the bank has is assigned to its payment, which the answers of the bank then follow', async (t) => {
  const { service, parties, pay, send, answer, recoverNow } = await startLosing(t)
  const before = await pay(30)
  const restore = await backUp(service, t)
  const [order] = await send()
  assert.equal(order?.cents, 3_000)
  await restore()
  assert.equal((await send()).length, 1, 'nothing is sent until the operator has named the last files')
  const report = await recoverNow()
  assert.match(report, /All files are known\./)
  assert.doesNotMatch(report, /not assigned to a payment/)
  assert.deepEqual((await legsOf(service, before)).at(-1), ['payment_push', 'SENT', false])
  const later = await pay(40)
  assert.deepEqual(
    (await send()).map(({ cents }) => cents),
    [3_000, 4_000],
  )
  await answer(answerOrders([{ ...order, code: 'ACSC' }]))
  assert.equal(await statusOf(parties.sender, before), 'PAID')
  assert.equal(await statusOf(parties.sender, later), 'IN_PROCESS')
  assert.equal((await getBankCases(service.deps)).length, 0)
  await service.assertLedger()
})

test('after a restore, a payment is held if the bank has an order of its amount whose payment is not known', async (t) => {
  const { service, parties, pay, send, recoverNow, held, decide } = await startLosing(t)
  const restore = await backUp(service, t)
  await pay(30)
  const [lost] = await send()
  const trace = lost?.endToEndId as string
  await restore()
  assert.match(await recoverNow(), /1 order at the bank is not assigned to a payment yet\.\n {2}Ask your clients/)
  const [repeated, other] = [await pay(30), await pay(31)]
  assert.deepEqual(
    (await send()).map(({ cents }) => cents),
    [3_000, 3_100],
  )
  assert.deepEqual((await legsOf(service, repeated)).at(-1), ['payment_push', 'WAITING', true])
  assert.equal(await statusOf(parties.sender, other), 'IN_PROCESS')
  assert.equal((await parties.sender.del(`/v3/check/${repeated}`)).body.code, 'not_voidable')
  const [one, ...others] = await held()
  assert.ok(one && others.length === 0)
  assert.ok(one.note.startsWith(`The bank has order ${trace} of the same amount in orders-`), one.note)
  const refusals: [CommandFlags, RegExp][] = [
    [{}, /Name an order that remit files recover added/],
    [{ trace: ['f'.repeat(32)], code: 'ACSC' }, /Name an order that remit files recover added/],
    [{ trace: [trace] }, /Ask the bank about the order/],
    [{ trace: [trace], code: 'RJCT' }, /Ask the bank about the order/],
  ]
  for (const [flags, why] of refusals) await assert.rejects(decide(one.id, 'apply', flags), why)
  assert.deepEqual((await legsOf(service, repeated)).at(-1), ['payment_push', 'WAITING', true], 'nothing has changed')
  assert.match(await decide(one.id, 'apply', { trace: [trace], code: 'ACSC' }), /has paid the payment by order/)
  assert.equal(await statusOf(parties.sender, repeated), 'PAID')
  assert.equal((await send()).length, 2)
  await service.assertLedger()
})

test('after a restore, a held payment that the bank does not have is sent, and an order of another amount is refused', async (t) => {
  const { service, pay, send, recoverNow, held, decide } = await startLosing(t)
  const restore = await backUp(service, t)
  await pay(30)
  await pay(35)
  const lost = await send()
  await restore()
  await recoverNow()
  await pay(30)
  await send()
  const [one] = await held()
  const other = lost.find(({ cents }) => cents === 3_500)?.endToEndId as string
  await assert.rejects(
    decide(one?.id ?? '', 'apply', { trace: [other], code: 'ACSC' }),
    /is of \$35\.00, and the payment is of \$30\.00/,
  )
  await decide(one?.id ?? '', 'close')
  assert.deepEqual(
    (await send()).map(({ cents }) => cents),
    [3_000, 3_500, 3_000],
  )
  await service.assertLedger()
})

test('after a restore, an order whose payment is not made again becomes a case after a week', async (t) => {
  const bank = await startLosing(t)
  const { service, pay, send, recoverNow, decide } = bank
  const restore = await backUp(service, t)
  await pay(30)
  const [lost] = await send()
  await restore()
  await recoverNow()
  await book(bank, [{ cents: -3_000, reference: lost?.endToEndId ?? '' }])
  const [{ parts = [] } = {}] = (await getWaitingLines(service.deps)).lines[0]?.proposals ?? []
  assert.deepEqual(parts, [{ name: 'lost_payments', cents: -3_000 }])
  service.clock.advance(6 * DAY - 60)
  await readAnswers(service.deps, legHandlers)
  assert.equal((await getBankCases(service.deps)).length, 0)
  service.clock.advance(120)
  for (let pass = 0; pass < 2; pass++) await readAnswers(service.deps, legHandlers)
  const [open, ...others] = await getBankCases(service.deps)
  const note = `The bank has order ${lost?.endToEndId} of $30.00 from before the restore, and nobody has repeated its payment.`
  assert.deepEqual([open?.kind, open?.note, others.length], ['payment_missing', note, 0])
  await assert.rejects(decide(open?.id ?? '', 'apply', { code: 'ACSC' }), /Nothing can be applied for this case/)
  await decide(open?.id ?? '', 'close')
  await pay(30)
  assert.deepEqual(
    (await send()).map(({ cents }) => cents),
    [3_000, 3_000],
  )
})

test('after a restore, a second copy of an answer about an order whose payment is not known asks nothing', async (t) => {
  const { service, pay, send, answer, recoverNow, decide } = await startLosing(t)
  const restore = await backUp(service, t)
  await pay(30)
  const [lost] = await send()
  assert.ok(lost)
  await restore()
  await recoverNow()
  const say = async (code: string) => {
    await answer(answerOrders([{ ...lost, code }]))
    return getBankCases(service.deps)
  }
  const [open] = await say('ACSC')
  assert.match(open?.note ?? '', /the bank says ACSC/)
  assert.equal((await say('ACSC')).length, 1)
  await decide(open?.id ?? '', 'close')
  assert.equal((await say('ACSC')).length, 0)
})

test('after a restore, the bank rejects one order of a message, and another one whose payment is not known stays at the bank', async (t) => {
  const { service, parties, pay, send, answer, recoverNow } = await startLosing(t)
  const known = await pay(30)
  const restore = await backUp(service, t)
  await pay(40)
  const orders = await send()
  const [rejected, lost] = [3_000, 4_000].map((cents) => orders.find((one) => one.cents === cents))
  assert.ok(rejected && lost && rejected.messageId === lost.messageId)
  await restore()
  await recoverNow()
  await answer(answerOrders([{ ...rejected, code: 'RJCT', reason: 'AC04' }]))
  assert.equal(await statusOf(parties.sender, known), 'FAILED')
  assert.equal((await fileStatuses(service.deps.sql))[`orders-${lost.messageId}`], 'ACCEPTED')
  const repeated = await pay(40)
  assert.equal((await send()).length, 2)
  assert.deepEqual((await legsOf(service, repeated)).at(-1), ['payment_push', 'WAITING', true])
  const findCases = async () => {
    service.clock.advance(8 * DAY)
    await readAnswers(service.deps, legHandlers)
    return (await getBankCases(service.deps)).filter(({ note }) => note.includes(lost.endToEndId)).length
  }
  assert.equal(await findCases(), 0, 'the operator decides with the payment that waits')
  const held = (await getExceptions(service.deps, {})).find(({ paymentId }) => paymentId === repeated)
  await exceptionCommand({ note: 'it is another payment' }, ['close', held?.id ?? ''])(service.deps)
  await send()
  assert.equal(await findCases(), 1)
  await service.assertLedger()
})

test('after a restore, the bank rejects all orders of a message, also those whose payments are not known', async (t) => {
  const { service, pay, send, answer, recoverNow } = await startLosing(t)
  await pay(30)
  const restore = await backUp(service, t)
  await pay(40)
  const orders = await send()
  await restore()
  await recoverNow()
  service.clock.advance(8 * DAY)
  await readAnswers(service.deps, legHandlers)
  assert.ok((await getBankCases(service.deps)).some(({ kind }) => kind === 'payment_missing'))
  await answer(answerOrders(orders.map((order) => ({ ...order, code: 'RJCT', reason: 'AC04' }))))
  assert.equal((await fileStatuses(service.deps.sql))[`orders-${orders[0]?.messageId}`], 'REJECTED')
  assert.deepEqual(
    (await getBankCases(service.deps)).filter(({ kind }) => kind !== 'order_unanswered'),
    [],
  )
  await pay(40)
  const cents = (await send()).map((order) => order.cents).sort()
  assert.deepEqual(cents, [3_000, 4_000, 4_000], 'nothing is asked about an order that the bank has rejected')
})

test('after a restore, no payment is held because of an order whose message was rejected', async (t) => {
  const { service, pay, send, recoverNow } = await startLosing(t)
  await pay(30)
  const restore = await backUp(service, t)
  await pay(40)
  const [order] = await send()
  await restore()
  await recoverNow()
  await filesCommand({}, ['reject', `orders-${order?.messageId}`])(service.deps)
  await pay(40)
  const messages = (await send()).filter(({ cents }) => cents === 4_000).map(({ messageId }) => messageId)
  assert.equal(new Set(messages).size, 2, 'one is rejected, and the other has the repeated payment')
  assert.deepEqual(await getExceptions(service.deps, {}), [])
})

test('after a restore, an order that was held at the backup is assigned, and is not sent again if its message has a rejected order', async (t) => {
  const { RTP } = sampleTerms.rails
  assert.ok(RTP)
  const rtp: RailTerms = { ...RTP, centsPerOrder: null }
  const terms = { ...sampleTerms, rails: { ...sampleTerms.rails, RTP: rtp } }
  const { service, parties, pay, send, answer, recoverNow, decide } = await startLosing(t, { terms })
  const big = await pay(70)
  rtp.centsPerOrder = 5_000 // the bank lowers the limit
  assert.deepEqual(await send(), [])
  await pay(30)
  const restore = await backUp(service, t)
  const release = async () => {
    rtp.centsPerOrder = null
    const [one] = (await getExceptions(service.deps, {})).filter(({ kind }) => kind === 'order_refused')
    await decide(one?.id ?? '', 'close')
  }
  await release()
  const orders = await send()
  await restore()
  await recoverNow()
  assert.deepEqual((await legsOf(service, big)).at(-1), ['payment_push', 'SENT', true], 'the bank has it')
  const rejected = orders.filter(({ cents }) => cents === 3_000)
  await answer(answerOrders(rejected.map((order) => ({ ...order, code: 'RJCT', reason: 'AC04' }))))
  await release()
  for (let pass = 0; pass < 3; pass++) await send()
  assert.deepEqual((await send()).map(({ cents }) => cents).sort(), [3_000, 7_000])
  assert.deepEqual((await legsOf(service, big)).at(-1), ['payment_push', 'SENT', false])
  const wallet = `/v3/account/wallet/${parties.wallet}`
  const before = (await parties.sender.get(wallet)).body.balance
  assert.equal((await parties.sender.del(`/v3/check/${big}`)).status, 200)
  assert.deepEqual((await legsOf(service, big)).at(-1), ['payment_push', 'STOPPING', false], 'the bank is asked')
  assert.equal((await parties.sender.get(wallet)).body.balance, before, 'no money is given back before it answers')
})

test('after a second recovery with an older, rejected message, an order stays assigned', async (t) => {
  const { service, folder, pay, send, answer, parties } = await startLosing(t)
  const id = await pay(30)
  const restore = await backUp(service, t)
  const [first] = await send()
  await filesCommand({}, ['reject', `orders-${first?.messageId}`])(service.deps)
  await exchange(service.deps)
  service.clock.advance(60)
  const second = (await send()).at(-1)
  assert.ok(second && second.messageId !== first?.messageId && second.endToEndId === first?.endToEndId)
  await restore()
  const elsewhere = join(folder, 'inbound/done')
  const [older, newer] = [first?.messageId, second.messageId].map((messageId) => `orders-${messageId}`)
  await rename(join(folder, `outbound/sent/${older}.xml`), join(elsewhere, `${older}.xml`))
  await recover(service, { lastAch: 'none', lastOrders: newer, yes: true })
  service.clock.advance(60)
  await recover(service, { lastAch: 'none', lastOrders: newer, file: [join(elsewhere, `${older}.xml`)] })
  await answer(answerOrders([{ ...second, code: 'ACSC' }]))
  assert.equal(await statusOf(parties.sender, id), 'PAID')
  service.clock.advance(8 * DAY)
  await readAnswers(service.deps, legHandlers)
  assert.equal((await getBankCases(service.deps)).length, 0)
})

test('after a restore, a payment whose ACH credit the bank has is held if its payee chooses a wire', async (t) => {
  const { service, folder, parties, send, held, decide } = await startLosing(t)
  const { sender, recipient, wallet, account } = parties
  const { id } = await sendPayment(sender, { amount: 30, name: 'Payee', account: wallet, recipient: recipient.userId })
  const bank = { account: '98765432', routing: '021000021', type: 'CHECKING', city: 'New York', state: 'NY' }
  const wire = (await recipient.post('/v3/account/wire', bank)).body.id
  const deposit = async (into: string) =>
    assert.equal((await recipient.post(`/v3/check/deposit/${id}`, { account: into })).status, 201)
  const restore = await backUp(service, t)
  await deposit(account)
  await service.openWindow()
  await upload(folder)
  await exchange(service.deps)
  const push = (await readOutbound(folder)).flatMap(({ entries }) => entries).find(({ cents }) => cents === 3_000)
  const trace = [push?.trace ?? '']
  await restore()
  const name = (await readdir(join(folder, 'outbound/sent')))
    .filter((one) => one.endsWith('.ach'))
    .sort()
    .at(-1)
  await recover(service, { lastAch: name?.replace('.ach', ''), lastOrders: 'none' })
  await deposit(wire)
  assert.deepEqual(await send(), [])
  const [one, ...others] = await held()
  assert.ok(one && others.length === 0)
  assert.ok(one.note.includes(push?.trace ?? 'no entry'), one.note)
  await assert.rejects(decide(one.id, 'apply', { trace }), /give --code ACSC/)
  assert.match(await decide(one.id, 'apply', { trace, code: 'ACSC' }), /has paid the payment/)
  assert.equal(await statusOf(sender, id), 'PAID')
  assert.deepEqual(await send(), [])
  service.clock.advance(8 * DAY)
  await readAnswers(service.deps, legHandlers)
  assert.equal((await getBankCases(service.deps)).length, 0)
  await service.assertLedger()
})

test('a file of orders that this service has not written is refused, and nothing changes', async (t) => {
  const { service, folder, pay, send, recoverNow, lastOrders } = await startLosing(t)
  const restore = await backUp(service, t)
  await pay(30)
  await send()
  await restore()
  const path = join(folder, 'outbound/sent', await lastOrders())
  const text = await readFile(path, 'utf8')
  const broken = [
    '',
    text.slice(0, 900),
    text.replace(/<InstdAmt.*<\/InstdAmt>/, ''),
    text.replace(/pain\.001[.\d]*/, 'x'),
  ]
  for (const content of broken) {
    await writeFile(path, content)
    await assert.rejects(recoverNow(), /is not a message of this service/)
  }
  assert.equal((await service.deps.sql`select 1 from exchange_recoveries`).length, 0)
  await writeFile(path, text)
  assert.match(await recoverNow(), /1 order at the bank is not assigned to a payment yet/)
})

test('a file of orders that is missing since the backup is noticed', async (t) => {
  const { service, folder, pay, send, recoverNow, lastOrders } = await startLosing(t)
  const before = await pay(30)
  const restore = await backUp(service, t)
  await send()
  const older = await lastOrders()
  service.clock.advance(60)
  await pay(40)
  await send()
  await restore()
  await rm(join(folder, 'outbound/sent', older))
  await assert.rejects(recoverNow(), /shows that 1 more file was written since the backup/)
  assert.match(await recoverNow({ yes: true }), /Some files are unknown/)
  assert.deepEqual(
    (await send()).map(({ cents }) => cents),
    [4_000],
  )
  assert.deepEqual((await legsOf(service, before)).at(-1), ['payment_push', 'WAITING', true])
})

test('after a restore, a payment that may have an order at the bank is not voided until the bank has rejected the order', async (t) => {
  const { service, parties, send, answer, recoverNow } = await startLosing(t)
  const { sender, recipient, wallet, account } = parties
  const order = { amount: 30, name: 'Payee', account: wallet, recipient: recipient.userId, deposit_options: ['RTP'] }
  const { id } = await sendPayment(sender, order)
  const restore = await backUp(service, t)
  assert.equal((await recipient.post(`/v3/check/deposit/${id}`, { account })).status, 201)
  const [lost] = await send()
  assert.ok(lost)
  await restore()
  await recoverNow()
  assert.equal((await sender.del(`/v3/check/${id}`)).body.code, 'not_voidable')
  await answer(answerOrders([{ ...lost, code: 'RJCT', reason: 'AC04' }]))
  assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
  await service.assertLedger()
})
