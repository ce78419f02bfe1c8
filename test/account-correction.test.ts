import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { readBankAccounts } from '../src/money/bank/bank-correction-actions.ts'
import { bankCommand } from '../src/operation/cli/bank-commands.ts'
import { type BankEntry, bankFile, type SentEntry } from './support/ach.ts'
import type { Answer, Api } from './support/api.ts'
import { type FileService, newPair, pay, startFileService, untilPaid } from './support/file-service.ts'
import { sendPayment } from './support/payments.ts'
import { newBank, payNewRecipient } from './support/recipients.ts'
import { addVerifiedBank, newAccountNumber } from './support/service.ts'

// A bank reports another number for an account that was given for one payment. The next entry goes to that number,
// regardless of how the account is given.

const ROUTING = '021000021'

const auditOf = async (owner: Api, action: string): Promise<string[]> =>
  (await owner.get('/v3/audit')).body.audit
    .filter((entry: Record<string, string>) => entry.action === action)
    .map(({ subject }: Record<string, string>) => subject)

const created = ({ status, body, text }: Answer) => {
  assert.equal(status, 201, text)
  return body
}

async function startCorrecting(t: Parameters<typeof startFileService>[0]) {
  const service = await startFileService(t, { settings: { showsMail: true } })
  const sender = await service.newUser()
  await addVerifiedBank(sender)
  await service.openWindow()
  let count = 0
  return {
    ...service,
    sender,
    newNumber: () => {
      const number = newAccountNumber()
      service.secrets.add(number)
      return number
    },
    /** The credit entry of a payment. */
    creditOf: (id: string, amount: number, by: typeof sender = sender) =>
      untilPaid(service, by, id, Math.round(amount * 100)),
    says: (entry: SentEntry, code: string, corrected: string) =>
      service.receive(`changes-${++count}.ach`, bankFile([change(entry, code, corrected)])),
    returns: ({ trace, cents }: SentEntry, code: string) =>
      service.receive(`returns-${++count}.ach`, bankFile([{ code, trace, direction: 'credit', cents }])),
  }
}

const change = ({ trace, routing }: SentEntry, code: string, corrected: string): BankEntry => ({
  code,
  trace,
  direction: 'credit',
  cents: 0,
  corrected,
  rdfi: routing.slice(0, 8),
})

const placeOf = ({ routing, account, code }: SentEntry) => [routing, account, code]

const direct = (sender: Api, amount: number, account: string, more: object = {}) =>
  sender.post('/v3/check/direct', {
    amount,
    name: 'Ada Payee',
    recipient: 'ada@example.com',
    routing_number: ROUTING,
    account_number: account,
    account_type: 'CHECKING',
    ...more,
  })

const noCases = async ({ deps }: Pick<FileService, 'deps'>) =>
  assert.deepEqual(
    (await getBankCases(deps)).map(({ note }) => note),
    [],
  )

