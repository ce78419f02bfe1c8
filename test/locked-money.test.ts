import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { STATEMENT_NAMES, type VirtualAccounts } from '../src/foundation/core/connections.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getExceptions, recordException } from '../src/foundation/exception/exception-actions.ts'
import { newId } from '../src/foundation/lib/ids.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { reconcileCommand } from '../src/operation/cli/statement/reconcile-command.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { applyOutbox } from '../src/operation/scheduler/outbox-work.ts'
import { followUserStatus } from '../src/operation/scheduler/user-status-work.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import { eraseUser, type UserKey } from '../src/people/user/user-store.ts'
import { putInbound } from './support/ach.ts'
import { DAY, startFileService } from './support/file-service.ts'
import { assertLedger, newWallet } from './support/money.ts'
import { ACCOUNT, operatorBank } from './support/paid-lists.ts'
import { sendPayment } from './support/payments.ts'
import { addBank, startTestService, type TestService } from './support/service.ts'
import { bai2Lines, type SampleLine } from './support/statement-files.ts'

// Money that its user cannot move, because the user is closed or was deleted, has a case until the operator has paid it out.

const service = await startTestService({ after })
const { clock, deps, doDueWork, newUser, owner } = service

async function close({ deps }: Pick<TestService, 'deps'>, id: string): Promise<void> {
  const [user] = await deps.sql<UserKey[]>`select platform_id, id as user_id from users where id = ${id}`
  await inTransaction(deps, (tx) => decideUser(tx, user as UserKey, 'close'))
  while ((await followUserStatus(deps)) > 0);
}

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock.advance(DAY)
    await doDueWork()
  }
}

type Subject = { kind: 'user_closed' | 'holder_gone'; userId?: string; paymentId?: string }

async function caseOf({ deps }: Pick<TestService, 'deps'>, { kind, userId, paymentId }: Subject) {
  const found = (await getExceptions(deps, {})).filter(
    (one) => one.kind === kind && (userId ? one.userId === userId : one.paymentId === paymentId),
  )
  assert.equal(found.length, 1, `one case ${kind}`)
  return found[0] as (typeof found)[0]
}

/** Closes the case about money that was paid by wire. A note alone does not close it. */
async function payByWire(service: Pick<TestService, 'deps'>, subject: Subject, cents: number): Promise<void> {
  const { id, cents: told } = await caseOf(service, subject)
  assert.equal(told, cents)
  const act = (flags: object) => exceptionCommand({ note: 'called', ...flags }, ['close', id])(service.deps)
  await assert.rejects(act({}), /is still here\. If you paid it, say how: --paid-by/)
  assert.equal(await act({ paidBy: 'wire', reference: 'Fed 1' }), 'Closed.')
}

const walletCents = async ({ deps }: Pick<TestService, 'deps'>, id: string) =>
  (await deps.sql<{ cents: number }[]>`select balance_cents as cents from wallets where id = ${id}`)[0]?.cents

const payableCents = async (paymentId: string) =>
  (
    await deps.sql<{ cents: number }[]>`
      select coalesce(sum(case when credit = 'payable' then cents else -cents end), 0)::bigint as cents
      from transfers
      where payment_id = ${paymentId} and 'payable' in (debit, credit) and status = 'POSTED'
    `
  )[0]?.cents

test('the wallets of a closed user are paid out by wire', async () => {
  const user = await newUser()
  const wallet = await newWallet(user, 12.34)
  await close(service, user.id)
  await payByWire(service, { kind: 'user_closed', userId: user.id }, 1_234)
  assert.equal(await walletCents(service, wallet), 0)
  await assertLedger(service)
})

test('a case about a payout, whose money was sent again, does not pay out the wallets of its user', async () => {
  const user = await newUser()
  const wallet = await newWallet(user, 12.34)
  await close(service, user.id)
  const { id: ofWallets, platformId } = await caseOf(service, { kind: 'user_closed', userId: user.id })
  const about = { platformId, userId: user.id, paymentId: null, legId: newId(deps), cents: 500 }
  await inTransaction(deps, (tx) =>
    recordException(tx, { ...about, kind: 'user_closed', note: 'The payout came back.' }),
  )
  const ofPayout = (await getExceptions(deps, {})).find(({ id, userId }) => userId === user.id && id !== ofWallets)
  const act = (flags: object) => exceptionCommand({ note: 'sent', ...flags }, ['close', ofPayout?.id ?? ''])(deps)
  await assert.rejects(act({ paidBy: 'wire', reference: 'Fed 2' }), /No money of this exception is here/)
  assert.equal(await act({}), 'Closed.')
  assert.equal(await walletCents(service, wallet), 1_234)
})

