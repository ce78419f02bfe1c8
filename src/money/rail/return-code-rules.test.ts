import assert from 'node:assert/strict'
import { test } from 'node:test'
import { achReturnCodes, CONSEQUENCES, type Consequence } from './ach-return-rules.ts'
import { isoReasons } from './iso-reason-rules.ts'
import {
  accountConsequence,
  achReturnKind,
  blockedEntries,
  changeCodes,
  isAchReturnCode,
  isChangeCode,
  isOrderReason,
  RETRY_CODES,
  RETURN_CODES,
  returnCodes,
  SANDBOX_RETURN_CODES,
} from './return-code-rules.ts'

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
const numbered = (letter: string, numbers: number[]) =>
  numbers.map((number) => letter + String(number).padStart(2, '0'))

/** The codes that Nacha defines (Nacha Operating Rules, Appendix Four, Part 4.2, 4.4 and 4.5). */
const DEFINED = numbered('R', [...range(1, 47), ...range(50, 53), ...[61, 62], ...range(67, 77), ...range(80, 85)])

const ISO = Object.keys(isoReasons)

test('the table contains exactly the return codes that Nacha defines', () => {
  assert.deepEqual(Object.keys(achReturnCodes), DEFINED)
  assert.deepEqual(RETURN_CODES, [...DEFINED, 'A', 'B', 'C', 'D', '04', '05', '06', 'R901', ...ISO])
  for (const text of ['', 'R00', 'R48', 'R54', 'R63', 'R78', 'R86', 'R901', 'A', 'toString', '__proto__', 'r01']) {
    assert.ok(!isAchReturnCode(text), text)
  }
})

test('the sandbox offers the codes of specification.md 5.6', () => {
  assert.equal(SANDBOX_RETURN_CODES.join(' '), 'R01 R02 R03 A B C D 04 05 06 R901')
})

test('each code has a name, a reason and an action in short sentences', () => {
  const names = Object.values(returnCodes).map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const [code, { name, reason, action }] of Object.entries(returnCodes)) {
    assert.match(name, /^[A-Z][^.]{5,60}$/, code)
    for (const sentence of [reason, action]) assert.match(sentence, /^[A-Z].{8,150}\.$/, code)
  }
})

test('only unauthorized debits and checks can be returned late', () => {
  const within = (timeFrame: string) =>
    DEFINED.filter((code) => isAchReturnCode(code) && achReturnCodes[code].within === timeFrame)
  assert.deepEqual(within('sixty_calendar_days').join(' '), 'R05 R07 R10 R11 R33 R37 R38 R51 R52 R53')
  assert.deepEqual(within('next_file').join(' '), 'R13 R18 R19 R25 R26 R27 R28 R30 R32 R34 R35 R36')
  assert.deepEqual(within('five_banking_days').join(' '), 'R61 R62 R67 R68 R69 R70')
  assert.deepEqual(within('two_banking_days_after_refusal').join(' '), 'R23')
})

test('the ACH operator returns invalid files, and banks return the rest', () => {
  const codes = DEFINED.filter(isAchReturnCode)
  for (const code of codes) {
    const { sender, within } = achReturnCodes[code]
    assert.equal(sender === 'ACH_OPERATOR', within === 'next_file', code)
  }
  const kind = (wanted: string) => codes.filter((code) => achReturnKind(code) === wanted).join(' ')
  assert.equal(kind('dishonored'), 'R61 R62 R67 R68 R69 R70')
  assert.equal(kind('contested'), 'R71 R72 R73 R74 R75 R76 R77')
})

test('orders are rejected and returned with reasons of ISO 20022, except the one of an order that is executed later', () => {
  assert.equal(isOrderReason('AC04'), true)
  for (const code of ['DT06', 'R01', 'R61', 'R73', 'A', '05', 'R901', 'C01', 'toString'])
    assert.equal(isOrderReason(code), false, code)
  assert.deepEqual(
    ISO.filter((code) => !isOrderReason(code)),
    ['DT06'],
  )
})

const isoCodes = (wanted: Consequence) =>
  Object.entries(isoReasons).flatMap(([code, { consequence }]) => (consequence === wanted ? [code] : []))

test('reasons of ISO 20022 have four letters and digits, and block no account by themselves', () => {
  for (const code of ISO) assert.match(code, /^[A-Z]{2}([A-Z]{2}|\d{2})$/)
  assert.equal(isoCodes('review').length + isoCodes('none').length, ISO.length)
})

test('each code has one consequence for the account that returned it', () => {
  const expected: Record<Consequence, string> = {
    block_account: 'R02 R03 R04 R16',
    block_for_review: 'R14 R15',
    block_debits: 'R05 R07 R10 R20 R29',
    retry: 'R01 R09',
    review: [...DEFINED.filter((code) => !/^R(0[1-579]|10|1[456]|20|29)$/.test(code)), ...isoCodes('review')].join(' '),
    none: ['A B C D 04 05 06 R901', ...isoCodes('none')].join(' '),
  }
  assert.deepEqual(Object.keys(CONSEQUENCES), Object.keys(expected))
  for (const [consequence, codes] of Object.entries(expected)) {
    const found = RETURN_CODES.filter((code) => returnCodes[code].consequence === consequence)
    assert.equal(found.join(' '), codes, consequence)
  }
  assert.ok(expected.review.startsWith('R06 R08 R11 R12 '))
  assert.deepEqual(RETRY_CODES, ['R01', 'R09'])
})

test('a code blocks debits, or debits and credits, or nothing', () => {
  const blocking = (direction: 'debit' | 'credit', block: string | null) =>
    RETURN_CODES.filter((code) => blockedEntries(code, direction) === block)
  assert.equal(blocking('debit', 'debits_and_credits').join(' '), 'R02 R03 R04 R14 R15 R16')
  assert.equal(blocking('debit', 'debits').join(' '), 'R05 R07 R10 R20 R29')
  assert.equal(blocking('debit', null).length, RETURN_CODES.length - 11)
  assert.equal(blocking('credit', 'debits_and_credits').join(' '), 'R02 R03 R04 R14 R15 R16 R20')
  assert.equal(blocking('credit', 'debits').length, 0)
})

test('a credit that comes back with a code for debits is a case', () => {
  for (const code of ['R01', 'R05', 'R07', 'R09', 'R10', 'R29'] as const) {
    assert.equal(accountConsequence(code, 'credit'), 'review')
  }
})

test('the table contains every change code that Nacha defines, with positions inside the corrected data', () => {
  assert.deepEqual(Object.keys(changeCodes), numbered('C', [...range(1, 3), ...range(5, 9), 13, 14]))
  for (const [code, { corrected }] of Object.entries(changeCodes)) {
    let before = 0
    for (const [first, last] of Object.values(corrected)) {
      assert.ok(first > before && last >= first && last <= (code === 'C08' ? 34 : 29), code)
      before = last
    }
  }
  for (const text of ['C04', 'C10', 'C15', 'C61', 'valueOf']) assert.ok(!isChangeCode(text), text)
})