suite('an account that was given for one payment', () => {
  test('of a saved payee is corrected there too, and the next payment goes to the new number', async (t) => {
    const service = await startCorrecting(t)
    const { sender, owner } = service
    const [former, present] = [service.newNumber(), service.newNumber()]
    const given = { routing: ROUTING, account: former, type: 'CHECKING' }
    const payee = created(await sender.post('/v3/directory', { name: 'Ada Payee' })).id
    const account = created(await sender.post(`/v3/directory/${payee}/account/bank`, given)).id
    const other = created(await sender.post('/v3/directory', { name: 'Ada at home' })).id
    created(await sender.post(`/v3/directory/${other}/account/bank`, given))
    const payAda = async (amount: number): Promise<string> =>
      (await sendPayment(sender, { amount, name: 'Ada Payee', recipient: { id: payee, account } })).id

    const credit = await service.creditOf(await payAda(80.15), 80.15)
    assert.equal(credit.account, former)
    await service.says(credit, 'C01', present)
    await service.says(credit, 'C01', present)
    await noCases(service)
    for (const id of [payee, other]) {
      const { accounts } = (await sender.get(`/v3/directory/${id}`)).body
      assert.deepEqual(
        accounts.map((one: { number: string }) => one.number),
        [present.slice(-4)],
      )
    }
    assert.equal((await auditOf(owner, 'directory_account_corrected')).length, 2, 'a repetition changes nothing')
    assert.deepEqual(placeOf(await service.creditOf(await payAda(81.15), 81.15)), [ROUTING, present, '22'])
  })

  test('of a direct payment is corrected for each later payment of the platform to the same number', async (t) => {
    const service = await startCorrecting(t)
    const { sender, owner, newUser } = service
    const [former, present] = [service.newNumber(), service.newNumber()]
    const credit = await service.creditOf(created(await direct(sender, 70.11, former)).id, 70.11)
    await service.says(credit, 'C07', `122105155${present.padEnd(17)}32`)
    await noCases(service)
    const other = await newUser()
    await addVerifiedBank(other)
    await service.openWindow()
    const ids = [
      [created(await direct(sender, 71.11, former)).id, 71.11, sender],
      [created(await direct(other, 73.11, former)).id, 73.11, other],
    ] as const
    for (const [id, amount, by] of ids) {
      assert.deepEqual(placeOf(await service.creditOf(id, amount, by)), ['122105155', present, '32'])
    }
    const stranger = await service.creditOf(created(await direct(sender, 74.11, service.newNumber())).id, 74.11)
    assert.equal(stranger.routing, ROUTING)
    assert.equal((await auditOf(owner, 'bank_corrected')).length, 1)
  })

  test('is corrected again, field by field', async (t) => {
    const service = await startCorrecting(t)
    const { sender } = service
    const [former, second, third] = [service.newNumber(), service.newNumber(), service.newNumber()]
    const first = await service.creditOf(created(await direct(sender, 60.11, former)).id, 60.11)
    await service.says(first, 'C01', second)
    await service.says(first, 'C02', '122105155')
    const next = await service.creditOf(created(await direct(sender, 61.11, former)).id, 61.11)
    assert.deepEqual(placeOf(next), ['122105155', second, '22'])
    await service.says(next, 'C01', third)
    const last = await service.creditOf(created(await direct(sender, 62.11, former)).id, 62.11)
    assert.deepEqual(placeOf(last), ['122105155', third, '22'])
  })

  test('is corrected again by the entry of a payment for which the corrected number was given', async (t) => {
    const service = await startCorrecting(t)
    const { sender } = service
    const [former, second, third] = [service.newNumber(), service.newNumber(), service.newNumber()]
    const pay = async (amount: number, account: string) =>
      service.creditOf(created(await direct(sender, amount, account)).id, amount)
    await service.says(await pay(63.11, former), 'C01', second)
    await service.says(await pay(64.11, second), 'C01', third)
    assert.equal((await pay(65.11, former)).account, third)
    // The bank uses a former number again.
    await service.says(await pay(66.11, third), 'C01', second)
    assert.deepEqual([(await pay(67.11, former)).account, (await pay(68.11, third)).account], [second, second])
    assert.equal((await pay(69.11, second)).account, second)
    await noCases(service)
  })

  test('is blocked when the number to which its entries go is blocked', async (t) => {
    const service = await startCorrecting(t)
    const { sender } = service
    const [former, present] = [service.newNumber(), service.newNumber()]
    const paid = created(await direct(sender, 56.11, former)).id
    await service.says(await service.creditOf(paid, 56.11), 'C01', present)
    const credit = await service.creditOf(created(await direct(sender, 57.11, present)).id, 57.11)
    const waiting = created(await direct(sender, 58.11, former)).id
    await service.returns(credit, 'R02')
    assert.equal((await direct(sender, 59.11, former)).body.code, 'bank_blocked')
    for (let n = 0; n < 8; n++) await service.openWindow()
    assert.equal((await sender.get(`/v3/check/${waiting}/fail`)).body.code, 'R02')
  })

  test('is blocked with the number to which its entries go, until the operator lifts both blocks', async (t) => {
    const service = await startCorrecting(t)
    const { sender, deps } = service
    const [former, present] = [service.newNumber(), service.newNumber()]
    const refusals = async () => [
      (await direct(sender, 51.11, former)).body.code,
      (await direct(sender, 52.11, present)).body.code,
    ]
    const early = await service.creditOf(created(await direct(sender, 53.11, former)).id, 53.11)
    await service.says(early, 'C01', present)
    const id = created(await direct(sender, 54.11, former)).id
    const late = await service.creditOf(id, 54.11)
    await service.returns(early, 'R02')
    assert.deepEqual(await refusals(), ['bank_blocked', undefined], 'the entry went to the former number')
    await service.returns(late, 'R02')
    assert.deepEqual(await refusals(), ['bank_blocked', 'bank_blocked'])
    const [bank] = await deps.sql<{ id: string }[]>`select id from banks where user_id = ${id}`
    const [login] = await deps.sql<{ email: string }[]>`select email from logins limit 1`
    const unblock = bankCommand({ owner: login?.email, bank: bank?.id, note: 'Reopened' }, ['unblock'])
    assert.match(await unblock(deps), /^Unblocked \(R02\)/)
    assert.deepEqual(await refusals(), [undefined, undefined])
  })

  test('by the link of a payment is corrected for the next payment by link', async (t) => {
    const service = await startCorrecting(t)
    const { sender } = service
    const [former, present] = [service.newNumber(), service.newNumber()]
    const byLink = async (amount: number) => {
      const { id, page } = await payNewRecipient(service, sender, { amount })
      const answer = await page.deposit('bank', newBank(former))
      assert.equal(answer.status, 200, answer.text)
      return service.creditOf(id, amount)
    }
    await service.says(await byLink(50.11), 'C01', present)
    await noCases(service)
    assert.equal((await byLink(51.11)).account, present)
  })

  test('is not corrected to an invalid number: a case names the payment', async (t) => {
    const service = await startCorrecting(t)
    const { sender, deps } = service
    const id = created(await direct(sender, 40.11, service.newNumber())).id
    await service.says(await service.creditOf(id, 40.11), 'C02', '122105156')
    const cases = await getBankCases(deps)
    assert.deepEqual(
      cases.map(({ kind, paymentId, note }) => [kind, paymentId, note]),
      [
        [
          'correction_impossible',
          id,
          'notification of change C02: the corrected routing number has a wrong check digit',
        ],
      ],
    )
  })

  test('can be corrected by the operator', async (t) => {
    const service = await startCorrecting(t)
    const { sender, deps } = service
    const [former, present] = [service.newNumber(), service.newNumber()]
    const id = created(await direct(sender, 30.11, former)).id
    await service.creditOf(id, 30.11)
    const [bank] = await deps.sql<{ id: string }[]>`select id from banks where user_id = ${id}`
    const [{ email }] = (await deps.sql`
      select email from logins limit 1
    `) as unknown as [{ email: string }]
    const answer = await bankCommand({ owner: email, bank: bank?.id, note: 'The payee called', account: present }, [
      'correct',
    ])(deps)
    assert.equal(answer, 'Corrected.')
    const next = await service.creditOf(created(await direct(sender, 31.11, former)).id, 31.11)
    assert.equal(next.account, present)
  })
})

