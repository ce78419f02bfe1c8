import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { removalProblem } from '../src/connections/overview/removed-connection-actions.ts'
import { withConnection } from './support/ach.ts'
import { twoBanks, writeConnections } from './support/connections.ts'
import { type PaidService, startPaidService } from './support/paid-lists.ts'
import { createIssueList, prepareProduction } from './support/production-process.ts'
import { waitUntil } from './support/wait-until.ts'

/** Two banks whose folders a job of the operator serves. The second one has two rails. */
function bothByFolder() {
  const banks = twoBanks()
  Object.assign(banks.connections[0] as object, { transport: { type: 'folder', path: 'first' } })
  return banks
}

/** The file without the second bank, and without rails that need it. */
function onlyFirst() {
  const { connections } = bothByFolder()
  return { connections: connections.slice(0, 1), rails: { ACH: 'first' } }
}

test('a connection with an open file or an open leg cannot be removed, by a reload or at a start, until they have ended', async (t) => {
  const { service, home, remit, remitProcess, startWorker } = await prepareProduction(t, bothByFolder())
  await createIssueList(service, { name: 'issue-1', connectionId: 'second' })
  const worker = await startWorker()
  await waitUntil('the file is written', async () => /WRITTEN/.test((await remit('files list')).stdout))

  await writeConnections(home, onlyFirst())
  const problem = (counts: string) =>
    `connections.json lacks the connection second, which has ${counts} of money. Put it back. To retire a bank, give its rails to another ` +
    'connection first, and remove it when its payments have settled and "remit files list --connection second" shows no open files.'
  const refused = await remit('connections reload')
  assert.deepEqual([refused.code, refused.stderr], [1, `${problem('1 open file and 0 open movements')}\n`])
  worker.child.kill('SIGHUP')
  await waitUntil('the worker has refused the file', async () =>
    worker.stderr().includes('the connections were not reloaded: the old ones stay'),
  )
  assert.ok(worker.stderr().includes('1 open file and 0 open movements'))
  const started = await remitProcess('worker')
  assert.deepEqual([started.code, started.stderr], [1, `${problem('1 open file and 0 open movements')}\n`])

  // The worker still has the old connections, so it detects that the transfer job has sent the file.
  await waitUntil('the file is in the folder', () =>
    rename(join(home, 'second/outbound/issue-1.csv'), join(home, 'second/outbound/sent/issue-1.csv')).then(
      () => true,
      () => false,
    ),
  )
  await waitUntil('it is TRANSMITTED', async () => /TRANSMITTED/.test((await remit('files list')).stdout))
  assert.equal((await remit('files accept issue-1')).code, 0, 'commands work with the new file')
  const platform = randomUUID()
  await service.deps.sql`
    insert into legs (platform_id, id, purpose, subject_id, user_id, rail, direction, cents, status, created_at, connection_id)
    values (${platform}, ${randomUUID()}, 'payment_push', ${platform}, ${platform}, 'MAIL', 'credit', 100, 'ACCEPTED', now(), 'second')
  `
  const withLeg = await remit('connections reload')
  assert.deepEqual([withLeg.code, withLeg.stderr], [1, `${problem('0 open files and 1 open movement')}\n`])
  await service.deps.sql`update legs set status = 'SETTLED' where platform_id = ${platform}`
  const taken = await remit('connections reload')
  assert.equal(taken.code, 0, taken.stderr)
  assert.match(taken.stdout, /uses the new connections\.\n$/)
  assert.doesNotMatch((await remit('connections list')).stdout, /^second /m)
})

/** The connections of a service without a section of the first one. */
const without = ({ deps }: PaidService, section: 'ach' | 'checks' | 'iso20022' | 'processor') =>
  withConnection(deps, (one) => ({ ...one, [section]: null })).connections.current()

test('the checks of a connection cannot be removed while one is out, or its stop still has to reach the bank', async (t) => {
  const service = await startPaidService(t)
  const [id] = (await service.issue([10])) as [string]
  await service.passDays(1)
  const problem = () => removalProblem(service.deps, without(service, 'checks'))
  const open = (work: string) =>
    `connections.json lacks the section checks of the connection first, which has ${work}. Put it back. To retire its rails, remove ` +
    'them from "rails" first, and the section when their payments have settled.'
  assert.equal(await problem(), open('1 open movement of money'))
  assert.equal((await service.user.del(`/v3/check/${id}`)).status, 200)
  assert.equal(await problem(), open('1 open movement of money, and 1 check to list'))
  await service.work()
  assert.ok((await service.lists(/^stop-/)).includes(',1001,'))
  await service.passDays(1)
  assert.equal(await problem(), null)
})

for (const [section, rail] of [
  ['ach', 'ACH'],
  ['iso20022', 'WIRE'],
  ['processor', 'PAYPAL'],
] as const)
  test(`the section ${section} of a connection cannot be removed while a payment over ${rail} is open`, async (t) => {
    const service = await startPaidService(t)
    const platform = randomUUID()
    await service.deps.sql`
      insert into legs (platform_id, id, purpose, subject_id, user_id, rail, direction, cents, status, created_at, connection_id)
      values (${platform}, ${randomUUID()}, 'payment_push', ${platform}, ${platform}, ${rail}, 'credit', 100, 'SENT', now(), 'first')
    `
    const problem = () => removalProblem(service.deps, without(service, section))
    assert.match((await problem()) ?? '', / of the connection first, which has 1 open movement of money\./)
    await service.deps.sql`update legs set status = 'SETTLED' where platform_id = ${platform}`
    assert.equal(await problem(), null)
  })
