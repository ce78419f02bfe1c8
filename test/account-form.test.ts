import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { withoutZeros } from '../src/foundation/core/account-number.ts'
import { duplicatesInFile } from '../src/orders/approval/batch/batch-rules.ts'
import type { Api } from './support/api.ts'
import { sendPayment } from './support/payments.ts'
import { addBank, addVerifiedBank, newAccountNumber, startTestService } from './support/service.ts'

// Leading zeros do not make a different account: blocks, tries, refusals and scanned checks apply to both forms.

const service = await startTestService({ after }, { settings: { blockScope: 'platform' } })
const { clock, doDueWork, newUser, owner } = service

const payee = await newUser()
const payeeBank = await addBank(payee)

const ROUTING = '021000021'
const order = { name: 'Payee', recipient: 'payee@example.com' }

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock.advance(24 * 3_600)
    await doDueWork()
  }
}

const release = (user: Api, bankId: string) => user.post('/v3/bank/release', { account: bankId })
const direct = (user: Api, amount: number, account: string) =>
  user.post('/v3/check/direct', {
    ...{ ...order, amount, account_number: account, routing_number: ROUTING, account_type: 'CHECKING' },
  })
const newNumber = () => newAccountNumber().replace(/^0+/, '')

test('numbers are compared without leading zeros, and other texts are compared unchanged', () => {
  for (const [written, compared] of [
    ['0030194826351', '30194826351'],
    ['30194826351', '30194826351'],
    ['0000', '0'],
    ['01-02', '01-02'],
    ['', ''],
  ] as const) {
    assert.equal(withoutZeros(written), compared)
  }
})

suite('a leading zero', () => {
  test('does not lift a block', async () => {
    const user = await newUser()
    const unauthorized = '9999999910'
    const bank = await addBank(user, unauthorized)
    await release(user, bank)
    await user.post('/v3/bank/verify', { account: bank, amount_1: 0.07, amount_2: 0.15 })
    await sendPayment(user, { account: bank, recipient: { id: payee.userId, account: payeeBank } })
    await passDays(6)
    assert.equal((await user.get(`/v3/bank/${bank}`)).body.status, 'DEPOSIT_ONLY')
    const again = await addBank(user, `00${unauthorized}`)
    const refused = await release(user, again)
    assert.deepEqual([refused.status, refused.body.code], [400, 'bank_blocked'])
  })

  test('does not give new tries for micro-deposits', async () => {
    const user = await newUser()
    const number = newNumber()
    const outcomes: string[] = []
    for (const account of [number, `0${number}`, `00${number}`]) {
      const bank = await addBank(user, account)
      for (let nth = 0; nth < 4; nth++) {
        const { status, body } = await release(user, bank)
        outcomes.push(status === 201 ? 'released' : body.code)
        if (status !== 201) break
        for (let wrong = 0; wrong < 3; wrong++) {
          await user.post('/v3/bank/verify', { account: bank, amount_1: 0.5, amount_2: 0.6 })
        }
      }
    }
    const released = outcomes.filter((outcome) => outcome === 'released').length
    const alone = await newUser()
    const bank = await addBank(alone, newNumber())
    let usual = 0
    while (usual < 10 && (await release(alone, bank)).status === 201) {
      usual++
      for (let wrong = 0; wrong < 3; wrong++) {
        await alone.post('/v3/bank/verify', { account: bank, amount_1: 0.5, amount_2: 0.6 })
      }
    }
    assert.equal(released, usual, `${outcomes}`)
  })

  test('does not turn a payment to oneself into a payment to another user', async () => {
    const user = await newUser()
    await addVerifiedBank(user)
    const number = newNumber()
    await addBank(user, number)
    const [plain, padded] = [await direct(user, 5, number), await direct(user, 5, `0${number}`)]
    assert.equal(plain.status, 400)
    assert.deepEqual([padded.status, padded.body.code], [plain.status, plain.body.code])
  })

  test('does not open the account of a nonexistent payee', async () => {
    const user = await newUser()
    await addVerifiedBank(user)
    const missing = '9999999903'
    assert.equal((await direct(user, 5, missing)).status, 201)
    await passDays(8)
    const [plain, padded] = [await direct(user, 6, missing), await direct(user, 7, `0${missing}`)]
    assert.equal(plain.status, 400)
    assert.deepEqual([padded.status, padded.body.code], [plain.status, plain.body.code])
  })

  test('does not turn a scanned check into a second check', async () => {
    const user = await newUser()
    const opened = await user.post('/v3/mailbox', {})
    assert.equal(opened.status, 201, opened.text)
    const { id } = opened.body
    const number = newNumber()
    const arrive = (account: string) =>
      user.post(`/v3/sandbox/mailbox/${id}/mail`, {
        sender: 'Ann Payer',
        checks: [{ routing: ROUTING, account, number: '1042', amount: 30.25, name: 'Dora' }],
      })
    assert.equal((await arrive(`00${number}`)).status, 201)
    const again = await arrive(number)
    assert.deepEqual([again.status, again.body.code], [400, 'check_scanned_twice'])
    const { checks } = (await user.get('/v3/check')).body
    assert.equal(checks.length, 1)
  })

  test('does not hide a row of a file that pays the same account again', () => {
    const row = (line: number, account: string) => ({
      line,
      row: {
        ...{ name: 'Payee', amount: 5, account_number: account, routing_number: ROUTING },
        address: { type: 'email', address: 'payee@example.com' },
      } as never,
    })
    assert.deepEqual(duplicatesInFile([row(2, '1234'), row(3, '001234'), row(4, '1235')]), [null, 2, null])
  })
})

test('two accounts of a user can differ only in leading zeros, and the audit trail records this', async () => {
  const user = await newUser()
  const number = newNumber()
  const first = await addBank(user, number)
  const second = await addBank(user, `0${number}`)
  const again = await user.post('/v3/bank', { routing: ROUTING, account: `0${number}`, type: 'CHECKING' })
  assert.deepEqual([again.status, again.body.code], [400, 'bank_exists'])
  const { audit } = (await owner.get('/v3/audit')).body
  const subjects = audit.map(({ subject }: { subject: string }) => subject)
  assert.ok(subjects.includes(`${second}, which differs from ${first} only in leading zeros`))
})
