import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankFile } from '../../../../test/support/ach.ts'
import type { ReadReturn } from '../format/nacha-parse-rules.ts'
import { findMismatch, isOtherAccount, type OriginalEntry, readInbound } from './ach-inbound-rules.ts'

const entry = { code: 'R01', trace: '091000010000001', direction: 'debit', cents: 1_000 } as const
const returns = bankFile([entry])
const acknowledgement = `****** ACKNOWLEDGEMENT OF ACH FILE DEPOSITS ******
FILE STATUS: FILE ACCEPTED WITH NO ERRORS
IMMEDIATE ORIGIN: 1123-4567-89       IMMEDIATE DESTINATION: 0910-0001-9
FILE CREATION DATE: 03/02/26  FILE CREATION TIME: 13:30   FILE ID MODIFIER: A
*** END OF ACKNOWLEDGEMENT ***
`
const read = (text: string | Buffer) => readInbound(Buffer.from(text))
const problemsOf = (text: string | Buffer) => {
  const reading = read(text)
  assert.ok(reading.kind === null)
  return reading.problems
}

test('the structure of a file determines its kind, regardless of its words', () => {
  for (const [name, text, kind] of [
    ['returns', returns, 'nacha'],
    ['returns without ends of line', returns.replaceAll('\n', ''), 'nacha'],
    ['returns after a blank line', `\n${returns}`, 'nacha'],
    ['a receiver named like an acknowledgment', bankFile([{ ...entry, name: 'ACKNOWLEDGMENT LLC' }]), 'nacha'],
    ['a receiver named like a label', bankFile([{ ...entry, name: 'FILE STATUS: ACCEPTED' }]), 'nacha'],
    ['an acknowledgment', acknowledgement, 'acknowledgement'],
    ['an acknowledgment in lower case', acknowledgement.toLowerCase(), 'acknowledgement'],
    ['an acknowledgment that never says so', acknowledgement.replaceAll(/^.*ACKNOWL.*\n/gm, ''), 'acknowledgement'],
    [
      'an acknowledgment that quotes the header',
      acknowledgement.replace('*** END', `${returns.slice(0, 95)}*** END`),
      'acknowledgement',
    ],
  ] as const) {
    assert.equal(read(text).kind, kind, name)
  }
})

test('a file of neither kind is set aside with a reason that names a line', () => {
  const neither =
    'neither the header of a NACHA file (record type 1, with 094101 in positions 35 to 40) nor a labeled line of an acknowledgment'
  for (const [name, text, problem] of [
    ['a sentence', 'Your ACKNOWLEDGMENT of returns is attached.', `line 1: ${neither}`],
    ['after blank lines', '\r\n  \r\nHello\r\n', `line 3: ${neither}`],
    ['a PDF', Buffer.from('%PDF-1.7\n\xb5\xb6\n', 'latin1'), `line 1: ${neither}`],
    ['nothing', '', 'line 1: the file is empty'],
    ['blanks', ' \n\n', 'line 1: the file is empty'],
  ] as const) {
    assert.deepEqual(problemsOf(text), [problem], name)
  }
})

test('a return must match the direction, amount, company and bank of the entry that it names', () => {
  const reading = read(returns)
  const [one] = reading.kind === 'nacha' ? (reading.files[0]?.content?.returns ?? []) : []
  const sent: OriginalEntry = { direction: 'debit', cents: 1_000, companyId: '1840275936', rdfi: '02100002' }
  for (const [name, changed, reason] of [
    ['the same', {}, null],
    ['a company id with blanks, in lower case', { companyId: '1840275936 ' }, null],
    ['the other direction', { direction: 'credit' }, 'return R01 of a debit: the entry was a credit'],
    ['another amount', { cents: 999 }, 'return R01 of $10.00: the entry was of $9.99'],
    [
      'another company',
      { companyId: '1999999999' },
      'return R01 for company 1840275936: the entry was sent for company 1999999999',
    ],
    ['another bank', { rdfi: '12210515' }, 'return R01 from bank 02100002: the entry went to bank 12210515'],
  ] as const) {
    assert.equal(findMismatch({ ...sent, ...changed }, one as ReadReturn), reason, name)
  }
})

test('every reason names a line', () => {
  const broken = acknowledgement.replace('MODIFIER: A', '')
  assert.deepEqual(problemsOf(acknowledgement + broken), ['line 6: acknowledgment 2 has no file id modifier'])
})

test('a letter beyond ASCII refuses neither returns nor an acknowledgment', () => {
  for (const [name, bytes, kind] of [
    ['an acknowledgment', Buffer.from(acknowledgement.replace('****** ', '****** É'), 'latin1'), 'acknowledgement'],
    ['an acknowledgment in UTF-16', Buffer.from(acknowledgement, 'utf16le'), 'acknowledgement'],
    ['returns', Buffer.from(bankFile([{ ...entry, name: 'NUÑEZ' }]), 'latin1'), 'nacha'],
    ['returns in UTF-16', Buffer.from(`\uFEFF${returns}`, 'utf16le'), 'nacha'],
    ['returns without their header', returns.slice(95), 'nacha'],
  ] as const) {
    assert.equal(read(bytes).kind, kind, name)
  }
})

test('an account number in a return is another one only if it cannot be a form of the one that was sent', () => {
  for (const [sent, returned, isOther] of [
    ['000123456789', '123456789', false],
    ['123456789', '000123456789', false],
    ['123456789', '****', false],
    ['123456789', '****6789', false],
    ['123456789', '6789', false],
    ['123456789', '12345', false],
    ['123456789', '123-456-789', false],
    ['123456789', '', false],
    ['123456789', '987654321', true],
    ['123456789', '123456788', true],
  ] as const) {
    assert.equal(isOtherAccount(sent, returned), isOther, `${sent} ${returned}`)
  }
})