test('a credit that comes back for a deleted sender whose wallet paid is paid by wire', async () => {
  const payee = await newUser()
  const user = await newUser()
  const account = await newWallet(user, 9.65)
  const recipient = { id: payee.userId, account: await addBank(payee) }
  const { id } = await sendPayment(user, { account, amount: 9.65, recipient })
  await passDays(9)
  assert.equal((await owner.del(`/v3/user/${user.id}`)).status, 200)
  await passDays(12)
  assert.equal(await payableCents(id), 965)
  const { id: exception } = await caseOf(service, { kind: 'holder_gone', paymentId: id })
  await assert.rejects(exceptionCommand({}, ['resend', exception])(deps), /A wallet paid for this payment/)
  await payByWire(service, { kind: 'holder_gone', paymentId: id }, 965)
  assert.equal(await payableCents(id), 0)
  await assertLedger(service)
})

for (const [what, kind] of [
  ['closed', 'user_closed'],
  ['deleted', 'holder_gone'],
] as const) {
  test(`money from another platform for the wallet of a ${what} user has a case and is paid by wire`, async () => {
    const sender = await newUser()
    const other = await service.newOwner()
    const wallet = await newWallet(other.api, 0)
    const { id } = await sendPayment(sender, { account: await newWallet(sender, 100), recipient: other.email })
    await applyOutbox(deps)
    assert.equal((await other.api.post(`/v3/check/deposit/${id}`, { account: wallet })).status, 201)
    if (kind === 'user_closed') await close(service, other.id)
    else await inTransaction(deps, (tx) => eraseUser(tx.sql, { platformId: other.id, userId: other.id }, clock.now()))
    await applyOutbox(deps)
    assert.equal(await walletCents(service, wallet), kind === 'user_closed' ? 1_000 : 0)
    await payByWire(service, { kind, paymentId: id }, 1_000)
    assert.equal(await walletCents(service, wallet), 0)
    await assertLedger(service)
  })
}

/** A user with a numbered wallet in production, and a bank whose statements have lines about it. */
async function startNumbered(t: TestContext) {
  const numbers = { prefix: '9988', length: 12, checkDigit: 'luhn' } as const
  const virtualAccounts: VirtualAccounts = { account: 'checks', rails: ['ACH', 'WIRE'], numbers }
  const statements = { format: null, names: STATEMENT_NAMES, csv: null, rules: [] }
  const service = await startFileService(t, { operatorBank, statements, virtualAccounts })
  service.secrets.add(ACCOUNT.replace(/^0+/, ''))
  const { deps, clock, folder } = service
  const user = await service.newUser()
  const { body } = await user.post('/v3/account/wallet', { name: 'Cash' })
  const number: string = body.numbers.ACH.account
  service.secrets.add(number)
  let openingCents = 0
  /** The bank books a line. @returns its id */
  const receive = async (line: SampleLine): Promise<string> => {
    clock.advance(DAY)
    const day = clock.now().toISOString().slice(0, 10)
    const text = bai2Lines({ account: ACCOUNT, openingCents, lines: [line], day }).join('\n')
    await putInbound(folder, `statement-${day}`, text)
    openingCents += line.cents
    await readBankStatements(deps)
    await matchBankStatements(deps, { legHandlers })
    const [row] = await deps.sql<{ id: string }[]>`
      select l.id from statement_lines l join bank_statements s on s.id = l.statement_id where s.day = ${day}::date
    `
    return row?.id ?? ''
  }
  return { ...service, user, wallet: body.id as string, number, receive }
}

test('a credit of the bank to the wallet of a closed user has a case and is paid by wire', async (t) => {
  const service = await startNumbered(t)
  const { user, wallet, number, receive } = service
  await close(service, user.id)
  await receive({ cents: 12_345, code: '195', reference: '', text: `WIRE FOR ${number}` })
  assert.equal(await walletCents(service, wallet), 12_345)
  await payByWire(service, { kind: 'user_closed', userId: user.id }, 12_345)
  assert.equal(await walletCents(service, wallet), 0)
  await service.assertLedger()
})

test('money that an undone line returns to the wallet of a deleted user has a case and is paid by wire', async (t) => {
  const service = await startNumbered(t)
  const { deps, user, owner, wallet, number, receive } = service
  await receive({ cents: 12_345, code: '195', reference: '', text: `WIRE FOR ${number}` })
  const back = await receive({ cents: -12_345, code: '557', reference: '', text: `RETURN OF CREDIT TO ${number}` })
  assert.equal(await walletCents(service, wallet), 0)
  assert.equal((await owner.del(`/v3/user/${user.id}`)).status, 200)
  await reconcileCommand({}, ['undo', back])(deps)
  assert.equal(await walletCents(service, wallet), 12_345)
  await payByWire(service, { kind: 'holder_gone', userId: user.id }, 12_345)
  assert.equal(await walletCents(service, wallet), 0)
  await service.assertLedger()
})
