import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { readAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { bankCommand } from '../src/operation/cli/bank-commands.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { bankFile, putInbound, type SentEntry } from './support/ach.ts'
import type { Api } from './support/api.ts'
import { withoutPlatform } from './support/crash.ts'
import { type FileService, newPair, pay, startFileService, statusOf, untilPaid } from './support/file-service.ts'
import { sendPayment } from './support/payments.ts'
import { addBank, addVerifiedBank, newAccountNumber, type TestUser } from './support/service.ts'

// The consequence of a return in a bank file for its account.

suite('the consequence of a return', () => {
  const release = (user: Api, account: string) => user.post('/v3/bank/release', { account })
  const blocksOf = async ({ deps }: FileService) => {
    const rows = await deps.sql<{ returnCode: string; blocksCredits: boolean }[]>`
      select return_code, blocks_credits from account_blocks order by created_at, return_code
    `
    return rows.map(({ returnCode, blocksCredits }) => [returnCode, blocksCredits])
  }
  /** A payment that was paid out to the owner of another platform. */
  const paidElsewhere = async (service: FileService) => {
    const { api: payee, email, id: platformId } = await service.newOwner()
    const account = await addVerifiedBank(payee)
    const { sender } = await newPair(service)
    const { id } = await sendPayment(sender, { recipient: email })
    await service.applyOutbox()
    assert.equal((await payee.post(`/v3/check/deposit/${id}`, { account })).status, 201)
    await service.applyOutbox()
    const { trace, cents } = await untilPaid(service, sender, id, 1_000)
    return { sender, payee, platformId, account, id, trace, cents }
  }
  const openExceptions = async ({ deps }: FileService) =>
    (await getExceptions(deps, {})).map(({ kind, paymentId, cents }) => [kind, paymentId, cents])
  const entryOf = async (service: FileService, cents: number, code = '27') =>
    (await service.sent()).findLast((entry) => entry.cents === cents && entry.code === code) as SentEntry
  /** The bank returns the last entry with this amount in cents. */
  const giveBack = async (
    service: FileService,
    code: string,
    cents: number,
    direction: 'debit' | 'credit' = 'debit',
  ) => {
    const { trace } = await entryOf(service, cents, direction === 'debit' ? '27' : '22')
    await service.receive(`${code}-${trace}.ach`, bankFile([{ code, trace, direction, cents }]))
  }

  test('for the bank of a debit matches the table for each code', async (t) => {
    const service = await startFileService(t)
    const expected: Record<string, 'everything' | 'everything, for review' | 'debits' | 'nothing' | 'review'> = {
      R01: 'nothing',
      R02: 'everything',
      R03: 'everything',
      R04: 'everything',
      R05: 'debits',
      R06: 'review',
      R07: 'debits',
      R08: 'review',
      R09: 'nothing',
      R10: 'debits',
      R11: 'review',
      R14: 'everything, for review',
      R15: 'everything, for review',
      R16: 'everything',
      R17: 'review',
      R20: 'debits',
      R29: 'debits',
      R31: 'review',
    }
    const payer = await service.newUser()
    await addVerifiedBank(payer)
    const pair = await newPair(service)
    const cases: { code: string; sender: TestUser; bankId: string; id: string; cents: number }[] = []
    for (const [index, code] of Object.keys(expected).entries()) {
      const sender = await service.newUser()
      const bankId = await addVerifiedBank(sender)
      const cents = 1_000 + index
      const id = await pay({ ...pair, sender }, cents / 100)
      cases.push({ code, sender, bankId, id, cents })
    }
    await service.openWindow()
    await service.passDays(2)
    const entries = await Promise.all(
      cases.map(async ({ code, cents }) => {
        const { trace } = await entryOf(service, cents)
        return { code, trace, direction: 'debit' as const, cents }
      }),
    )
    await service.receive('returns.ach', bankFile(entries))
    for (const { code, sender, bankId, id, cents } of cases) {
      const what = expected[code]
      assert.equal(await statusOf(sender, id), 'FAILED', code)
      const blocksCredits = what?.startsWith('everything')
      const isBlocked = blocksCredits || what === 'debits'
      const { status } = (await sender.get(`/v3/bank/${bankId}`)).body
      assert.equal(status, isBlocked ? 'DEPOSIT_ONLY' : 'VERIFIED', code)
      const sending = await sender.post('/v3/check/digital', { amount: 1, name: 'Payee', recipient: 'a@example.com' })
      assert.equal(sending.body.code ?? sending.status, isBlocked ? 'bank_blocked' : 201, code)
      const into = await payer.post('/v3/check/digital', {
        amount: 1,
        name: 'Payee',
        recipient: { id: sender.userId, account: bankId },
      })
      assert.equal(into.body.code ?? into.status, blocksCredits ? 'bank_blocked' : 201, code)
      const again = await pair.recipient.post(`/v3/check/deposit/${id}`, { account: pair.account })
      assert.equal(again.body.code ?? again.status, what === 'nothing' ? 201 : 'not_depositable', code)
      const listed = (await openExceptions(service)).filter(([, paymentId]) => paymentId === id)
      assert.deepEqual(listed, what?.endsWith('review') ? [['return_needs_review', id, cents]] : [], code)
    }
    await service.assertLedger()
  })

  test('that requires a review lets the payment continue when the exception is closed', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const id = await pay(pair, 10)
    await service.openWindow()
    await service.passDays(2)
    await giveBack(service, 'R08', 1_000)
    const deposit = () => pair.recipient.post(`/v3/check/deposit/${id}`, { account: pair.account })
    const refused = await deposit()
    assert.deepEqual(
      [refused.body.code, refused.body.message],
      ['not_depositable', 'The debit came back with R08. The operator of this service has to look at it first.'],
    )
    const [exception] = await getExceptions(service.deps, {})
    await exceptionCommand({ note: 'the stop was lifted' }, ['close', exception?.id as string])(service.deps)
    assert.equal((await deposit()).status, 201)
    await service.openWindow()
    assert.equal((await entryOf(service, 1_000)).description, 'PAYMENT')
  })

  test('of a credit differs from that of a debit', async (t) => {
    const service = await startFileService(t)
    for (const [index, [code, blocks]] of Object.entries({ R10: [], R20: [['R20', true]] }).entries()) {
      const pair = await newPair(service)
      const cents = 2_000 + index
      const id = await pay(pair, cents / 100)
      await untilPaid(service, pair.sender, id, cents)
      await giveBack(service, code, cents, 'credit')
      assert.deepEqual(await blocksOf(service), blocks)
      const kinds = (await openExceptions(service)).filter(([, paymentId]) => paymentId === id)
      assert.deepEqual(kinds, code === 'R10' ? [['return_needs_review', id, cents]] : [])
    }
    await service.assertLedger()
  })

  test('outlasts its block: returned debits are not retried, and new payments are possible', async (t) => {
    const service = await startFileService(t)
    for (const [index, code] of ['R10', 'R29', 'R02', 'R15', 'R20'].entries()) {
      const { api, email } = await service.newOwner()
      const [sender, recipient] = [await service.newUser(undefined, api), await service.newUser(undefined, api)]
      await addVerifiedBank(sender)
      const pair = { sender, recipient, account: await addBank(recipient) }
      await service.openWindow()
      const cents = 3_000 + index
      const id = await pay(pair, cents / 100)
      await service.openWindow()
      await service.passDays(2)
      await giveBack(service, code, cents)
      const [bank] = (await pair.sender.get('/v3/bank')).body.banks
      await bankCommand({ owner: email, bank: bank.id, note: 'the holder called' }, ['unblock'])(service.deps)
      for (const { id: open } of await getExceptions(service.deps, {})) {
        await exceptionCommand({ note: 'the holder called' }, ['close', open])(service.deps)
      }
      await release(pair.sender, bank.id)
      const amounts = { account: bank.id, amount_1: 0.07, amount_2: 0.15 }
      assert.equal((await pair.sender.post('/v3/bank/verify', amounts)).status, 200)
      const again = await pair.recipient.post(`/v3/check/deposit/${id}`, { account: pair.account })
      assert.equal(again.body.code, 'not_depositable')
      assert.match(again.body.message, new RegExp(`came back with ${code}, so that it needs a new authorization`))
      assert.equal((await sendPayment(pair.sender)).status, 'UNPAID')
    }
  })

  test('R01 or R09 is a retry with its own description, in its own batch', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const id = await pay(pair, 10)
    const deposit = () => pair.recipient.post(`/v3/check/deposit/${id}`, { account: pair.account })
    await service.openWindow()
    for (const [index, code] of ['R01', 'R09'].entries()) {
      await service.passDays(2)
      await giveBack(service, code, 1_000)
      assert.equal((await deposit()).status, 201)
      await pay(pair, 20 + index)
      await service.openWindow()
      assert.equal((await entryOf(service, 1_000)).description, 'RETRY PYMT')
      assert.equal((await entryOf(service, 2_000 + 100 * index)).description, 'PAYMENT')
    }
    const debits = (await service.sent()).filter(({ cents, code }) => cents === 1_000 && code === '27')
    assert.deepEqual(
      debits.map(({ description }) => description),
      ['PAYMENT', 'RETRY PYMT', 'RETRY PYMT'],
    )
    await service.passDays(2)
    await giveBack(service, 'R01', 1_000)
    assert.equal((await deposit()).body.code, 'not_depositable')
  })

  test('applies to the whole platform, and to no other', async (t) => {
    const service = await startFileService(t)
    const { newUser, newOwner } = service
    const account = newAccountNumber()
    const withBank = async (user: TestUser) => {
      const bankId = await addBank(user, account)
      await release(user, bankId)
      const amounts = { account: bankId, amount_1: 0.07, amount_2: 0.15 }
      assert.equal((await user.post('/v3/bank/verify', amounts)).status, 200)
      return { ...user, bankId }
    }
    const pair = await newPair(service)
    const [first, second] = [await withBank(await newUser()), await withBank(await newUser())]
    const stranger = await withBank(await newUser(undefined, (await newOwner()).api))
    await pay({ ...pair, sender: first }, 10)
    await service.openWindow()
    await service.passDays(2)
    await giveBack(service, 'R10', 1_000)
    const statusesNow = await Promise.all(
      [first, second, stranger].map(async (user) => (await user.get(`/v3/bank/${user.bankId}`)).body.status),
    )
    assert.deepEqual(statusesNow, ['DEPOSIT_ONLY', 'DEPOSIT_ONLY', 'VERIFIED'])
    const third = await newUser()
    const added = await addBank(third, account)
    assert.equal((await release(third, added)).body.code, 'bank_blocked')
    const outside = await sendPayment(stranger)
    assert.equal(outside.status, 'UNPAID')
  })

  test('only becomes stricter: a further block never weakens an earlier one', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const payer = { ...pair, recipient: pair.sender, account: (await pair.sender.get('/v3/bank')).body.banks[0].id }
    const sender = await service.newUser()
    await addVerifiedBank(sender)
    await pay(pair, 10)
    const credit = await pay({ ...payer, sender }, 30)
    await untilPaid(service, sender, credit, 3_000)
    await service.passDays(2)
    await giveBack(service, 'R10', 1_000)
    assert.deepEqual(await blocksOf(service), [['R10', false]])
    await giveBack(service, 'R02', 3_000, 'credit')
    assert.deepEqual(await blocksOf(service), [['R02', true]])
    const late = (await service.sent()).find(({ description, cents }) => description === 'ACCTVERIFY' && cents === 22)
    await service.receive(
      'late.ach',
      bankFile([{ code: 'R29', trace: late?.trace as string, direction: 'debit', cents: 22 }]),
    )
    assert.deepEqual(await blocksOf(service), [['R02', true]])
  })

  test('for micro-deposits also blocks the account', async (t) => {
    const service = await startFileService(t)
    for (const [code, direction, cents, expected] of [
      ['R04', 'credit', 15, ['R04', true]],
      ['R29', 'debit', 22, ['R29', false]],
      ['R20', 'credit', 7, ['R20', true]],
    ] as const) {
      const user = await service.newUser()
      const bankId = await addVerifiedBank(user)
      await service.openWindow()
      await service.passDays(2)
      await giveBack(service, code, cents, direction)
      assert.deepEqual((await blocksOf(service)).at(-1), expected)
      assert.equal((await user.get(`/v3/bank/${bankId}`)).body.status, 'DEPOSIT_ONLY')
      assert.equal((await release(user, bankId)).body.code, 'bank_blocked')
    }
    assert.deepEqual(await openExceptions(service), [])
  })

  test('keeps waiting entries out of files: debits, credits and micro-deposits', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const [bank] = (await pair.sender.get('/v3/bank')).body.banks
    const payer = await service.newUser()
    await addVerifiedBank(payer)
    await pay(pair, 10)
    await service.openWindow()
    await service.passDays(2)
    const debit = await pay(pair, 11)
    await giveBack(service, 'R02', 1_000)
    const into = await payer.post('/v3/check/digital', {
      amount: 12,
      name: 'Sender',
      recipient: { id: pair.sender.userId, account: bank.id },
    })
    assert.equal(into.body.code, 'bank_blocked')
    for (let window = 0; window < 4; window++) await service.openWindow()
    assert.equal((await pair.sender.get(`/v3/check/${debit}/fail`)).body.code, 'R02')
    assert.deepEqual(
      (await service.sent()).filter(({ cents }) => cents === 1_100 || cents === 1_200),
      [],
    )
  })

  test('keeps a refund from being sent to a closed account and lists it for the operator', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const refunded = await pay(pair, 30)
    await untilPaid(service, pair.sender, refunded, 3_000)
    await service.passDays(2)
    await giveBack(service, 'R23', 3_000, 'credit')
    const closed = await pay(pair, 10)
    await service.openWindow()
    await service.passDays(2)
    await giveBack(service, 'R02', 1_000)
    assert.equal(await statusOf(pair.sender, closed), 'FAILED')
    await service.passDays(5)
    for (let window = 0; window < 2; window++) await service.openWindow()
    assert.equal(await statusOf(pair.sender, refunded), 'FAILED')
    assert.deepEqual(
      (await service.sent()).filter(({ description }) => description === 'REFUND'),
      [],
    )
    assert.deepEqual(
      (await openExceptions(service)).filter(([kind]) => kind === 'refund_returned'),
      [['refund_returned', refunded, 3_000]],
    )
    await service.assertLedger()
  })

  test('does not follow from a return of an entry with the account number before a correction', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const id = await pay(pair, 10)
    await service.openWindow()
    await service.passDays(1)
    const { trace } = await entryOf(service, 1_000)
    const account = newAccountNumber()
    service.secrets.add(account)
    await service.receive(
      'change.ach',
      bankFile([{ code: 'C01', trace, direction: 'debit', cents: 0, corrected: account }]),
    )
    await service.passDays(1)
    await giveBack(service, 'R03', 1_000)
    assert.deepEqual(await blocksOf(service), [])
    assert.deepEqual(await openExceptions(service), [['return_needs_review', id, 1_000]])
    assert.equal((await pair.sender.get('/v3/bank')).body.banks[0].status, 'VERIFIED')
  })

  test('blocks an account of another platform later if that platform fails, and does not delay the return', async (t) => {
    const service = await startFileService(t)
    const { deps } = service
    const { sender, payee, platformId, account, id, trace, cents } = await paidElsewhere(service)
    await putInbound(service.folder, 'returns.ach', bankFile([{ code: 'R03', trace, direction: 'credit', cents }]))
    await readAchFiles(withoutPlatform(deps, platformId), achHooks)
    assert.equal(await statusOf(sender, id), 'FAILED')
    assert.equal((await getBankCases(deps)).length, 0)
    assert.deepEqual(await blocksOf(service), [])
    await service.applyOutbox()
    assert.deepEqual(await blocksOf(service), [['R03', true]])
    assert.equal((await payee.post(`/v3/check/deposit/${id}`, { account })).body.code, 'bank_blocked')
    await service.assertLedger()
  })

  test('is a review on the other platform if its account was corrected after the entry was sent', async (t) => {
    const service = await startFileService(t)
    const { id, trace, cents } = await paidElsewhere(service)
    const corrected = newAccountNumber()
    service.secrets.add(corrected)
    await service.receive('change.ach', bankFile([{ code: 'C01', trace, direction: 'credit', cents: 0, corrected }]))
    await service.applyOutbox()
    await service.receive('return.ach', bankFile([{ code: 'R03', trace, direction: 'credit', cents }]))
    await service.applyOutbox()
    assert.deepEqual(await blocksOf(service), [])
    assert.deepEqual(await openExceptions(service), [['return_needs_review', id, 1_000]])
  })

  test('refuses a notification of change that leads to a blocked account', async (t) => {
    const service = await startFileService(t)
    const [pair, other] = [await newPair(service), await newPair(service)]
    await pay(pair, 10)
    await pay(other, 20)
    await service.openWindow()
    await service.passDays(2)
    await giveBack(service, 'R02', 1_000)
    const { account } = await entryOf(service, 1_000)
    const { trace } = await entryOf(service, 2_000)
    await service.receive(
      'change.ach',
      bankFile([{ code: 'C01', trace, direction: 'debit', cents: 0, corrected: account }]),
    )
    assert.match(await service.reports(), /notification of change C01: the corrected account is blocked \(R02\)/)
  })
})
