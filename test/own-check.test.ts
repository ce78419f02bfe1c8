import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import type { Connection } from '../src/foundation/core/connections.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { readAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { getOpenMovements } from '../src/money/closing/month-check-actions.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { followUserStatus } from '../src/operation/scheduler/user-status-work.ts'
import { readMail } from '../src/payments/mailbox/mailbox-worker.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import type { UserKey } from '../src/people/user/user-store.ts'
import { bankFile, putInbound } from './support/ach.ts'
import { readPages } from './support/check-pdf.ts'
import { mailboxAddress } from './support/file-service.ts'
import { ACCOUNT, FORMER_ACCOUNT, startPaidService } from './support/paid-lists.ts'
import { addBank, addVerifiedBank, newAccountNumber, type TestUser } from './support/service.ts'

// A check that this service issued arrives in a mailbox of this service. It belongs to the payment that it was issued
// for.

const ROUTING = '091000019'

async function startWithMailbox(t: TestContext, { isElsewhere = false } = {}) {
  const service = await startPaidService(t, { mailboxAddress })
  const { deps, folder, newUser, newOwner, work } = service
  const payee: TestUser = isElsewhere ? await newUser(undefined, (await newOwner()).api) : await newUser()
  const bank = await addBank(payee)
  const { id, address } = (await payee.post('/v3/mailbox', {})).body
  let letters = 0
  /** The provider scans a check. @returns the ids of the payments for it */
  const scan = async (number: number, amount: number, account = ACCOUNT): Promise<string[]> => {
    const name = `mail-${++letters}`
    const check = { routing: ROUTING, account, number: String(number), amount, name: 'Remit Inc.' }
    const letter = { id: name, mailbox: address.line_2.slice(4), sender: 'Ann Payer', checks: [check] }
    await putInbound(folder, `${name}.pdf`, Buffer.from('%PDF-1.4 a scan'))
    await putInbound(folder, `${name}.json`, JSON.stringify(letter))
    while ((await readMail(deps)) > 0);
    const { mail } = (await payee.get(`/v3/mailbox/${id}/mail`)).body
    return mail[0].checks.map((one: { id: string }) => one.id)
  }
  const deposit = (check: string) => payee.post(`/v3/check/deposit/${check}`, { account: bank })
  const statusHere = async (check: string): Promise<string> => (await payee.get(`/v3/check/${check}`)).body.status
  const refusals = async () =>
    (await getExceptions(deps, {})).filter(({ kind }) => kind === 'own_check_refused').map(({ note }) => note)
  /** Returns entries above the size of micro-deposits: code, account and cents. */
  const entries = async () =>
    (await service.sent()).filter(({ cents }) => cents >= 100).map(({ code, cents }) => `${code} ${cents}`)
  return { ...service, payee, bank, scan, deposit, statusHere, refusals, entries, work }
}

