import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { newMasterKey, parseMasterKeys } from '../src/foundation/core/seal.ts'
import type { Answer, Api } from './support/api.ts'
import { newEndpoint } from './support/endpoints.ts'
import { assertLedger } from './support/money.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { newBank, payNewRecipient } from './support/recipients.ts'
import { allRows } from './support/rows.ts'
import { runCommand } from './support/run-command.ts'
import { addBank, addVerifiedBank, newAccountNumber, startTestService, type TestUser } from './support/service.ts'

// A return code can block an account for debits, or for all entries. On simulated rails, magic account numbers
// trigger this.

const masterKey = newMasterKey()
const service = await startTestService({ after }, { keyRing: parseMasterKeys(masterKey) })
const { clock, deps, doDueWork, newUser } = service

const HOUR = 3_600
const DAY = 24 * HOUR

const CLOSED = '9999999902' // R02: debits and credits
const NO_ACCOUNT = '9999999903' // R03: debits and credits
const UNAUTHORIZED = '9999999910' // R10: debits
const NO_MONEY = '9999999901' // R01: nothing
const NO_MICRO_DEPOSITS = '9999999950' // R03: debits and credits

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock.advance(DAY)
    await doDueWork()
  }
}

const order = { amount: 1, name: 'Payee', recipient: 'payee@example.com' }

type Holder = TestUser & { bankId: string }

const release = (user: Api, bankId: string) => user.post('/v3/bank/release', { account: bankId })
const verify = (user: Api, bankId: string) =>
  user.post('/v3/bank/verify', { account: bankId, amount_1: 0.07, amount_2: 0.15 })
const bankOf = async (user: Api, bankId: string) => (await user.get(`/v3/bank/${bankId}`)).body
const paymentOf = async (user: Api, id: string) => (await user.get(`/v3/check/${id}`)).body
const failureOf = async (user: Api, id: string): Promise<string> => (await user.get(`/v3/check/${id}/fail`)).body.code
const refusalOf = ({ status, body }: Answer) => [status, body.code]

async function withVerifiedBank(account: string, user?: TestUser): Promise<Holder> {
  const holder = user ?? (await newUser())
  const bankId = await addBank(holder, account)
  assert.equal((await release(holder, bankId)).status, 201)
  assert.equal((await verify(holder, bankId)).status, 200)
  return { ...holder, bankId }
}

const payee = await newUser()
const payeeBank = await addBank(payee)
const intoPayee = { recipient: { id: payee.userId, account: payeeBank } }

/** A user whose account was blocked by a returned debit, if the code blocks accounts. */
async function withReturnedDebit(account: string): Promise<Holder & { paymentId: string }> {
  const holder = await withVerifiedBank(account)
  const { id } = await sendPayment(holder, intoPayee)
  await passDays(5)
  assert.equal((await paymentOf(holder, id)).status, 'FAILED')
  return { ...holder, paymentId: id }
}

