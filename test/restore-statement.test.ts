import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { STATEMENT_NAMES } from '../src/foundation/core/connections.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { reconcileCommand } from '../src/operation/cli/statement/reconcile-command.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { acknowledgment, bankFile, exchange, putInbound } from './support/ach.ts'
import { DAY, pay } from './support/file-service.ts'
import { ACCOUNT, operatorBank } from './support/paid-lists.ts'
import { loseTheAfternoon, recover } from './support/restore.ts'
import { bai2Lines } from './support/statement-files.ts'

// The bank books a file with the entry of a payment that a restore lost and that nobody repeats.

const FILE = '20260303-A'

for (const [what, reference] of [
  ['that it names', FILE],
  ['by its total', ''],
] as const) {
  test(`a line books a file ${what}, without the payment that nobody repeats, and its return`, async (t) => {
    const statements = { format: null, names: STATEMENT_NAMES, csv: null, rules: [] }
    const { service, pair, deposit, atBank } = await loseTheAfternoon(t, { operatorBank, statements })
    const { deps, folder, clock } = service
    service.secrets.add(ACCOUNT.replace(/^0+/, ''))
    await recover(service, { lastAch: FILE, lastPrint: 'none' })
    await service.receive(
      'ack.txt',
      acknowledgment(await readFile(join(folder, `outbound/sent/${FILE}.ach`), 'latin1')),
    )
    await exchange(deps)
    assert.equal((await deposit()).status, 201)
    await service.openWindow()
    let openingCents = 0
    const receive = async (cents: number, code: string, text = ''): Promise<string> => {
      clock.advance(DAY)
      const day = clock.now().toISOString().slice(0, 10)
      const lines = [{ cents, code, reference: text, text: 'ACH' }]
      await putInbound(folder, `statement-${day}`, bai2Lines({ account: ACCOUNT, openingCents, lines, day }).join('\n'))
      openingCents += cents
      await readBankStatements(deps)
      await matchBankStatements(deps, { legHandlers })
      const [line] = await deps.sql<{ id: string; status: string }[]>`
        select l.id, l.status from statement_lines l join bank_statements s on s.id = l.statement_id where s.day = ${day}::date
      `
      assert.equal(line?.status, 'SUSPENSE')
      return line.id
    }
    const reconcile = (words: string[], flags: CommandFlags = {}) => reconcileCommand(flags, words)(deps)
    const firstProposal = async (line: string): Promise<{ command: string; part: string[] }> => {
      const { command } = JSON.parse(await reconcile(['show', line])).proposals[0]
      return { command, part: [...command.matchAll(/--part (\S+)/g)].map(([, part]: string[]) => part as string) }
    }
    const ledgerOf = async (account: string) => {
      const [row] = await deps.sql<{ cents: number }[]>`
        select coalesce(sum(case when debit = ${account} then cents else -cents end), 0)::bigint as cents
        from transfers where ${account} in (debit, credit)
      `
      return row?.cents
    }
    const openLegs = async () =>
      (await deps.sql`select from legs where booked_line_id is null and cents in (3000, 4000, 5000)`).length

    const line = await receive(18_000, '142', reference)
    const { command, part } = await firstProposal(line)
    assert.equal(command, `remit reconcile split ${line} --part ${FILE}=120.00 --part lost_payments=60.00`)
    assert.equal(await openLegs(), 3)
    await reconcile(['split', line], { part })
    assert.equal(await openLegs(), 0)
    assert.deepEqual([await ledgerOf('bank:first:checks'), await ledgerOf('operator:lost_payments')], [18_000, -6_000])
    await service.assertLedger()

    const trace = atBank.find(({ cents }) => cents === 6_000)?.trace as string
    await service.receive('R01.ach', bankFile([{ code: 'R01', trace, direction: 'debit', cents: 6_000 }]))
    const returned = await receive(-6_000, '555', trace)
    const ofReturn = await firstProposal(returned)
    assert.equal(ofReturn.command, `remit reconcile split ${returned} --part lost_payments=-60.00`)
    await reconcile(['split', returned], ofReturn)
    assert.deepEqual([await ledgerOf('bank:first:checks'), await ledgerOf('operator:lost_payments')], [12_000, 0])

    await reconcile(['undo', returned])
    await reconcile(['undo', line])
    assert.equal(await openLegs(), 3)
    const wrong = { part: [`${FILE}=119.00`, 'lost_payments=61.00'] }
    await assert.rejects(
      reconcile(['split', line], wrong),
      /has debits of 120\.00 and credits of 0\.00 that no line has/,
    )
    await assert.rejects(reconcile(['split', line], { part: ['20260303-B=180.00'] }), /No ACH file 20260303-B of first/)
    await assert.rejects(
      reconcile(['split', line], { part: [part[0] as string, part[0] as string, 'fees=-60.00'] }),
      /Name each/,
    )
    await pay(pair, 60)
    await service.openWindow()
    for (const { id } of await getBankCases(deps))
      await exceptionCommand({ note: 'the client repeated it' }, ['close', id])(deps).catch(() => {})
    assert.deepEqual((await firstProposal(line)).part, [`${FILE}=180.00`])
    await reconcile(['split', line], await firstProposal(line))
    await service.assertLedger()
  })
}
