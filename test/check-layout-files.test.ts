import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SHIPPED_LAYOUTS } from '../src/foundation/core/check-layout.ts'
import { writeAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { printLists } from '../src/operation/cli/check-layout/check-layout-printer.ts'
import { achHooks, legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { issueChecks, previewLists, printChecks } from '../src/payments/check/printing/print-file-actions.ts'
import { readPaidChecks } from '../src/payments/check/printing/print-worker.ts'
import { exchange, putInbound, upload, withConnection } from './support/ach.ts'
import { layouts } from './support/check-layouts.ts'
import { readPages } from './support/check-pdf.ts'
import { connectionsFolder, twoBanks, writeConnections } from './support/connections.ts'
import { ACCOUNT, startPaidService } from './support/paid-lists.ts'
import { sendPayment } from './support/payments.ts'
import { runRemit } from './support/process.ts'
import { runCommand } from './support/run-command.ts'

// Lists of checks in the layout of a bank, through the exchange folder of a service.

const LAYOUT = layouts['fixed-with-totals']
const ADDRESS = { line_1: '45 Navy Yard Ave', city: 'Arlington', state: 'VA', zip: '22201' }

async function startLayoutService(t: TestContext) {
  const service = await startPaidService(t)
  const deps = withConnection(service.deps, (one) => ({
    ...one,
    checks: one.checks && { ...one.checks, layout: LAYOUT },
  }))
  const { user, wallet, folder } = service
  const mailTo = async (name: string, amount: number): Promise<string> => {
    const { status, body, text } = await user.post('/v3/check/physical', {
      ...{ amount, name, recipient: ADDRESS, account: wallet },
    })
    assert.equal(status, 201, text)
    return body.id
  }
  const outbound = async (name: RegExp): Promise<{ name: string; content: Buffer }[]> => {
    const names = (await service.list('outbound')).filter((one) => name.test(one))
    return Promise.all(
      names.map(async (one) => ({ name: one, content: await readFile(join(folder, 'outbound', one)) })),
    )
  }
  return { ...service, deps, mailTo, outbound }
}

const linesOf = (content: Buffer | undefined): string[] =>
  (content?.toString('latin1') ?? '').split('\r\n').slice(0, -1)

suite('a bank with a layout of its own', () => {
  test('gets lists in it, and the voucher shows how the list names a payee whose name was changed', async (t) => {
    const { deps, clock, folder, user, wallet, mailTo, outbound, doDueWork, assertLedger } = await startLayoutService(t)
    const mailed = await mailTo("Grace O'Hopper", 1_250)
    const printed = (await sendPayment(user, { amount: 10, account: wallet })).id
    assert.equal((await user.post(`/v3/check/print/${printed}`, {})).status, 200)
    await doDueWork()
    while ((await writeAchFiles(deps, achHooks)) > 0);
    assert.equal(await printChecks(deps, legHandlers, 'first'), 1)

    const [preview, ...others] = await previewLists(deps, 'first')
    assert.equal(others.length, 0)
    assert.deepEqual((await previewLists(deps, 'first'))[0]?.list.lines, preview?.list.lines, 'nothing was changed')
    const shown = printLists(LAYOUT, [{ kind: 'issue', ...(preview as NonNullable<typeof preview>).list }])
    assert.ok(!shown.includes(ACCOUNT.replace(/^0+/, '')), shown)
    assert.match(shown, /check 1002: Grace O'Hopper is listed as GRACE O HOPPER/)

    assert.equal(await issueChecks(deps, 'first'), 2)
    await exchange(deps)
    const [list] = await outbound(/^issue-.*\.txt$/)
    assert.deepEqual(linesOf(list?.content), preview?.list.lines)
    const [, first = '', second = ''] = linesOf(list?.content)
    const partsOf = (line: string) => [line.slice(18, 28), line.slice(28, 40), line[48]]
    assert.deepEqual(partsOf(first), ['0000001001', '000000001000', 'A'], 'the recipient prints it')
    assert.deepEqual(partsOf(second), ['0000001002', '000000125000', 'I'])
    assert.equal(second.slice(50).trim(), 'GRACE O HOPPER')

    const [pdf] = await outbound(/^print-.*pdf$/)
    const texts = readPages(pdf?.content as Buffer).flatMap((page) => page.texts.map(({ text }) => text))
    assert.ok(texts.includes('Payee on the bank’s list') && texts.includes('GRACE O HOPPER'), texts.join('|'))

    await upload(folder, /./)
    await exchange(deps)
    clock.advance(24 * 3_600)
    const own = ACCOUNT.padStart(17, '0')
    const paid = [`H${own}20260303`, `D${own}000000100200000012500020260303`, `T${own}000000000100000000125000`]
    await putInbound(folder, 'paid-1.txt', `${paid.join('\r\n')}\r\n`)
    assert.equal(await readPaidChecks(deps, legHandlers), 1)
    assert.equal((await user.get(`/v3/check/${mailed}`)).body.status, 'PAID')
    await assertLedger()
  })
})

suite('remit checks layout', () => {
  test('shows columns and sample checks below a ruler', async () => {
    const { code, stdout } = await runCommand(['checks', 'layout', 'fixed-with-totals'], {})
    assert.equal(code, 0)
    assert.match(stdout, /^lines {4}29-40 {7}amount {6}implied cents, right, at most 12, filled with 0$/m)
    assert.match(stdout, /^1234567890(1234567890){11}\nH0{8}\*{5}678920260303140000 +\nD/m)
  })

  test('shows the layout of the connection with checks', async (t) => {
    const path = await writeConnections(await connectionsFolder(t), twoBanks())
    const { code, stdout } = await runCommand(['checks', 'layout'], { REMIT_PRODUCTION_CONNECTIONS: path })
    assert.equal(code, 0)
    assert.match(stdout, /issue_file, fixed: 4 checks/)
    const unknown = await runCommand(['checks', 'layout', '--connection', 'first'], {
      REMIT_PRODUCTION_CONNECTIONS: path,
    })
    assert.deepEqual([unknown.code, unknown.stderr], [1, 'No connection first has checks. There is: second.\n'])
  })

  test('--json prints a layout whose schema is found from any folder', async (t) => {
    const home = await connectionsFolder(t)
    for (const name of SHIPPED_LAYOUTS) {
      const { code, stdout } = await runRemit(['checks', 'layout', name, '--json'], { home })
      const { $schema, ...layout } = JSON.parse(stdout)
      const shipped = JSON.parse(await readFile(new URL(`../layouts/${name}.json`, import.meta.url), 'utf8'))
      assert.deepEqual([code, { ...layout, $schema: shipped.$schema }], [0, shipped])
      assert.equal($schema, fileURLToPath(new URL('../schemas/check-layout.schema.json', import.meta.url)))
    }
  })

  test('names a missing layout, and the arguments that --dry-run needs', async () => {
    const missing = await runCommand(['checks', 'layout', '/nowhere/bank.json'], {})
    assert.deepEqual(
      [missing.code, missing.stderr],
      [
        1,
        '/nowhere/bank.json is neither the name of a layout (csv-with-headings, csv-with-totals, fixed-with-totals) nor a file.\n',
      ],
    )
    const both = await runCommand(['checks', 'layout', 'csv-with-totals', '--dry-run'], {})
    assert.deepEqual(
      [both.code, both.stderr],
      [1, '--dry-run shows the lists of a connection: leave the layout out.\n'],
    )
  })
})
