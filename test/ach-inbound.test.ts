import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, suite, test } from 'node:test'
import { startWithEntriesOut, tryAchFile } from './support/ach-returns.ts'

const folder = new URL('fixtures/bank/ach/', import.meta.url)

type Expected = { returned?: string[]; corrected?: string[]; files?: string[]; cases?: string[] }

/** The effects of returns of all three entries: debits of $10 and $20, and a credit of $40. */
const ALL: Expected = { returned: ['04 R01', '05 R09', '07 R03'] }

/**
 * The files in fixtures/bank/ach/ with their expected results: returned entries, the corrected bank account, the
 * acknowledged file, the cases as `kind line`, `bank` if a case holds the whole bank, and the held entry. `account`:
 * the case holds the next debit to the account of this entry.
 */
const EXPECTED: Record<string, Expected> = {
  'plain.ach': ALL,
  // Decode.
  'name-latin-1.ach': ALL,
  'name-utf-8.ach': ALL,
  'byte-order-mark.ach': ALL,
  'utf-16.ach': ALL,
  'utf-16-without-mark.ach': ALL,
  'accent-in-bank-name.ach': ALL,
  'padding.ach': ALL,
  'ctrl-z.ach': ALL,
  'empty.ach': {},
  // Frame.
  'cr-line-ends.ach': ALL,
  'crlf-line-ends.ach': ALL,
  'no-line-ends.ach': ALL,
  'blank-lines.ach': ALL,
  'trimmed-lines.ach': ALL,
  'blank-after-94.ach': ALL,
  'tab-after-94.ach': ALL,
  'extra-nines.ach': ALL,
  'without-nines.ach': ALL,
  'block-count-wrong.ach': ALL,
  'entry-count-wrong.ach': { cases: ['file_unread 1 bank'] },
  'hash-wrong.ach': { cases: ['file_unread 1 bank'] },
  'debit-total-wrong.ach': { cases: ['file_unread 1 bank'] },
  'return-lost.ach': { cases: ['file_unread 1 bank'] },
  'cut-off.ach': { cases: ['file_unread 1 bank'] },
  'file-header-missing.ach': { cases: ['file_unread 1 bank'] },
  'file-control-missing.ach': { cases: ['file_unread 1 bank'] },
  'batch-header-missing.ach': { cases: ['file_unread 1 bank'] },
  'batch-control-missing.ach': { cases: ['file_unread 1 bank'] },
  'two-files.ach': { returned: ['04 R01'], cases: ['file_unread 11 bank'] },
  'not-a-bank-file.ach': { cases: ['file_unread 0 bank'] },
  // Judge: returns.
  'check-digit-blank.ach': ALL,
  'addenda-trace-blank.ach': ALL,
  'date-of-death-text.ach': ALL,
  'date-of-death.ach': { returned: ['07 R15'] },
  'code-lower-case.ach': ALL,
  'own-trace-twice.ach': ALL,
  'account-masked.ach': { returned: ['04 R01', '05 R09'] },
  'account-of-somebody-else.ach': { cases: ['entry_unread 3 bank 04'] },
  'code-unknown.ach': { returned: ['05 R09'], cases: ['entry_unread 3 bank 04'] },
  'trace-unreadable.ach': { returned: ['05 R09'], cases: ['entry_unread 3 bank'] },
  'trace-unknown.ach': { returned: ['05 R09'], cases: ['entry_unread 3 bank'] },
  'amount-differs.ach': { returned: ['05 R09'], cases: ['entry_unread 3 bank 04'] },
  'amount-unreadable.ach': { returned: ['05 R09', '07 R03'], cases: ['entry_unread 3 bank 04'] },
  'direction-differs.ach': { cases: ['entry_unread 3 bank 04'] },
  'bank-differs.ach': { cases: ['entry_unread 3 bank 04'] },
  'other-company.ach': { returned: ['04 R01'] },
  'repeated-return.ach': { returned: ['04 R01'] },
  'same-trace-other-amount.ach': { returned: ['04 R01'], cases: ['entry_unread 5 bank'] },
  'dishonored.ach': { returned: ['05 R01'], cases: ['return_contested 3 04'] },
  'dishonored-death-text.ach': { cases: ['return_contested 3 04'] },
  'contested.ach': { cases: ['return_contested 3 05'] },
  'answer-without-addenda.ach': { returned: ['05 R09'], cases: ['entry_unread 3 bank'] },
  'incoming-credit.ach': { returned: ['04 R01'], cases: ['entry_unread 3'] },
  // Judge: notifications of change.
  'change-account.ach': { corrected: ['021000021 987654321 CHECKING'] },
  'change-routing.ach': { corrected: ['011401533 730194826351 CHECKING'] },
  'change-both.ach': { corrected: ['122105155 1234567890 CHECKING'] },
  'change-type.ach': { corrected: ['021000021 730194826351 SAVINGS'] },
  'change-account-and-type.ach': { corrected: ['021000021 31415926 SAVINGS'] },
  'change-both-without-gap.ach': { cases: ['correction_unread 3 04 account'] },
  'change-both-one-blank.ach': { cases: ['correction_unread 3 04 account'] },
  'change-account-20-digits.ach': { cases: ['correction_unread 3 04 account'] },
  'change-routing-and-account.ach': { cases: ['correction_unread 3 04 account'] },
  'change-type-and-account.ach': { cases: ['correction_unread 3 04 account'] },
  'change-account-and-type-text-between.ach': { cases: ['correction_unread 3 04 account'] },
  'change-unknown-code.ach': { cases: ['correction_unread 3 04 account'] },
  'change-unknown-entry.ach': { cases: ['correction_unread 3'] },
  'change-routing-impossible.ach': { cases: ['correction_impossible 3 04 account'] },
  'change-of-file.ach': { cases: ['correction_impossible 3'] },
  // Judge: acknowledgments of the file with the credit.
  'ack-accepted.txt': { files: ['20260304-A ACCEPTED'] },
  'ack-accent.txt': { files: ['20260304-A ACCEPTED'] },
  'ack-utf-16.txt': { files: ['20260304-A ACCEPTED'] },
  'ack-no-zero-dollars.txt': { files: ['20260304-A ACCEPTED'] },
  'ack-entry-rejected.txt': { files: ['20260304-A ACCEPTED'] },
  'ack-rejected.txt': { files: ['20260304-A REJECTED'] },
  'ack-credits-differ.txt': { files: ['20260304-A TRANSMITTED needs you'] },
  'ack-unknown-file.txt': { cases: ['entry_unread 1 bank'] },
  'ack-status-unknown.txt': { cases: ['file_unread 0 bank'] },
}

const { deps } = await startWithEntriesOut({ after })

/** A return shows that the bank accepted the file of its entry. */
const FILE_OF: Record<string, string> = { '04': '20260302-B', '05': '20260303-A', '07': '20260304-A' }
const acceptedBy = (returned: readonly string[]) => returned.map((one) => `${FILE_OF[one.slice(0, 2)]} ACCEPTED`)

suite('an ACH file from a bank: each entry is applied, or becomes a case that holds the affected entries', () => {
  for (const [name, { returned = [], corrected = [], cases = [], files = [] }] of Object.entries(EXPECTED)) {
    test(name, async () => {
      const { report, ...result } = await tryAchFile(deps, await readFile(new URL(name, folder)))
      const expected = { returned, corrected, cases, files: [...files, ...acceptedBy(returned)] }
      assert.deepEqual(result, expected, report ?? 'no report')
    })
  }

  test('each file in the folder is in the table', async () => {
    assert.deepEqual((await readdir(folder)).sort(), Object.keys(EXPECTED).sort())
  })
})