suite('a check of this service that is scanned', () => {
  for (const [where, isElsewhere] of [
    ['on the platform of its sender', false],
    ['on another platform', true],
  ] as const) {
    test(`is paid once with its own money, and debits no account: ${where}`, async (t) => {
      const service = await startWithMailbox(t, { isElsewhere })
      const { scan, deposit, passDays, user, statusOf, statusHere, entries, deps } = service
      const [id] = (await service.issue([120.5])) as [string]
      await passDays(3)
      assert.equal(await statusOf(id), 'MAILED')
      const [scanned] = (await scan(1001, 120.5, `00${ACCOUNT}`)) as [string]
      assert.equal(await statusOf(id), 'MAILED', 'a scan alone moves no money')
      const answer = await deposit(scanned)
      assert.equal(answer.status, 201, answer.text)
      assert.equal(await statusOf(id), 'PAID')
      assert.equal((await user.del(`/v3/check/${id}`)).body.code, 'not_voidable')
      for (let window = 0; window < 4; window++) await service.openWindow()
      await passDays(2)
      assert.equal(await statusHere(scanned), 'PAID')
      assert.deepEqual(await entries(), ['22 12050'])
      assert.match(await service.lists(/^stop-/), /,1001,/, 'no bank may pay the paper check')
      await passDays(200)
      assert.deepEqual(await entries(), ['22 12050'], 'nobody is refunded')
      assert.equal((await user.get(`/v3/account/wallet/${service.wallet}`)).body.balance, 100_000 - 120.5)
      await service.receive('paid-1.csv', `account,number,amount,date\n${ACCOUNT},1001,120.50,2026-03-05\n`)
      const [one] = await getBankCases(deps)
      assert.match(one?.note ?? '', /was paid here on .*, by a scan: the bank paid it as well/)
      assert.deepEqual(await service.refusals(), [])
    })
  }

  test('is no open movement of a month after it was paid, because no bank books it', async (t) => {
    const service = await startWithMailbox(t)
    const { scan, deposit, passDays, deps } = service
    await service.issue([120.5, 99.5])
    await passDays(3)
    const openChecks = async () => {
      const connection = deps.connections.current().all[0] as Connection
      const [firstDay, lastDay] = ['2026-03-01', '2026-03-31']
      const month = { connectionId: connection.id, accountId: 'checks', firstDay, lastDay, firstStatementDay: firstDay }
      const { listed } = await getOpenMovements(deps, { ...month, connection })
      return listed.filter(({ rail }) => rail === 'MAIL').map(({ cents }) => cents)
    }
    assert.deepEqual(await openChecks(), [-12_050, -9_950])
    const [scanned] = (await scan(1001, 120.5)) as [string]
    assert.equal((await deposit(scanned)).status, 201)
    assert.deepEqual(await openChecks(), [-9_950])
  })

  test('is listed once, even if it is scanned repeatedly', async (t) => {
    const service = await startWithMailbox(t)
    await service.issue([120.5])
    assert.equal((await service.scan(1001, 120.5)).length, 1)
    assert.equal((await service.scan(1001, 120.5, ACCOUNT.replace(/^0+/, ''))).length, 0)
  })

  test('is not listed if it was voided, has expired or was cashed: the operator has an exception', async (t) => {
    const service = await startWithMailbox(t)
    const [voided] = (await service.issue([10, 20])) as [string, string]
    await service.user.del(`/v3/check/${voided}`)
    await service.receive('paid-1.csv', `account,number,amount,date\n${ACCOUNT},1002,20.00,2026-03-02\n`)
    await service.issue([30])
    await service.passDays(200)
    for (const [number, amount] of [
      [1001, 10],
      [1002, 20],
      [1003, 30],
    ] as const) {
      assert.deepEqual(await service.scan(number, amount), [])
    }
    const refusals = await service.refusals()
    for (const number of [1001, 1002, 1003]) {
      assert.ok(
        refusals.some((note) => note.startsWith(`Check ${number} of this service came by mail`)),
        `${refusals}`,
      )
    }
    assert.deepEqual(await service.entries(), [])
  })

  test('is not deposited if it was voided after the scan', async (t) => {
    const service = await startWithMailbox(t)
    const [id] = (await service.issue([10])) as [string]
    const [scanned] = (await service.scan(1001, 10)) as [string]
    assert.equal((await service.user.del(`/v3/check/${id}`)).status, 200)
    const { status, body } = await service.deposit(scanned)
    assert.deepEqual([status, body.code], [400, 'not_depositable'])
    assert.match(body.message, /was stopped, has expired or was paid/)
    assert.equal(await service.statusHere(scanned), 'UNPAID')
    await service.passDays(10)
    assert.deepEqual([await service.statusOf(id), await service.entries()], ['VOID', []])
    assert.equal((await service.user.get(`/v3/account/wallet/${service.wallet}`)).body.balance, 100_000)
  })

  test('is refused with another amount or a number that was never issued', async (t) => {
    const service = await startWithMailbox(t)
    await service.issue([10])
    assert.deepEqual(await service.scan(1001, 100), [])
    assert.deepEqual(await service.scan(77, 10), [])
    const refusals = (await service.refusals()).sort()
    assert.match(refusals[0] ?? '', /Check 1001 .*the scan says \$100\.00: check 1001 of payment .*, \$10\.00, is out/)
    assert.match(refusals[1] ?? '', /Check 77 .*no check of this number was drawn/)
  })

  test('is recognized on a former account', async (t) => {
    const service = await startWithMailbox(t)
    const [id] = (await service.issue([10], { accountNumber: FORMER_ACCOUNT, firstCheckNumber: 501 })) as [string]
    await service.issue([20])
    const [scanned] = (await service.scan(501, 10, FORMER_ACCOUNT)) as [string]
    assert.equal((await service.deposit(scanned)).status, 201)
    assert.equal(await service.statusOf(id), 'PAID')
  })

  test('does not affect the checks of others', async (t) => {
    const service = await startWithMailbox(t)
    const [scanned] = (await service.scan(1001, 10, newAccountNumber())) as [string]
    assert.equal((await service.deposit(scanned)).status, 201)
    await service.openWindow()
    assert.deepEqual(await service.entries(), ['27 1000'])
  })
})

