import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newMasterKey, parseMasterKeys } from '../src/foundation/core/seal.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { type NewException, recordException } from '../src/foundation/exception/exception-actions.ts'
import { runCommand } from './support/run-command.ts'
import { startTestService } from './support/service.ts'

// The operator's list of problems that the service does not resolve automatically.

const masterKey = newMasterKey()
const service = await startTestService({ after }, { keyRing: parseMasterKeys(masterKey) })
const { deps } = service

const remit = (...args: string[]) =>
  runCommand(['exceptions', ...args], { DATABASE_URL: service.databaseUrl, REMIT_MASTER_KEYS: masterKey })

const record = (exception: NewException) => inTransaction(deps, (tx) => recordException(tx, exception))

test('an exception is listed once for each leg, shown, closed with a note, and both are in the audit trail', async () => {
  const { api, id: platformId, email } = await service.newOwner()
  const other = await service.newOwner()
  assert.equal((await remit('list')).stdout.trim(), 'No open exceptions.')
  const legId = 'a'.repeat(32)
  const paymentId = 'b'.repeat(32)
  const note = 'R02 for a refund of $12.00'
  const exception = { platformId, kind: 'refund_returned', legId, paymentId, cents: 1_200, note } as const
  await record(exception)
  await record(exception)
  await record({ platformId: other.id, kind: 'holder_gone', note: 'no account' })

  const [row, ...others] = JSON.parse((await remit('list', '--owner', email, '--json')).stdout)
  assert.deepEqual(others, [])
  assert.deepEqual([row.kind, row.cents, row.paymentId, row.ownerEmail], ['refund_returned', 1_200, paymentId, email])
  const table = (await remit('list')).stdout
  assert.match(table, /refund_returned +\$12\.00 /)
  assert.match(table, /holder_gone /)
  assert.match((await remit('show', row.id)).stdout, /"whatToDo": "A refund was returned/)

  const closed = await remit('close', row.id, '--note', 'paid by wire', '--by', 'Ada Lovelace')
  assert.deepEqual([closed.code, closed.stdout.trim()], [0, 'Closed.'])
  const again = await remit('close', row.id, '--note', 'paid by wire')
  assert.deepEqual([again.code, again.stderr.trim()], [1, 'This exception is already closed: paid by wire'])
  assert.equal(JSON.parse((await remit('list', '--owner', email, '--json')).stdout).length, 0)
  const [kept] = JSON.parse((await remit('list', '--owner', email, '--json', '--all')).stdout)
  assert.deepEqual([kept.resolution, kept.closedBy], ['paid by wire', 'Ada Lovelace'])
  const { audit } = (await api.get('/v3/audit')).body
  assert.deepEqual(
    audit.map(({ action, actor }: { action: string; actor: string }) => [action, actor]),
    [
      ['exception_closed', 'operator'],
      ['exception_opened', 'service'],
    ],
  )
  assert.equal(audit[0].subject, `refund_returned ${row.id}: Ada Lovelace: paid by wire`)

  await record(exception)
  assert.equal(JSON.parse((await remit('list', '--owner', email, '--json')).stdout).length, 1, 'it can happen again')
})

test('a wrong command names the expected arguments', async () => {
  for (const [args, problem] of [
    [['frobnicate'], "error: unknown command 'frobnicate'\nRun remit exceptions --help for a list of commands."],
    [['show'], "error: missing required argument 'id'\nRun remit exceptions show --help for its options."],
    [['close', 'c'.repeat(32)], 'remit exceptions close needs --note TEXT: how you resolved it.'],
    [
      ['show', 'c'.repeat(32)],
      `There is no exception with the id ${'c'.repeat(32)}. Run "remit exceptions" to see the ids.`,
    ],
    [['show', 'nonsense'], 'There is no exception with the id nonsense. Run "remit exceptions" to see the ids.'],
  ] as const) {
    const { code, stderr } = await remit(...args)
    assert.deepEqual([code, stderr.trim()], [1, problem])
  }
})
