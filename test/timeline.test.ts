import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { advanceClocks } from '../src/operation/scheduler/due-work.ts'
import type { Api } from './support/api.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

const service = await startTestService({ after })
const { api: owner } = await service.newOwner()
const sender = await service.newUser(undefined, owner)
const recipient = await service.newUser(undefined, owner)
await addVerifiedBank(sender)
const account = await addBank(recipient)

type Entry = {
  position: number
  kind: string
  event: string
  status: string | null
  actor: { kind: string; id: string | null; name: string | null } | null
}

async function timelineOf(by: Api, id: string): Promise<{ entries: Entry[]; ledger: { reason: string }[] }> {
  const { body, status, text } = await by.get(`/v3/payment/${id}/timeline`)
  assert.equal(status, 200, text)
  return body
}

const told = ({ kind, event, status, actor }: Entry) => [kind, event, status, actor?.kind ?? null].join(' ')

async function advance(duration: string): Promise<void> {
  assert.equal((await owner.put('/v3/sandbox/clock', { advance: duration })).status, 200)
  while ((await advanceClocks(service.deps)) > 0);
}

test('a payment from bank to bank shows each step, its cause, and its ledger entries', async () => {
  const { id } = await sendPayment(sender, { recipient: recipient.userId })
  assert.equal((await recipient.post(`/v3/check/deposit/${id}`, { account })).status, 201)
  await advance('P14D')
  const { entries, ledger } = await timelineOf(sender, id)
  assert.deepEqual(entries.map(told), [
    'payment create UNPAID ',
    'payment deposit IN_PROCESS api_key',
    'debit send SENT ',
    'debit settle SETTLED ',
    'debit trust TRUSTED ',
    'credit send SENT ',
    'payment pay PAID ',
    'credit settle SETTLED ',
  ])
  assert.deepEqual(
    entries.map(({ position }) => position),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
  const [key] = recipient.credential.split(':')
  assert.equal(entries[1]?.actor?.id, key)
  assert.equal(entries[1]?.actor?.name, null)
  assert.deepEqual(
    ledger.map(({ reason }) => reason),
    ['pull_sent', 'push_sent', 'push_settled'],
  )
  const seen = await timelineOf(owner, id)
  assert.match(seen.entries[1]?.actor?.name ?? '', /API key/)
  assert.deepEqual(seen.entries.map(told), entries.map(told))
  assert.deepEqual(seen.ledger, ledger)
})

test('the recipient sees the changes of the status, without actors and ledger entries', async () => {
  const { id } = await sendPayment(sender, { recipient: recipient.userId })
  await recipient.post(`/v3/check/deposit/${id}`, { account })
  await triggerStatus(sender, id, 'FAILED', { return_code: 'R01' })
  const { entries, ledger } = await timelineOf(recipient, id)
  assert.deepEqual(entries.map(told), ['payment create UNPAID ', 'payment deposit IN_PROCESS ', 'payment fail FAILED '])
  assert.deepEqual(ledger, [])
})

test('a payment to a known account was deposited when it was created', async () => {
  const { id } = await sendPayment(sender, { recipient: { id: recipient.userId, account } })
  const expected = ['payment create UNPAID ', 'payment deposit IN_PROCESS ']
  assert.deepEqual((await timelineOf(sender, id)).entries.map(told), expected)
  assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
  assert.deepEqual((await timelineOf(sender, id)).entries.map(told), [
    ...expected,
    'debit cancel CANCELLED api_key',
    'payment void VOID api_key',
  ])
})

test('a payment from wallet to wallet was received when it was created', async () => {
  const { body: from } = await sender.post('/v3/account/wallet', { name: 'Cash' })
  await sender.post(`/v3/sandbox/wallet/${from.id}/fund`, { amount: 100 })
  const { body: into } = await recipient.post('/v3/account/wallet', { name: 'Cash' })
  const { id } = await sendPayment(sender, {
    account: from.id,
    recipient: { id: recipient.userId, account: into.id },
  })
  assert.deepEqual((await timelineOf(sender, id)).entries.map(told), [
    'payment create UNPAID ',
    'payment receive PAID ',
  ])
})

test('mails to a payee without an account are shown, whether or not the payee has an account on another platform', async () => {
  const elsewhere = await service.newOwner()
  for (const address of ['payee@example.com', elsewhere.email]) {
    const { id } = await sendPayment(sender, { recipient: address })
    assert.equal((await sender.post(`/v3/check/notify/${id}`)).status, 204)
    assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
    assert.deepEqual((await timelineOf(sender, id)).entries.map(told), [
      'payment create UNPAID ',
      'mail invite  ',
      'mail notify  api_key',
      'payment void VOID api_key',
    ])
  }
})

test('a status that was forced in the sandbox names the caller', async () => {
  const { id } = await sendPayment(sender, { recipient: recipient.userId })
  await triggerStatus(owner, id, 'PAID')
  const { entries } = await timelineOf(sender, id)
  assert.deepEqual(new Set(entries.slice(1).map(({ actor }) => actor?.kind)), new Set(['api_key']))
  assert.equal(entries.findLast(({ kind }) => kind === 'payment')?.status, 'PAID')
})

test('the timeline keeps the order when two changes wait for each other', async () => {
  const { id } = await sendPayment(sender, { recipient: recipient.userId })
  const answers = await Promise.all([
    recipient.post(`/v3/check/deposit/${id}`, { account }),
    sender.del(`/v3/check/${id}`),
    recipient.post(`/v3/check/deposit/${id}`, { account }),
  ])
  const done = answers.filter(({ status }) => status < 300).length
  const { entries } = await timelineOf(sender, id)
  assert.deepEqual(
    entries.map(({ position }) => position),
    entries.map((_, index) => index + 1),
  )
  assert.equal(entries.filter(({ kind, event }) => kind === 'payment' && event !== 'create').length, done)
})