suite('a blocked account', async () => {
  const closed = await withReturnedDebit(CLOSED)
  const unauthorized = await withReturnedDebit(UNAUTHORIZED)
  const poor = await withReturnedDebit(NO_MONEY)
  const payer = await newUser()
  await addVerifiedBank(payer)

  const messages: Record<string, RegExp> = {
    R02: /blocked because an entry was returned with R02 \(Account closed\)\. It can neither send nor receive money\. Use another bank/,
    R10: /blocked because an entry was returned with R10 \(.+\)\. It can receive money but not send it\. Use another bank/,
  }
  type Step = (holder: Holder) => Promise<Answer>
  const send: Step = (holder) => holder.post('/v3/check/digital', { amount: 1, name: 'Payee', recipient: payee.userId })
  const steps: Record<
    string,
    { ask: Step; field: string; closed: string; unauthorized: string | 201; poor: string | 201 }
  > = {
    'sends from its default bank': { ask: send, field: 'account', closed: 'R02', unauthorized: 'R10', poor: 201 },
    'sends from the bank by name': {
      ask: (holder) =>
        holder.post('/v3/check/digital', {
          amount: 1,
          name: 'Payee',
          recipient: payee.userId,
          account: holder.bankId,
        }),
      field: 'account',
      closed: 'R02',
      unauthorized: 'R10',
      poor: 201,
    },
    'sends a check by mail': {
      ask: (holder) =>
        holder.post('/v3/check/physical', {
          amount: 1,
          name: 'Payee',
          recipient: { line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701' },
        }),
      field: 'account',
      closed: 'R02',
      unauthorized: 'R10',
      poor: 201,
    },
    'releases micro-deposits': {
      ask: (holder) => release(holder, holder.bankId),
      field: 'account',
      closed: 'R02',
      unauthorized: 'R10',
      poor: 'bank_not_deposit_only',
    },
    'verifies it': {
      ask: (holder) => verify(holder, holder.bankId),
      field: 'account',
      closed: 'R02',
      unauthorized: 'R10',
      poor: 'bank_not_pending',
    },
    'deposits into it': {
      ask: async (holder) => {
        const { id } = await sendPayment(payer, { recipient: holder.userId })
        return holder.post(`/v3/check/deposit/${id}`, { account: holder.bankId })
      },
      field: 'account',
      closed: 'R02',
      unauthorized: 201,
      poor: 201,
    },
    'is paid into it': {
      ask: (holder) =>
        payer.post('/v3/check/digital', {
          amount: 1,
          name: 'Holder',
          recipient: { id: holder.userId, account: holder.bankId },
        }),
      field: 'recipient.account',
      closed: 'R02',
      unauthorized: 201,
      poor: 201,
    },
  }
  for (const [what, { ask, field, ...expected }] of Object.entries(steps)) {
    for (const [name, holder] of Object.entries({ closed, unauthorized, poor })) {
      const outcome = expected[name as keyof typeof expected]
      test(`${name}: its holder ${what}: ${outcome}`, async () => {
        const { status, body, text } = await ask(holder)
        if (outcome === 201) return assert.equal(status, 201, text)
        const message = messages[outcome]
        if (!message) return assert.deepEqual([status, body.code], [400, outcome])
        assert.deepEqual(
          [status, body.code, body.errors],
          [400, 'bank_blocked', { [field]: [`is blocked by return code ${outcome}. Use another bank account`] }],
        )
        assert.match(body.message, message)
      })
    }
  }

  test('a refused payment changes nothing', async () => {
    const rows = await allRows(deps.sql)
    assert.deepEqual(refusalOf(await send(closed)), [400, 'bank_blocked'])
    assert.deepEqual(await allRows(deps.sql), rows)
  })

  test('makes its bank DEPOSIT_ONLY, but the bank of an account without funds stays VERIFIED', async () => {
    const statuses = await Promise.all(
      [closed, unauthorized, poor].map(async (holder) => (await bankOf(holder, holder.bankId)).status),
    )
    assert.deepEqual(statuses, ['DEPOSIT_ONLY', 'DEPOSIT_ONLY', 'VERIFIED'])
  })

  test('does not pay earlier payments: no deposit, no print, no trigger', async () => {
    const deposit = await payee.post(`/v3/check/deposit/${closed.paymentId}`, { account: payeeBank })
    assert.deepEqual(refusalOf(deposit), [400, 'not_depositable'])
    const trigger = await closed.put(`/v3/check/webhook/${closed.paymentId}`, { status: 'IN_PROCESS' })
    assert.deepEqual(refusalOf(trigger), [400, 'status_not_reachable'])
  })

  test('stays blocked when the bank is deleted and added again, under any name, any number of times', async () => {
    for (let time = 0; time < 2; time++) {
      const { banks } = (await closed.get('/v3/bank')).body
      assert.equal((await closed.del(`/v3/bank/${banks[0].id}`)).status, 200)
      const bankId = await addBank(closed, CLOSED)
      assert.equal((await bankOf(closed, bankId)).status, 'DEPOSIT_ONLY')
      assert.deepEqual(refusalOf(await release(closed, bankId)), [400, 'bank_blocked'])
      const { id } = await sendPayment(payer, { recipient: closed.userId })
      const deposit = await closed.post(`/v3/check/deposit/${id}`, { account: bankId })
      assert.deepEqual(refusalOf(deposit), [400, 'bank_blocked'])
    }
  })

  test('does not affect its holder’s other banks', async () => {
    const account = await addVerifiedBank(closed)
    assert.equal((await sendPayment(closed, { account })).status, 'UNPAID')
  })

  test('does not affect another user with the same account number: the sandbox blocks it for one holder', async () => {
    const other = await withVerifiedBank(CLOSED)
    assert.equal((await sendPayment(other)).status, 'UNPAID')
  })
})

test('a block sends a BANK webhook and writes an audit entry', async () => {
  const { api, id: platformId } = await service.newOwner()
  const holder = await withVerifiedBank(CLOSED, await newUser(undefined, api))
  await newEndpoint(api, 'https://example.com/hook', { event_types: ['BANK'] })
  const other = await newUser(undefined, api)
  await sendPayment(holder, { recipient: { id: other.userId, account: await addBank(other) } })
  await passDays(5)
  const events = await deps.sql<{ body: string }[]>`
    select body from events where platform_id = ${platformId} and type = 'BANK'
  `
  assert.deepEqual(
    events.map(({ body }) => JSON.parse(body)),
    [{ id: holder.bankId, status: 'DEPOSIT_ONLY', type: 'BANK' }],
  )
  const { audit } = (await api.get('/v3/audit?q=bank_blocked')).body
  assert.equal(audit.length, 1)
  assert.equal(audit[0].actor, 'service')
})

suite('the returns that block', () => {
  test('a credit returned from a closed account blocks further payments into it', async () => {
    const [payer, holder] = [await newUser(), await newUser()]
    await addVerifiedBank(payer)
    const account = await addBank(holder, NO_ACCOUNT)
    const { id } = await sendPayment(payer, { recipient: { id: holder.userId, account } })
    await passDays(9)
    assert.equal(await failureOf(payer, id), 'R03')
    assert.deepEqual(refusalOf(await holder.post(`/v3/check/deposit/${id}`, { account })), [400, 'bank_blocked'])
    const elsewhere = await addBank(holder)
    assert.equal((await holder.post(`/v3/check/deposit/${id}`, { account: elsewhere })).status, 201)
    await passDays(5)
    assert.equal((await paymentOf(payer, id)).status, 'PAID')
    await assertLedger(service)
  })

  test('a credit to an account of another platform blocks it on that platform', async () => {
    const { api, email, id: platformId } = await service.newOwner()
    const payer = await newUser()
    await addVerifiedBank(payer)
    const account = await addBank(api, NO_ACCOUNT)
    const { id } = await sendPayment(payer, { recipient: email })
    await service.applyOutbox()
    assert.equal((await api.post(`/v3/check/deposit/${id}`, { account })).status, 201)
    await passDays(9)
    assert.equal(await failureOf(api, id), 'R03')
    assert.deepEqual(refusalOf(await api.post(`/v3/check/deposit/${id}`, { account })), [400, 'bank_blocked'])
    assert.deepEqual(refusalOf(await release(api, account)), [400, 'bank_blocked'])
    const blocks = await deps.sql<{ platformId: string }[]>`
      select platform_id from account_blocks where holder_id = ${platformId}
    `
    assert.deepEqual([...blocks], [{ platformId }])
  })

  test('micro-deposits returned from a nonexistent account block it', async () => {
    const user = await newUser()
    const bankId = await addBank(user, NO_MICRO_DEPOSITS)
    assert.equal((await release(user, bankId)).status, 201)
    await passDays(4)
    assert.equal((await bankOf(user, bankId)).status, 'DEPOSIT_ONLY')
    assert.deepEqual(refusalOf(await release(user, bankId)), [400, 'bank_blocked'])
    await assertLedger(service)
  })

  test('magic cents and triggers block nothing, because they say nothing about the account', async () => {
    const [sender, holder] = [await newUser(), await newUser()]
    const bankId = await addVerifiedBank(sender)
    const account = await addBank(holder)
    const into = { recipient: { id: holder.userId, account } }
    for (const cents of [61, 62, 63, 64, 65]) await sendPayment(sender, { amount: 1 + cents / 100, ...into })
    for (const code of ['R01', 'R02', 'R03']) {
      const { id } = await sendPayment(sender, into)
      await triggerStatus(sender, id, 'FAILED', { return_code: code })
    }
    await passDays(45)
    const [blocks] = await deps.sql<{ count: number }[]>`
      select count(*) from account_blocks where holder_id in (${sender.id}, ${holder.id})
    `
    assert.equal(blocks?.count, 0)
    assert.equal((await bankOf(sender, bankId)).status, 'VERIFIED')
  })

  test('the recipient’s page refuses the blocked account and accepts another one', async () => {
    const sender = await newUser()
    await addVerifiedBank(sender)
    const { id, page } = await payNewRecipient(service, sender)
    assert.equal((await page.deposit('bank', newBank(CLOSED))).status, 200)
    await passDays(9)
    assert.equal(await failureOf(sender, id), 'R02')
    assert.deepEqual(refusalOf(await page.deposit('bank', newBank(CLOSED))), [400, 'bank_blocked'])
    assert.equal((await page.deposit('bank', newBank())).status, 200)
    const another = await payNewRecipient(service, sender)
    assert.equal((await another.page.deposit('bank', newBank(CLOSED))).status, 200)
  })
})

suite('entries waiting when an account is blocked', () => {
  test('are not sent, fail with the code of the block, and can be deposited elsewhere', async () => {
    // Monday 15:00 UTC: the first debit is sent today and returned on Wednesday morning, before that day's windows.
    while (clock.now().getUTCDay() !== 1) await passDays(1)
    const holder = await withVerifiedBank(CLOSED)
    const payer = await newUser()
    await addVerifiedBank(payer)
    const toBank = { recipient: { id: holder.userId, account: holder.bankId } }
    const first = await sendPayment(holder, intoPayee)
    const trusted = await sendPayment(payer, toBank) // its push begins on Thursday
    await passDays(1)
    clock.advance(11 * HOUR) // Wednesday 02:00 UTC, after the last window of Tuesday
    await doDueWork()
    const pull = await sendPayment(holder, intoPayee)
    const other = await addBank(holder, newAccountNumber())
    clock.advance(13 * HOUR)
    await doDueWork()
    assert.equal(await failureOf(holder, first.id), 'R02')
    assert.equal((await paymentOf(holder, pull.id)).status, 'IN_PROCESS')
    await passDays(3)
    assert.equal(await failureOf(holder, pull.id), 'R02')
    assert.equal(await failureOf(payer, trusted.id), 'R02')
    const legs = await deps.sql<{ purpose: string; status: string; sentAt: Date | null }[]>`
      select purpose, status, sent_at
      from legs
      where subject_id in (${pull.id}, ${trusted.id}) and (subject_id = ${pull.id} or purpose = 'payment_push')
      order by purpose
    `
    assert.deepEqual(
      [...legs],
      [
        { purpose: 'payment_pull', status: 'RETURNED', sentAt: null },
        { purpose: 'payment_push', status: 'RETURNED', sentAt: null },
      ],
    )
    assert.equal((await holder.post(`/v3/check/deposit/${trusted.id}`, { account: other })).status, 201)
    await passDays(5)
    assert.equal((await paymentOf(payer, trusted.id)).status, 'PAID')
    await assertLedger(service)
  })

  test('for micro-deposits are not sent', async () => {
    while (clock.now().getUTCDay() !== 1) await passDays(1)
    const holder = await newUser()
    const payer = await newUser()
    await addVerifiedBank(payer)
    const bankId = await addBank(holder, CLOSED)
    await sendPayment(payer, { recipient: { id: holder.userId, account: bankId } })
    const isReturned = async () => {
      const [leg] = await deps.sql<{ returnCode: string }[]>`
        select return_code from legs where account_id = ${bankId} and status = 'RETURNED' and purpose = 'payment_push'
      `
      return leg !== undefined
    }
    // Released in the night before the credit is returned.
    let isReleased = false
    for (let hour = 0; hour < 10 * 24 && !(await isReturned()); hour++) {
      const [push] = await deps.sql<{ nextAt: Date }[]>`
        select next_at from legs
        where account_id = ${bankId} and next_event = 'return' and next_at < ${new Date(clock.now().getTime() + 10 * HOUR * 1000)}
      `
      if (push && !isReleased) {
        assert.equal((await release(holder, bankId)).status, 201)
        isReleased = true
      }
      clock.advance(HOUR)
      await doDueWork()
    }
    assert.ok(isReleased)
    await passDays(3)
    const legs = await deps.sql<{ status: string; sentAt: Date | null; returnCode: string }[]>`
      select status, sent_at, return_code from legs where account_id = ${bankId} and purpose = 'micro_deposit'
    `
    assert.deepEqual([...legs], Array(2).fill({ status: 'RETURNED', sentAt: null, returnCode: 'R02' }))
    assert.equal((await bankOf(holder, bankId)).status, 'DEPOSIT_ONLY')
    await assertLedger(service)
  })
})

suite('a debit returned for insufficient funds', () => {
  const statusAndMessage = ({ status, body }: Answer) => [status, body.code, body.message]

  test('is retried twice by depositing again, and then no more', async () => {
    const sender = await newUser()
    await addVerifiedBank(sender)
    const { id } = await sendPayment(sender, { amount: 5.61, ...intoPayee })
    const deposit = () => payee.post(`/v3/check/deposit/${id}`, { account: payeeBank })
    await passDays(5)
    for (let retry = 1; retry <= 2; retry++) {
      assert.equal(await failureOf(sender, id), 'R01')
      assert.equal((await deposit()).status, 201)
      await passDays(5)
    }
    assert.deepEqual(statusAndMessage(await deposit()), [
      400,
      'not_depositable',
      'The debit of this payment came back and was retried 2 times already. Ask the sender for a new payment.',
    ])
    assert.deepEqual(refusalOf(await sender.put(`/v3/check/webhook/${id}`, { status: 'IN_PROCESS' })), [
      400,
      'status_not_reachable',
    ])
    await assertLedger(service)
  })

  test('is retried until the payment expires, and then no more', async () => {
    const sender = await newUser()
    await addVerifiedBank(sender)
    await sender.put('/v3/user', { payment: { expiration: 180 } })
    const { id } = await sendPayment(sender, { amount: 5.61, ...intoPayee })
    await passDays(170)
    const soon = await payee.post(`/v3/check/deposit/${id}`, { account: payeeBank })
    assert.equal(soon.status, 201, soon.text)
    await passDays(11)
    assert.deepEqual(statusAndMessage(await payee.post(`/v3/check/deposit/${id}`, { account: payeeBank })), [
      400,
      'not_depositable',
      'This payment has expired. Ask the sender for a new one.',
    ])
  })

  test('is retried once by two simultaneous deposits', async () => {
    const sender = await newUser()
    await addVerifiedBank(sender)
    const { id } = await sendPayment(sender, { amount: 5.61, ...intoPayee })
    await passDays(5)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => payee.post(`/v3/check/deposit/${id}`, { account: payeeBank })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400, 400])
    const [pulls] = await deps.sql<{ count: number }[]>`select count(*) from legs where subject_id = ${id}`
    assert.equal(pulls?.count, 2)
  })

  test('is not offered on the recipient’s page after two retries', async () => {
    const sender = await newUser()
    await addVerifiedBank(sender)
    const { id, page } = await payNewRecipient(service, sender, { amount: 5.61 })
    for (let deposit = 1; deposit <= 3; deposit++) {
      assert.equal((await page.deposit('bank', newBank())).status, 200)
      await passDays(5)
      assert.equal(await failureOf(sender, id), 'R01')
    }
    assert.deepEqual((await page.read()).body.options, [])
    assert.equal((await page.deposit('bank', newBank())).status, 400)
  })
})

