import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { accountText } from '../src/foundation/core/account-number.ts'
import { isClean, verifyLedger } from '../src/money/ledger/verify-actions.ts'
import { operatorBank } from './support/paid-lists.ts'
import { sendPayment } from './support/payments.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

// `verify-ledger` finds double payments that a balanced ledger does not show: a user who paid or was paid twice.

const service = await startTestService({ after }, { settings: { operatorBank } })
const { clock, deps, doDueWork, newUser, ownerSql } = service
service.secrets.add(operatorBank.accountNumber)

const wrong = async () => {
  const verification = await verifyLedger(deps)
  return verification.filter(({ finding }) => finding.offending.length > 0).map(({ check }) => check)
}

async function paid(amount: number) {
  const [sender, recipient] = [await newUser(), await newUser()]
  await addVerifiedBank(sender)
  const { id } = await sendPayment(sender, {
    amount,
    recipient: { id: recipient.userId, account: await addBank(recipient) },
  })
  for (let day = 0; day < 8; day++) {
    clock.advance(24 * 3_600)
    await doDueWork()
  }
  assert.equal((await sender.get(`/v3/check/${id}`)).body.status, 'PAID')
  assert.deepEqual(await wrong(), [])
  return id
}

/** Inserts a copy of the newest row with some changed columns. @returns a function that removes it */
async function copy(table: string, where: string, changes: object) {
  const id = crypto.randomUUID()
  const values = JSON.stringify({ id, ...changes })
  await ownerSql.unsafe(
    `insert into ${table} select (json_populate_record(t, '${values}')).* from ${table} t where ${where} limit 1`,
  )
  return () => ownerSql.unsafe(`delete from ${table} where id = '${id}'`)
}

suite('verify-ledger finds', () => {
  for (const purpose of ['payment_push', 'payment_pull'] as const) {
    test(`a payment with a second ${purpose === 'payment_push' ? 'payout' : 'debit'}`, async () => {
      const id = await paid(50.11)
      const remove = await copy('legs', `subject_id = '${id}' and purpose = '${purpose}'`, { status: 'SETTLED' })
      assert.ok((await wrong()).includes('no more left or came for a payment than its amount'))
      await remove()
      assert.deepEqual(await wrong(), [])
    })
  }

  test('a refund of a payment whose payee was paid', async () => {
    const id = await paid(50.12)
    const remove = await copy('legs', `subject_id = '${id}' and purpose = 'payment_push'`, {
      purpose: 'payment_refund',
    })
    assert.ok((await wrong()).includes('no more left or came for a payment than its amount'))
    await remove()
  })

  test('an invoice with two payments that reached the payee', async () => {
    const [one, two] = [await paid(50.13), await paid(50.13)]
    const invoice = crypto.randomUUID()
    await ownerSql`update payments set invoice_id = ${invoice} where id in (${one}, ${two})`
    assert.ok((await wrong()).includes('invoices were paid once'))
    await ownerSql`update payments set status = 'FAILED' where id = ${two}`
    assert.ok(
      (await wrong()).includes('invoices were paid once'),
      'its debit was returned, and its payee has the money',
    )
    await ownerSql`update payments set invoice_id = null, status = 'PAID' where id in (${one}, ${two})`
    assert.deepEqual(await wrong(), [])
  })

  test('a scanned check that was deposited twice, with other zeros', async () => {
    const [one, two] = [await paid(50.14), await paid(50.14)]
    const [bank] = await ownerSql`select platform_id, id from banks limit 1`
    for (const [payment, number] of [
      [one, '1042'],
      [two, '001042'],
    ] as const) {
      await ownerSql`
        insert into scanned_checks (platform_id, payment_id, letter_id, bank_id, number)
        values (${bank?.platformId}, ${payment}, ${crypto.randomUUID()}, ${bank?.id}, ${number})
      `
    }
    assert.deepEqual(await wrong(), ['scanned checks were deposited once'])
    await ownerSql`update payments set status = 'VOID' where id = ${two}`
    assert.ok(!(await wrong()).includes('scanned checks were deposited once'))
    await ownerSql`update payments set status = 'PAID' where id = ${two}`
    await ownerSql`delete from scanned_checks`
  })

  test('a debit from an account of the operator', async () => {
    const id = await paid(50.15)
    const own = accountText({ routing: operatorBank.routingNumber, account: '555006789' })
    const [digest] = deps.keyRing.digests(own, 'bank account')
    const [leg] = await ownerSql`select account_id from legs where subject_id = ${id} and purpose = 'payment_pull'`
    const [before] = await ownerSql`select account_digest from banks where id = ${leg?.accountId}`
    await ownerSql`update banks set account_digest = ${digest as Buffer} where id = ${leg?.accountId}`
    assert.deepEqual(await wrong(), ['no debit goes to an account of the operator'])
    await ownerSql`update banks set account_digest = ${before?.accountDigest} where id = ${leg?.accountId}`
    assert.ok(isClean(await verifyLedger(deps)))
  })
})