suite('a bank of a user', () => {
  test('that was deleted is corrected without a case', async (t) => {
    const service = await startCorrecting(t)
    const pair = await newPair(service)
    const present = service.newNumber()
    const credit = await service.creditOf(await pay(pair, 20.11), 20.11, pair.sender)
    const deleted = await pair.recipient.del(`/v3/bank/${pair.account}`)
    assert.equal(deleted.status, 200, deleted.text)
    await service.says(credit, 'C01', present)
    await noCases(service)
    const banks = await service.deps.sql<{ platformId: string; bankId: string }[]>`
      select platform_id, id as bank_id from banks where id = ${pair.account}
    `
    const [found] = [...(await readBankAccounts(service.deps, banks)).values()]
    assert.equal(found?.account.accountNumber, present)
  })

  test('of another platform that cannot be corrected becomes a case', async (t) => {
    const service = await startCorrecting(t)
    const { sender, newOwner, deps, applyOutbox } = service
    const { api: payee, email } = await newOwner()
    const add = async (account: string): Promise<string> =>
      created(await payee.post('/v3/bank', { routing: ROUTING, account, type: 'CHECKING' })).id
    const [present, other] = [service.newNumber(), service.newNumber()]
    const account = await add(present)
    await add(other)
    const { id } = await sendPayment(sender, { amount: 10.11, recipient: email })
    await applyOutbox()
    created(await payee.post(`/v3/check/deposit/${id}`, { account }))
    await service.says(await service.creditOf(id, 10.11), 'C01', other)
    await applyOutbox()
    const cases = await getBankCases(deps)
    assert.deepEqual(
      cases.map(({ kind, fileName }) => [kind, fileName]),
      [['correction_impossible', 'changes-1.ach']],
    )
    assert.match(cases[0]?.note ?? '', /the user has the corrected account as another bank$/)
  })
})