suite('remit bank', { concurrency: 2 }, () => {
  const remit = (...args: string[]) =>
    runCommand(['bank', ...args], { DATABASE_URL: service.databaseUrl, REMIT_MASTER_KEYS: masterKey })

  test('lists the blocks of banks and removes one: its holder can verify the bank again and use it', async () => {
    const { api, email } = await service.newOwner()
    const holder = await withVerifiedBank(UNAUTHORIZED, await newUser(undefined, api))
    const other = await newUser(undefined, api)
    await sendPayment(holder, { recipient: { id: other.userId, account: await addBank(other) } })
    await passDays(5)
    const list = () => remit('list', '--owner', email, '--user', holder.userId)
    const row = `${holder.bankId} +021000021 +\\*9910 +CHECKING +DEPOSIT_ONLY`
    assert.match((await list()).stdout, new RegExp(`${row} +R10$`, 'm'))
    const unblock = () => remit('unblock', '--owner', email, '--bank', holder.bankId, '--note', 'new authorization')
    const { code, stdout } = await unblock()
    assert.deepEqual(
      [code, stdout.trim()],
      [0, 'Unblocked (R10). The bank stays DEPOSIT_ONLY until the user verifies it again.'],
    )
    assert.match((await list()).stdout, new RegExp(`${row}$`, 'm'))
    assert.deepEqual(refusalOf(await holder.post('/v3/check/digital', { ...order, account: holder.bankId })), [
      400,
      'bank_not_verified',
    ])
    assert.equal((await release(holder, holder.bankId)).status, 201)
    assert.equal((await verify(holder, holder.bankId)).status, 200)
    assert.equal((await sendPayment(holder)).status, 'UNPAID')
    const { audit } = (await api.get('/v3/audit?q=bank_unblocked')).body
    assert.deepEqual(
      audit.map(({ actor, subject }: { actor: string; subject: string }) => [actor, subject]),
      [['operator', `${holder.bankId} R10: new authorization`]],
    )
    const again = await unblock()
    assert.deepEqual([again.code, again.stderr.trim()], [1, 'The account of this bank is not blocked.'])
  })

  test('reports missing or wrong arguments and changes nothing', async () => {
    const { email } = await service.newOwner()
    const foreign = payeeBank
    for (const [args, problem] of [
      [['delete'], "error: unknown command 'delete'\nRun remit bank --help for a list of commands."],
      [['list'], 'remit bank list needs --owner EMAIL.'],
      [['list', '--owner', 'nobody@example.com'], 'No owner has the email address nobody@example.com. Check --owner.'],
      [['unblock', '--owner', email], 'remit bank unblock needs --bank ID.'],
      [
        ['unblock', '--owner', email, '--bank', foreign],
        'remit bank unblock needs --note TEXT: why the account can be used again.',
      ],
      [
        ['unblock', '--owner', email, '--bank', foreign, '--note', 'x'],
        `This platform has no bank with the id ${foreign}. Run "remit bank list" to see the ids.`,
      ],
      [
        ['unblock', '--owner', email, '--bank', 'x', '--note', 'x'],
        'This platform has no bank with the id x. Run "remit bank list" to see the ids.',
      ],
    ] as const) {
      const { code, stderr } = await remit(...args)
      assert.deepEqual([code, stderr.trim()], [1, problem])
    }
    assert.equal((await remit('list', '--owner', email)).stdout.trim(), 'This user has no banks.')
  })
})

test('when a block and deposits race, no debit of the blocked account is sent afterwards', async () => {
  const holder = await withVerifiedBank(CLOSED)
  await sendPayment(holder, intoPayee)
  const ids: string[] = []
  for (let count = 0; count < 10; count++) ids.push((await sendPayment(holder, { recipient: payee.userId })).id)
  while ((await bankOf(holder, holder.bankId)).status === 'VERIFIED') {
    clock.advance(HOUR)
    const [next] = ids.splice(0, 1)
    const deposits = next ? [payee.post(`/v3/check/deposit/${next}`, { account: payeeBank })] : []
    await Promise.all([doDueWork(), ...deposits])
  }
  const blockedAt = clock.now()
  await Promise.all(ids.map((id) => payee.post(`/v3/check/deposit/${id}`, { account: payeeBank })))
  await passDays(7)
  const left = await deps.sql<{ count: number }[]>`
    select count(*) from legs where account_id = ${holder.bankId} and direction = 'debit' and sent_at > ${blockedAt}
  `
  assert.equal(left[0]?.count, 0)
  await assertLedger(service)
})
