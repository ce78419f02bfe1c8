import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { debtCommand } from '../src/operation/cli/debt-commands.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { bankFile, exchange } from './support/ach.ts'
import type { Api } from './support/api.ts'
import {
  type FileService,
  legsOf,
  pay,
  startFileService,
  statusesOf,
  statusOf,
  untilPaid,
} from './support/file-service.ts'
import { addBank, addVerifiedBank } from './support/service.ts'

// A payment fails for its sender when the debit is returned. Its payee may have been paid or not.

async function newParties(service: FileService) {
  const { api: owner, email } = await service.newOwner()
  const [sender, recipient] = [await service.newUser(undefined, owner), await service.newUser(undefined, owner)]
  await addVerifiedBank(sender)
  return { service, sender, recipient, account: await addBank(recipient), email }
}
type Parties = Awaited<ReturnType<typeof newParties>>

/** Returns entries of an amount: the sign of the party's balance, in the order of the files. */
const entriesOf = async (service: FileService, cents: number) =>
  (await service.sent()).flatMap(({ cents: of, code }) => (of === cents ? [code === '27' ? -cents : cents] : []))

/** The bank returns the last entry of an amount. */
async function giveBack(service: FileService, code: string, cents: number, direction: 'debit' | 'credit' = 'debit') {
  const own = direction === 'debit' ? '27' : '22'
  const entry = (await service.sent()).findLast((one) => one.cents === cents && one.code === own)
  assert.ok(entry)
  await service.receive(`${code}-${entry.trace}.ach`, bankFile([{ code, trace: entry.trace, direction, cents }]))
}

async function payInvoice({ sender, recipient, account }: Parties, amount: number) {
  const order = { amount, name: 'Ann', recipient: sender.userId, description: 'Painting', account }
  const invoice = await recipient.post('/v3/invoice', order)
  assert.equal(invoice.status, 201, invoice.text)
  const payment = await sender.post('/v3/invoice/payment', { id: invoice.body.id, amount })
  assert.equal(payment.status, 201, payment.text)
  return { invoiceId: invoice.body.id as string, id: payment.body.id as string }
}
const invoiceStatus = async (user: Api, id: string) => (await user.get(`/v3/invoice/${id}`)).body.status
const windows = async (service: FileService, count: number) => {
  for (let window = 0; window < count; window++) await service.openWindow()
}

suite('an invoice whose debit is returned after the payout', async () => {
  const service = await startFileService({ after })

  test('stays PAID, and is not paid twice', async () => {
    const started = await newParties(service)
    const { sender, recipient, email } = started
    const { invoiceId, id } = await payInvoice(started, 40.11)
    await untilPaid(service, sender, id, 4_011)
    assert.equal(await invoiceStatus(sender, invoiceId), 'PAID')
    await giveBack(service, 'R11', 4_011)
    assert.equal(await statusOf(sender, id), 'FAILED')
    for (const user of [sender, recipient]) assert.equal(await invoiceStatus(user, invoiceId), 'PAID')
    const again = () => sender.post('/v3/invoice/payment', { id: invoiceId, amount: 40.11 })
    assert.equal((await again()).status, 400)
    await debtCommand({ owner: email, user: sender.userId, amount: '40.11', reference: 'wire 1' }, ['settle'])(
      service.deps,
    )
    assert.equal((await again()).body.code, 'invoice_not_payable')
    assert.equal((await recipient.post(`/v3/invoice/notify/${invoiceId}`)).body.code, 'not_notifiable')
    await windows(service, 8)
    assert.deepEqual(await entriesOf(service, 4_011), [-4_011, 4_011])
    assert.equal(await invoiceStatus(recipient, invoiceId), 'PAID')
  })

  test('is payable again when the payout is returned', async () => {
    const started = await newParties(service)
    const { sender } = started
    const { invoiceId, id } = await payInvoice(started, 40.12)
    await untilPaid(service, sender, id, 4_012)
    await giveBack(service, 'R11', 4_012)
    await giveBack(service, 'R23', 4_012, 'credit')
    assert.equal(await statusOf(sender, id), 'FAILED')
    assert.equal(await invoiceStatus(sender, invoiceId), 'UNPAID')
    const again = await sender.post('/v3/invoice/payment', { id: invoiceId, amount: 40.12 })
    assert.equal(again.status, 201, again.text)
  })

  for (const [what, end] of [
    ['accepts', 'PAID'],
    ['rejects', 'UNPAID'],
  ] as const) {
    test(`is ${end} when the bank ${what} the file of its payout afterward`, async (t) => {
      const service = await startFileService(t, { acknowledgements: { ach: 'required', paper: 'none' } })
      const started = await newParties(service)
      const { sender } = started
      const { filesCommand } = await import('../src/operation/cli/files-commands.ts')
      const decide = (verb: 'accept' | 'reject', name: string) => filesCommand({}, [verb, name])(service.deps)
      const files = () =>
        service.deps.sql<{ name: string }[]>`
          select name from exchanges where direction = 'out' and status not in ('ACCEPTED', 'REJECTED', 'CANCELED') order by number
        `
      const acceptAll = async () => {
        for (const { name } of await files()) await decide('accept', name)
        await exchange(service.deps)
        await service.doDueWork()
      }
      await acceptAll()
      const { invoiceId, id } = await payInvoice(started, 40.13)
      const isPushed = async () =>
        (await legsOf(service, id)).some(([purpose, status]) => purpose === 'payment_push' && status === 'SENT')
      for (let window = 0; window < 12 && !(await isPushed()); window++) {
        await acceptAll()
        await service.openWindow()
      }
      assert.ok(await isPushed())
      await giveBack(service, 'R11', 4_013)
      assert.deepEqual([await statusOf(sender, id), await invoiceStatus(sender, invoiceId)], ['FAILED', 'IN_PROCESS'])
      for (const { name } of await files()) await decide(what === 'accepts' ? 'accept' : 'reject', name)
      await exchange(service.deps)
      await service.doDueWork()
      await service.assertLedger()
      assert.equal(await invoiceStatus(sender, invoiceId), end)
    })
  }

  test('is payable again when its debit is returned before the payout', async () => {
    const started = await newParties(service)
    const { sender } = started
    const { invoiceId } = await payInvoice(started, 40.14)
    await service.openWindow()
    await giveBack(service, 'R01', 4_014)
    assert.equal(await invoiceStatus(sender, invoiceId), 'UNPAID')
  })
})

