import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { adapterConnection, startScriptedAdapter } from './support/adapter.ts'
import { startProcessorService } from './support/processors.ts'
import { backUp } from './support/restore.ts'

// A restored database does not know the orders that processors got after the backup.

/** A payment whose order a processor got after the backup. */
async function startWithLateOrder(t: TestContext) {
  const adapter = await startScriptedAdapter(t)
  const processors = [await adapterConnection(t, { url: adapter.url })] as const
  const service = await startProcessorService(t, { processors, rails: ['INTERAC'] })
  const { sender, recipient, wallet, later } = service
  const account = await service.add('interac', { username: 'payee@example.ca' })
  const draft = { amount: 50, name: 'Payee', recipient: recipient.userId, account: wallet }
  const { id } = (await sender.post('/v3/check/digital', draft)).body
  const deposit = () => recipient.post(`/v3/check/deposit/${id}`, { account })
  const restore = await backUp(service, t)
  assert.equal((await deposit()).status, 201)
  await later(60)
  assert.equal(adapter.orders.size, 1)
  return { adapter, service, id, account, deposit, restore }
}

test('after a restore, a payment whose order was lost is not paid again under another reference', async (t) => {
  const { adapter, service, id, account, deposit, restore } = await startWithLateOrder(t)
  const { deps, later } = service

  await restore()
  const marker = { exchangeId: 'a'.repeat(32), lastNumber: 0 }
  await writeFile(join(deps.settings.stateFolder ?? '', '.exchange.json'), JSON.stringify(marker))
  assert.equal((await deposit()).status, 201)
  await later(60)
  assert.equal(await service.orderOf(id), undefined, 'nothing is sent before the recovery')
  const files = (flags: object) => filesCommand(flags, ['recover'])(deps)
  await assert.rejects(files({ connection: 'cards', lastAch: 'none' }), /has no files/)
  assert.match(await files({ lastAch: 'none' }), /wait for a processor are held/)
  await later(60)
  const [held, ...others] = (await getExceptions(deps, {})).filter(({ kind }) => kind === 'maybe_at_bank')
  assert.deepEqual([held?.paymentId, others.length, adapter.orders.size], [id, 0, 1])

  const fresh = await service.pay(account)
  await later(60)
  assert.equal((await service.orderOf(fresh))?.status, 'SUBMITTED')
  const note = 'the processor does not have the order'
  await exceptionCommand({ note }, ['close', held?.id ?? ''])(deps)
  await later(60)
  assert.deepEqual([(await service.orderOf(id))?.status, adapter.orders.size], ['SUBMITTED', 3])
})

test('after a restore, an order that the processor has paid is recorded by hand, and is not sent again', async (t) => {
  const { adapter, service, id, deposit, restore } = await startWithLateOrder(t)
  const { deps, sender, later } = service

  const [reference] = [...adapter.orders.keys()]
  await restore()
  const marker = { exchangeId: 'a'.repeat(32), lastNumber: 0 }
  await writeFile(join(deps.settings.stateFolder ?? '', '.exchange.json'), JSON.stringify(marker))
  assert.equal((await deposit()).status, 201)
  await filesCommand({ lastAch: 'none' }, ['recover'])(deps)
  await later(60)
  const [held] = await getExceptions(deps, {})
  const apply = (flags: object) =>
    exceptionCommand({ note: 'the processor has paid', ...flags }, ['apply', held?.id ?? ''])(deps)
  for (const flags of [{}, { code: 'PAID' }, { trace: [reference as string] }, { number: '1' }])
    await assert.rejects(apply(flags), /--trace REFERENCE --code PAID/)
  assert.match(await apply({ trace: [reference as string], code: 'PAID' }), /The processor has paid the payment/)
  await later(60)
  assert.equal((await sender.get(`/v3/check/${id}`)).body.status, 'PAID')
  assert.deepEqual([adapter.orders.size, (await getExceptions(deps, {})).length], [1, 0])
})

test('a restore is recorded without files if all connections are processors', async (t) => {
  const adapter = await startScriptedAdapter(t)
  const processors = [await adapterConnection(t, { url: adapter.url })] as const
  const service = await startProcessorService(t, { processors, rails: ['INTERAC'] })
  const current = service.deps.connections.current()
  const only = { ...current, all: current.all.filter(({ processor }) => processor !== null) }
  const deps = { ...service.deps, connections: { current: () => only } }
  const id = await service.pay(await service.add('interac', { username: 'payee@example.ca' }))
  service.clock.advance(60)
  assert.match(await filesCommand({}, ['recover'])(deps), /wait for a processor are held/)
  await service.later(60)
  assert.deepEqual([adapter.orders.size, await service.orderOf(id)], [0, undefined])
  assert.deepEqual(
    (await getExceptions(deps, {})).map(({ kind, paymentId }) => [kind, paymentId]),
    [['maybe_at_bank', id]],
  )
})
