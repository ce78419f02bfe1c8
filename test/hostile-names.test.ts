import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { inlineFile } from '../src/foundation/http/content-disposition.ts'
import { parseCsv } from '../src/foundation/lib/text/csv.ts'
import { printable } from '../src/foundation/lib/text/paper-text.ts'
import { neutralJson, neutralLines, plainText } from '../src/foundation/lib/text/plain-text.ts'
import { textTable } from '../src/foundation/lib/text/text-table.ts'
import { mailBody } from '../src/foundation/mail/mail-rules.ts'
import { formatNachaName } from '../src/money/ach/format/nacha-text-rules.ts'
import { manifestOf } from '../src/payments/check/printing/print-rules.ts'
import { payeeText } from '../src/payments/drawing/paper-check-rules.ts'
import { noticeMail } from '../src/payments/recipient/recipient-notice-rules.ts'

// Hostile user names in all output that other programs read.

const names: [what: string, name: string][] = [
  ['a formula', '=HYPERLINK("http://evil.example","Pay")'],
  ['a formula with a plus', '+1+cmd|calc'],
  ['a formula with a minus', '-2+3'],
  ['a formula with an at sign', '@SUM(A1:A9)'],
  ['a formula behind a tab', '\t=1+1'],
  ['a formula behind a carriage return', '\r=1+1'],
  ['a formula behind an invisible character', '\u200B=1+1'],
  ['a formula behind a direction mark', '\u202E=1+1'],
  ['a formula in full width', '＝1+1'],
  ['a formula behind a semicolon', 'Ada;=1+1'],
  ['a header of a mail', 'Ada\r\nBcc: all@evil.example'],
  ['a name that reads backwards', 'Ada \u202Egnp.exe\u202C'],
  ['isolated directions', 'Ada \u2066Bob\u2069 \u061C\u200E\u200F'],
  ['commands of a terminal', '\u001B[2J\u009B31mAda\u0007\u0000'],
  ['lines of Unicode', 'Ada\u2028Bob\u2029Eve\u0085'],
  ['invisible letters', 'A\u00ADd\u2060a\uFEFF\u{E0041}'],
]

const HOSTILE = /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u

const address = (text: string) => ({ line_1: text, line_2: text, city: text, state: text, zip: text, country: text })

const cellsOfManifest = (name: string): string[] => {
  const common = { paymentId: '1', number: 1, cents: 1, mailType: 'USPS_FIRST_CLASS', page: 1 }
  const { rows } = parseCsv(manifestOf([{ ...common, name, address: address(name) }]))
  return rows?.[1]?.fields ?? []
}

const mailOf = (sender: string) => {
  const { subject, parts } = noticeMail('paid', {
    sender,
    amountCents: 1,
    rail: 'ACH',
    returnCode: null,
    canBeDeposited: false,
    isDepositor: true,
    chooseUntil: null,
    arrivesOn: null,
    timeZone: 'America/New_York',
    url: 'https://pay.example.com/pay/x',
  })
  return { subject, ...mailBody(parts) }
}

/** Each output is one line, or several cells of one line. */
const outputs: Record<string, (name: string) => string[]> = {
  'a list of the printer': cellsOfManifest,
  'a check': (name) => [printable(name), payeeText(name)],
  'an ACH file': (name) => [formatNachaName(name, '1')],
  'the subject of a mail': (name) => [plainText(mailOf(name).subject), plainText(name)],
  'the text of a mail': (name) => [...mailOf(name).text.split('\n'), ...neutralLines(name).split('\n')],
  'the HTML of a mail': (name) => [...mailOf(name).html.split('\n'), ...mailOf('<b>&').html.split('<b>').slice(1)],
  'the name of a file': (name) => [inlineFile(name)],
  'a table of the command line': (name) =>
    textTable([['Name'], [name]])
      .split('\n')
      .slice(1, 2),
  'JSON of the command line': (name) => neutralJson({ name }).split('\n'),
}

for (const [output, write] of Object.entries(outputs)) {
  suite(output, () => {
    for (const [what, name] of names) {
      test(`treats ${what} only as text`, () => {
        const texts = write(name)
        assert.ok(texts.length > 0)
        for (const text of texts) assert.doesNotMatch(text, HOSTILE)
      })
    }
  })
}

test('a name keeps all its characters in JSON for a terminal', () => {
  for (const [, name] of names) assert.deepEqual(JSON.parse(neutralJson({ name })), { name })
})

test('a list for the printer matches the check, even if a name begins like a formula', () => {
  for (const [, name] of names) assert.ok(cellsOfManifest(name).includes(payeeText(name)), name)
})
