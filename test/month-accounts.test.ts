import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { STATEMENT_NAMES } from '../src/foundation/core/connections.ts'
import { getWaitingLines } from '../src/money/reconciliation/decision/line-view-actions.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import { monthCommand } from '../src/operation/cli/statement/month-command.ts'
import { reconcileCommand } from '../src/operation/cli/statement/reconcile-command.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { putInbound } from './support/ach.ts'
import { DAY, startFileService } from './support/file-service.ts'
import { ACCOUNT, operatorBank } from './support/paid-lists.ts'
import { bai2Lines } from './support/statement-files.ts'

const statements = { format: null, names: STATEMENT_NAMES, csv: null, rules: [] }
const SETTLEMENT = '556677889'
const settlementAccount = { routingNumber: '091000019', accountNumber: SETTLEMENT, kind: 'checking' } as const
const service = await startFileService({ after }, { operatorBank, statements, own: { settlementAccount } })
const { deps, folder, clock } = service
for (const number of [ACCOUNT.replace(/^0+/, ''), SETTLEMENT]) service.secrets.add(number)

let files = 0

/** Reads a statement with one credit of a dollar. */
async function read(account: string, day: string, openingCents: number): Promise<void> {
  const lines = [{ cents: 100, code: '142', reference: '', text: 'X' }]
  await putInbound(folder, `statement-${++files}`, bai2Lines({ account, openingCents, lines, day }).join('\n'))
  await readBankStatements(deps)
  await matchBankStatements(deps, { legHandlers })
}

test('a month of all accounts is closed for each account that has it, and a repetition changes nothing', async () => {
  const output = await mkdtemp(join(tmpdir(), 'months-'))
  clock.advance(32 * DAY) // 3 April
  await read(ACCOUNT, '2026-03-31', 0)
  await read(ACCOUNT, '2026-04-01', 100)
  await read(SETTLEMENT, '2026-04-01', 0)
  const part = await getWaitingLines(deps, { limit: 2 })
  assert.deepEqual([part.lines.length, part.hasMore], [2, true])
  const { lines, hasMore } = await getWaitingLines(deps, { limit: 3 })
  assert.deepEqual([lines.length, hasMore], [3, false])
  for (const { id } of lines) await reconcileCommand({ why: 'a test' }, ['ignore', id])(deps)
  const close = (more: object = {}) => monthCommand({ month: '2026-03', by: 'Ada', output, ...more }, ['close'])(deps)
  const first = await close()
  assert.match(first, /2026-03 of first:checks is closed\. Its report is in /)
  assert.match(first, /The first statement of first:\w+ is of 2026-04-01\./)
  assert.match(await close(), /2026-03 is closed already for first:checks\./)
  await assert.rejects(close({ account: 'first:checks' }), /2026-03 is closed already/)
})

test('a month is not closed while money is missing before the first statement of the next month', async () => {
  const output = await mkdtemp(join(tmpdir(), 'months-'))
  const close = (month: string) => monthCommand({ month, by: 'Ada', output, account: 'first:checks' }, ['close'])(deps)
  clock.advance(60 * DAY) // 2 June
  await read(ACCOUNT, '2026-05-29', 200) // Friday
  await read(ACCOUNT, '2026-06-01', 400) // Monday
  for (const { id } of (await getWaitingLines(deps)).lines)
    await reconcileCommand({ why: 'a test' }, ['ignore', id])(deps)
  await close('2026-04')
  await assert.rejects(
    close('2026-05'),
    /closed with \$3\.00: \$1\.00 in between\. Decide with remit exceptions close /,
  )
  await read(ACCOUNT, '2026-05-31', 300) // Sunday
  for (const { id } of (await getWaitingLines(deps)).lines)
    await reconcileCommand({ why: 'a test' }, ['ignore', id])(deps)
  assert.match(await close('2026-05'), /2026-05 of first:checks is closed/)
})
