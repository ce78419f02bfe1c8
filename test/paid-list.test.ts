import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, suite, test } from 'node:test'
import { ACCOUNT, FORMER_ACCOUNT, startPaidService, tryList } from './support/paid-lists.ts'

const folder = new URL('fixtures/bank/paid/', import.meta.url)

/**
 * The lists in fixtures/bank/paid/, the checks that each pays, and the cases. Outstanding checks: 1001 ($10.50), 1002
 * ($20.00), 1003 ($1,250.00) and 1006 ($45.00). 1004 ($30.00) and 1007 ($31.00) were stopped on March 4, and 1005
 * ($40.00) was paid on March 3. 501 and 502 are on a former account.
 */
const EXPECTED: Record<string, { paid: number[]; cases?: string[]; remarks?: number }> = {
  'plain.csv': { paid: [1001, 1002, 1003] },
  // Decode.
  'windows-1252.csv': { paid: [1001, 1002], remarks: 1 },
  'utf-16.csv': { paid: [1001, 1002], remarks: 1 },
  'utf-16-without-mark.csv': { paid: [1001], remarks: 1 },
  'byte-order-mark.csv': { paid: [1001], remarks: 1 },
  'padding.csv': { paid: [1001], remarks: 1 },
  'cr-line-ends.csv': { paid: [1001, 1002] },
  'mixed-line-ends.csv': { paid: [1001, 1002, 1003] },
  'binary.csv': { paid: [], cases: ['file_unread 0 bank'] },
  'empty.csv': { paid: [], cases: ['file_unread 0 bank'] },
  // Frame.
  'only-header.csv': { paid: [] },
  'no-header.csv': { paid: [], cases: ['file_unread 0 bank'] },
  'no-amount-column.csv': { paid: [], cases: ['file_unread 0 bank'] },
  'two-amount-columns.csv': { paid: [], cases: ['file_unread 0 bank'] },
  'total-differs.csv': { paid: [], cases: ['file_unread 0 bank'] },
  'count-differs.csv': { paid: [], cases: ['file_unread 0 bank'] },
  'semicolons.csv': { paid: [1001, 1003] },
  'tabs.csv': { paid: [1001] },
  'pipes.csv': { paid: [1001] },
  'usual-headers.csv': { paid: [1001] },
  'lines-around.csv': { paid: [1001, 1002, 1003], remarks: 1 },
  'header-on-each-page.csv': { paid: [1001, 1002] },
  'trailing-separators.csv': { paid: [1001, 1002] },
  'rows-shorter-than-header.csv': { paid: [1001] },
  'unquoted-separators.csv': { paid: [1001, 1003] },
  'quotes-in-names.csv': { paid: [1001, 1002, 1003, 1006] },
  'unclosed-quote-in-amount.csv': { paid: [1001, 1002, 1003] },
  'name-over-two-lines.csv': { paid: [1001, 1002] },
  'damaged-line-and-quote.csv': { paid: [1001, 1003], cases: ['entry_unread 3 bank'] },
  'no-account.csv': { paid: [1001], cases: ['entry_unread 3 bank'] },
  'account-in-title.csv': { paid: [1001, 1002] },
  'no-date.csv': { paid: [1001] },
  // Judge.
  'dates.csv': { paid: [1001, 1002, 1003, 1006] },
  'dates-day-first.csv': { paid: [1003], cases: ['entry_unread 2 1001', 'entry_unread 3 1002'] },
  'dates-impossible.csv': { paid: [], cases: ['entry_unread 2 1001', 'entry_unread 3 1002', 'entry_unread 4 1003'] },
  'amounts.csv': { paid: [1001, 1002, 1003, 1006] },
  'amounts-negative.csv': { paid: [1001, 1002, 1003] },
  'amounts-in-cents.csv': { paid: [1001, 1002, 1003] },
  'amount-reversed.csv': { paid: [1001], cases: ['entry_unread 3 1001', 'entry_unread 4 1002'] },
  // The amount of the second line is that of 1006, so its number may be wrong.
  'amount-differs.csv': {
    paid: [],
    cases: ['check_amount_differs 2 1001', 'check_amount_differs 3 bank 1002', 'check_amount_differs 4 1003'],
  },
  'accounts.csv': { paid: [1001, 1002, 1003, 1006] },
  'accounts-of-others.csv': { paid: [1001], remarks: 2 },
  'account-with-separator.csv': {
    paid: [1003],
    cases: ['entry_unread 2 bank', 'entry_unread 3 bank', 'entry_unread 4 bank'],
    remarks: 1,
  },
  'account-misspelled.csv': { paid: [1003], cases: ['entry_unread 2 1001', 'entry_unread 3 1002'] },
  'former-account.csv': { paid: [501, 502] },
  'unknown-check.csv': { paid: [1001], cases: ['entry_unread 2 bank'] },
  'unreadable-lines.csv': {
    paid: [1001],
    cases: ['entry_unread 2 bank', 'entry_unread 3 bank 1002', 'entry_unread 4 bank', 'entry_unread 5 bank'],
  },
  'repeated-line.csv': { paid: [1001], remarks: 2 },
  'paid-twice.csv': { paid: [1001], cases: ['entry_unread 3 bank 1001', 'entry_unread 4 bank 1005'] },
  'stopped.csv': { paid: [], cases: ['stopped_check_paid 1004', 'stopped_check_paid 1007'] },
  'reconciliation.csv': { paid: [1001], cases: ['entry_unread 5 1006'], remarks: 2 },
}

const service = await startPaidService({ after })
const { deps, issue, passDays, receive, user } = service
const [, , , stopped, , , stoppedToo] = await issue([10.5, 20, 1250, 30, 40, 45, 31])
await issue([60, 61], { accountNumber: FORMER_ACCOUNT, firstCheckNumber: 501 })
await passDays(1)
await receive('paid-0.csv', `account,number,amount,date\n${ACCOUNT},1005,40.00,2026-03-03\n`)
await passDays(1)
for (const id of [stopped, stoppedToo]) assert.equal((await user.del(`/v3/check/${id}`)).status, 200)
await passDays(5)

suite('a list of paid checks in the form that banks send pays the checks that it names, and opens a case for every other line', () => {
  for (const [name, { paid, cases = [], remarks = 0 }] of Object.entries(EXPECTED)) {
    test(name, async () => {
      const { report, ...result } = await tryList(deps, await readFile(new URL(name, folder)))
      const isUsed = cases[0]?.startsWith('file_unread') ? false : name !== 'only-header.csv'
      assert.deepEqual(result, { paid, cases, remarks, isUsed }, report ?? 'no report')
      assert.ok(!report?.includes(ACCOUNT.slice(3)), 'a report has no account number')
    })
  }

  test('each file in the folder is in the table', async () => {
    assert.deepEqual((await readdir(folder)).sort(), Object.keys(EXPECTED).sort())
  })
})
