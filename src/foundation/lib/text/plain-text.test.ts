import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText, quotedText } from './plain-text.ts'

test('a plain text is one line without control characters, direction marks and invisible characters', () => {
  const table: [string, string][] = [
    ['Ada Lovelace', 'Ada Lovelace'],
    ['José Ñandú, Ελλάδα, Привет, 日本, حسن', 'José Ñandú, Ελλάδα, Привет, 日本, حسن'],
    ['Ada\r\nBcc: all@example.com', 'Ada Bcc: all@example.com'],
    ['\u202Emoc.elpmaxe\u202C', 'moc.elpmaxe'],
    ['a\u2066b\u2069c\u200Ed\u061Ce', 'a b c d e'],
    ['zero\u200Bwidth\uFEFF', 'zero width'],
    ['line\u2028and\u2029paragraph\u0085end', 'line and paragraph end'],
    ['\u0000\u001B[31m', '[31m'],
    ['tag\u{E0041}s', 'tag s'],
    ['👩‍💻', '👩‍💻'],
  ]
  for (const [given, expected] of table) assert.equal(plainText(given), expected, JSON.stringify(given))
})

test('a quoted text cannot close its quotation marks, contains no link, and is short', () => {
  const table: [string, string][] = [
    ['Ada Lovelace', '"Ada Lovelace"'],
    ['Acme, Inc.', '"Acme, Inc."'],
    ['Say "hello"', `"Say 'hello'"`],
    ['http://evil.example/x?y', '"http: / / evil. example/ x?y"'],
    ['www.example.com', '"www. example. com"'],
    ['pay at example.com now', '"pay at example. com now"'],
    ['example．com', '"example. com"'],
    ['example。com', '"example。 com"'],
    ['ada@example.com', '"ada @ example. com"'],
    ['Ada\r\nSubject: x', '"Ada Subject: x"'],
    ['x'.repeat(61), `"${'x'.repeat(59)}…"`],
  ]
  for (const [given, expected] of table) assert.equal(quotedText(given), expected, JSON.stringify(given))
})
