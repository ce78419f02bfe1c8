import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Deps } from '../src/foundation/db/deps.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { writeCheckFiles } from '../src/payments/check/printing/print-worker.ts'
import { drawnOn, exchange, withConnection } from './support/ach.ts'
import { micrText, readPages } from './support/check-pdf.ts'
import { legsOf } from './support/file-service.ts'
import { balanceOf } from './support/money.ts'
import { FORMER_ACCOUNT, operatorBank, startPaidService } from './support/paid-lists.ts'

// A check that the printer could not use, after the operator changed the account that checks are drawn on.

async function startRejected(t: TestContext) {
  const service = await startPaidService(t)
  const { deps } = service
  const [id] = (await service.issue([10], { accountNumber: FORMER_ACCOUNT, firstCheckNumber: 501 })) as [string]
  const [file] = await deps.sql<{ name: string }[]>`select name from exchanges where kind = 'print'`
  await filesCommand({}, ['reject', file?.name as string])(deps)
  const printed = async () => (await service.list('outbound/sent')).filter((name) => /^print-.*\.pdf$/.test(name))
  const kinds = async () => (await getExceptions(deps, {})).map(({ kind, paymentId }) => [kind, paymentId])
  /** The same service with the former account among the accounts of the connection. Checks are drawn on the new one. */
  const withFormer: Deps = withConnection(deps, (one) => ({
    ...one,
    accounts: [
      ...one.accounts,
      { ...operatorBank, accountNumber: FORMER_ACCOUNT, id: 'former', type: 'checking', currency: 'USD' },
    ],
  }))
  return { ...service, id, printed, kinds, withFormer }
}

test('is printed again with its number and its account, if the connection still has the account', async (t) => {
  const service = await startRejected(t)
  const before = await service.printed()
  await service.work(service.withFormer)
  const [name, ...more] = (await service.printed()).filter((one) => !before.includes(one))
  assert.ok(name && more.length === 0)
  const [page] = readPages(await readFile(join(service.folder, 'outbound/sent', name)))
  assert.equal(page && micrText(page), `U000501UT091000019T${FORMER_ACCOUNT}U`)
  assert.deepEqual(await service.kinds(), [])
})

test('is an exception if the account is gone, and is printed when the account is back and the exception is closed', async (t) => {
  const service = await startRejected(t)
  await service.passDays(2)
  assert.equal((await service.printed()).length, 1)
  assert.deepEqual(await service.kinds(), [['leg_unsendable', service.id]])
  const [one] = await getExceptions(service.deps, {})
  assert.match(
    one?.note ?? '',
    /^The check was not printed: This check is drawn on an account that the connection first no longer has/,
  )
  assert.ok(!JSON.stringify(one).includes(FORMER_ACCOUNT))
  await exceptionCommand({ note: 'the account is back' }, ['close', one?.id ?? ''])(service.deps)
  await service.work(service.withFormer)
  assert.equal((await service.printed()).length, 2)
  assert.deepEqual(await service.kinds(), [])
  await service.assertLedger()
})

test('can be voided while its account is gone, if its file was canceled before the printer got it', async (t) => {
  const service = await startPaidService(t)
  const { deps, user } = service
  const id = await service.mail(10)
  const former = { ...operatorBank, accountNumber: FORMER_ACCOUNT, firstCheckNumber: 501 }
  const before = withConnection(deps, (one) => drawnOn(one, former))
  while ((await writeCheckFiles(before, legHandlers)) > 0);
  const [file] = await deps.sql<{ name: string }[]>`select name from exchanges where kind = 'print'`
  await filesCommand({}, ['cancel', file?.name ?? ''])(before)
  await exchange(before)
  await service.passDays(1)
  const [one] = await getExceptions(deps, {})
  assert.deepEqual([one?.kind, one?.paymentId], ['leg_unsendable', id])
  assert.equal((await user.get(`/v3/check/${id}`)).body.status, 'IN_PROCESS')
  const { status, text } = await user.del(`/v3/check/${id}`)
  assert.equal(status, 200, text)
  await exceptionCommand({ note: 'voided' }, ['close', one?.id ?? ''])(deps)
  await service.passDays(20)
  assert.equal(await balanceOf(user, service.wallet), 100_000)
  await service.assertLedger()
})

test('can be voided while its account is gone', async (t) => {
  const service = await startRejected(t)
  await service.passDays(1)
  const { status, text } = await service.user.del(`/v3/check/${service.id}`)
  assert.equal(status, 200, text)
  await service.passDays(1)
  const [stop] = await service.deps.sql<{ name: string }[]>`select name from exchanges where kind = 'stop'`
  await filesCommand({}, ['accept', stop?.name as string])(service.deps)
  const [one] = await getExceptions(service.deps, {})
  await exceptionCommand({ note: 'voided' }, ['close', one?.id ?? ''])(service.deps)
  await service.passDays(1)
  assert.deepEqual(await legsOf(service, service.id), [['payment_push', 'CANCELLED', false]])
  assert.equal(await balanceOf(service.user, service.wallet), 100_000)
  assert.equal((await service.printed()).length, 1)
  await service.assertLedger()
})