suite('the money of a scanned check of this service never goes to the account of this service', () => {
  async function startDeposited(t: TestContext) {
    const service = await startWithMailbox(t)
    const { deps, payee } = service
    await service.issue([120.5])
    await service.passDays(3)
    const [scanned] = (await service.scan(1001, 120.5)) as [string]
    assert.equal((await service.deposit(scanned)).status, 201)
    const close = async () => {
      const [user] = await deps.sql<UserKey[]>`select platform_id, id as user_id from users where id = ${payee.id}`
      await inTransaction(deps, (tx) => decideUser(tx, user as UserKey, 'close'))
      while ((await followUserStatus(deps)) > 0);
    }
    const returnPayout = async () => {
      const push = (await service.sent()).find(({ code, cents }) => code === '22' && cents === 12_050)
      assert.ok(push)
      const back = { code: 'R23', trace: push.trace, direction: 'credit' as const, cents: 12_050 }
      await putInbound(service.folder, 'back.ach', bankFile([back]))
      await readAchFiles(deps, achHooks)
    }
    const act = async (verb: 'resend' | 'close', flags: object = {}) => {
      const kinds = ['user_closed', 'holder_gone']
      const [one] = (await getExceptions(deps, {})).filter(({ kind }) => kinds.includes(kind))
      assert.equal(one?.paymentId, scanned)
      return exceptionCommand({ note: 'called', ...flags }, [verb, one?.id ?? ''])(deps)
    }
    const windows = async () => {
      for (let window = 0; window < 4; window++) await service.openWindow()
      return service.entries()
    }
    return { ...service, scanned, close, returnPayout, act, windows }
  }

  const DRAWN_HERE = /This service issued the scanned check.*Name a bank of the user with --bank/

  test('if its user is closed before the payout', async (t) => {
    const { scanned, close, act, windows, statusHere, assertLedger, owner, baseUrl } = await startDeposited(t)
    await close()
    assert.deepEqual(await windows(), [])
    assert.equal(await statusHere(scanned), 'FAILED')
    await assert.rejects(act('resend'), DRAWN_HERE)
    assert.equal(await act('close', { paidBy: 'wire', reference: 'Fed 1' }), 'Closed.')
    assert.deepEqual(await windows(), [])
    const headers = { authorization: owner.credential }
    const receipt = await fetch(`${baseUrl}/v3/payment/${scanned}/receipt.pdf`, { headers })
    const [page] = readPages(Buffer.from(await receipt.arrayBuffer()))
    assert.ok(page?.texts.some(({ text }) => text === 'This payment failed, but the payee was paid.'))
    await assertLedger()
  })

  test('if its payout is returned and its user is closed: the operator names a bank', async (t) => {
    const { close, returnPayout, act, windows, bank, assertLedger } = await startDeposited(t)
    assert.deepEqual(await windows(), ['22 12050'])
    await returnPayout()
    await close()
    await assert.rejects(act('resend'), DRAWN_HERE)
    assert.equal(await act('resend', { bank }), 'The refund was sent again.')
    assert.deepEqual(await windows(), ['22 12050', '22 12050'])
    await assertLedger()
  })

  test('if its payout is returned and its user was deleted', async (t) => {
    const { owner, payee, passDays, returnPayout, act, windows, assertLedger } = await startDeposited(t)
    assert.deepEqual(await windows(), ['22 12050'])
    await passDays(70)
    assert.equal((await owner.del(`/v3/user/${payee.id}`)).status, 200)
    await returnPayout()
    await assert.rejects(act('resend'), DRAWN_HERE)
    assert.equal(await act('close', { paidBy: 'wire', reference: 'Fed 2' }), 'Closed.')
    await assertLedger()
  })
})

test('no user can add an account of the operator or be paid into it', async (t) => {
  const service = await startWithMailbox(t)
  await service.issue([10], { accountNumber: FORMER_ACCOUNT, firstCheckNumber: 501 })
  for (const account of [ACCOUNT, ACCOUNT.replace(/^0+/, ''), FORMER_ACCOUNT]) {
    const { status, body } = await service.user.post('/v3/bank', { routing: ROUTING, account, type: 'CHECKING' })
    assert.deepEqual([status, body.code], [400, 'invalid_request'])
    assert.match(JSON.stringify(body), /is an account of this service/)
  }
  const elsewhere = await service.user.post('/v3/bank', { routing: '021000021', account: ACCOUNT, type: 'CHECKING' })
  assert.equal(elsewhere.status, 201, 'another bank can have the same number')
  await addVerifiedBank(service.user)
  for (const account_number of [ACCOUNT, FORMER_ACCOUNT]) {
    const direct = await service.user.post('/v3/check/direct', {
      ...{ amount: 5, name: 'Ann', recipient: 'x@example.com', account_number, routing_number: ROUTING },
      account_type: 'CHECKING',
    })
    assert.deepEqual([direct.status, direct.body.code], [400, 'invalid_request'])
  }
})