suite('a failed payment', async () => {
  const service = await startFileService({ after })
  const voidIt = (user: Api, id: string) => user.del(`/v3/check/${id}`)

  test('is voided by its sender when its debit was returned, and is not debited again', async () => {
    const started = await newParties(service)
    const { sender, recipient, account } = started
    const id = await pay(started, 50.12)
    await service.openWindow()
    await giveBack(service, 'R01', 5_012)
    assert.equal(await statusOf(sender, id), 'FAILED')
    assert.equal((await voidIt(recipient, id)).body.code, 'not_the_sender')
    assert.equal((await voidIt(sender, id)).status, 200)
    assert.equal((await voidIt(sender, id)).body.code, 'not_voidable')
    const deposit = await recipient.post(`/v3/check/deposit/${id}`, { account })
    assert.equal(deposit.body.code, 'not_depositable')
    await service.passDays(7)
    await windows(service, 4)
    assert.deepEqual(await entriesOf(service, 5_012), [-5_012])
    assert.deepEqual(await statusesOf(service, id), ['UNPAID', 'IN_PROCESS', 'FAILED', 'VOID'].slice(-3))
  })

  test('is voided by its sender when its payout was returned, and is refunded at once', async () => {
    const started = await newParties(service)
    const { sender, recipient } = started
    const id = await pay(started, 50.13)
    await untilPaid(service, sender, id, 5_013)
    await giveBack(service, 'R03', 5_013, 'credit')
    assert.equal((await voidIt(sender, id)).status, 200)
    const other = await addBank(recipient)
    assert.equal((await recipient.post(`/v3/check/deposit/${id}`, { account: other })).body.code, 'not_depositable')
    await windows(service, 4)
    await service.passDays(7)
    await windows(service, 2)
    assert.equal(await statusOf(sender, id), 'VOID')
    assert.deepEqual(await entriesOf(service, 5_013), [-5_013, 5_013, 5_013])
  })

  test('cannot be voided while its payee has the money, or its refund is in transit', async () => {
    const started = await newParties(service)
    const { sender } = started
    const late = await pay(started, 50.14)
    await untilPaid(service, sender, late, 5_014)
    await giveBack(service, 'R11', 5_014)
    assert.equal((await voidIt(sender, late)).body.code, 'not_voidable')
    assert.deepEqual(await entriesOf(service, 5_014), [-5_014, 5_014])
  })

  test('whose refund was returned belongs to the operator, and cannot be voided', async () => {
    const started = await newParties(service)
    const { sender } = started
    const id = await pay(started, 50.15)
    await untilPaid(service, sender, id, 5_015)
    await giveBack(service, 'R23', 5_015, 'credit')
    for (const { id: open } of await getExceptions(service.deps, {})) {
      await exceptionCommand({ note: 'refused' }, ['close', open])(service.deps)
    }
    await service.passDays(6)
    await windows(service, 2)
    assert.equal(await statusOf(sender, id), 'REFUNDED')
    await giveBack(service, 'R31', 5_015, 'credit')
    assert.equal(await statusOf(sender, id), 'FAILED')
    assert.equal((await voidIt(sender, id)).body.code, 'not_voidable')
  })

  test('is not debited again after its expiry', async () => {
    for (const [code, cents] of [
      ['R01', 5_016],
      ['R09', 5_017],
    ] as const) {
      const started = await newParties(service)
      const { recipient, account } = started
      await started.sender.put('/v3/user', { payment: { expiration: 30 } })
      const id = await pay(started, cents / 100)
      await service.openWindow()
      await giveBack(service, code, cents)
      await service.passDays(31)
      const deposit = await recipient.post(`/v3/check/deposit/${id}`, { account })
      assert.deepEqual(
        [deposit.body.code, deposit.body.message],
        ['not_depositable', 'This payment has expired. Ask the sender for a new one.'],
      )
      await windows(service, 4)
      assert.deepEqual(await entriesOf(service, cents), [-cents])
    }
  })
})
