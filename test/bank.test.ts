import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addBank, startTestService } from './support/service.ts'

test('a bank is added, released and verified', async (t) => {
  const { newUser } = await startTestService(t)
  const user = await newUser()
  const added = await user.post('/v3/bank', { routing: '021000021', account: '123456789012', type: 'CHECKING' })
  assert.equal(added.status, 201)
  assert.deepEqual(added.body, {
    id: added.body.id,
    routing: '021000021',
    account: '9012',
    type: 'CHECKING',
    status: 'DEPOSIT_ONLY',
    billing: true,
    default: true,
    date: '2026-03-02 15:00:00',
    name: null,
    balance: null,
  })
  const released = await user.post('/v3/bank/release', { account: added.body.id })
  assert.deepEqual([released.status, released.text], [201, '{}'])
  assert.equal((await user.get('/v3/bank')).body.banks[0].status, 'PENDING')
  const verified = await user.post('/v3/bank/verify', { amount_1: 0.15, amount_2: 0.07 })
  assert.deepEqual([verified.status, verified.text], [200, '{}'])
  assert.equal((await user.get('/v3/bank')).body.banks[0].status, 'VERIFIED')
})

test('the third wrong pair takes a bank back to DEPOSIT_ONLY, and ten at once count as three', async (t) => {
  const { newUser } = await startTestService(t)
  const user = await newUser()
  const account = await addBank(user)
  await user.post('/v3/bank/release', { account })
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => user.post('/v3/bank/verify', { account, amount_1: 0.01, amount_2: 0.02 })),
  )
  const codes = answers.map(({ body }) => body.code)
  assert.equal(codes.filter((code) => code === 'amounts_do_not_match').length, 3)
  assert.equal(codes.filter((code) => code === 'bank_not_pending').length, 7)
  assert.equal((await user.get('/v3/bank')).body.banks[0].status, 'DEPOSIT_ONLY')
})
