import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeInbound } from './inbound-text-rules.ts'

const TEXT = '101 NUÑEZ\r\nline 2\r\n'

const rows: [what: string, bytes: Buffer, text: string, encoding: string][] = [
  ['plain ASCII', Buffer.from('line 1\nline 2\n'), 'line 1\nline 2\n', 'ascii'],
  ['UTF-8', Buffer.from(TEXT), TEXT, 'utf-8'],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`), TEXT, 'utf-8'],
  ['ASCII with a byte order mark', Buffer.from('\ufeffline 1\n'), 'line 1\n', 'utf-8'],
  ['UTF-16 little-endian with a mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), TEXT, 'utf-16'],
  ['UTF-16 big-endian with a mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16(), TEXT, 'utf-16'],
  ['UTF-16 little-endian without a mark', Buffer.from(TEXT, 'utf16le'), TEXT, 'utf-16'],
  ['UTF-16 big-endian without a mark', Buffer.from(TEXT, 'utf16le').swap16(), TEXT, 'utf-16'],
  ['UTF-16 with half a character at the end', Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x0a]), 'A', 'utf-16'],
  ['Windows-1252', Buffer.from(TEXT, 'latin1'), TEXT, 'windows-1252'],
  ['a Windows-1252 dash', Buffer.from([0x41, 0x96, 0x42]), 'A–B', 'windows-1252'],
  ['a byte that Windows-1252 does not define', Buffer.from([0x41, 0x81, 0x42]), 'A\u0081B', 'windows-1252'],
  ['NULs at the end', Buffer.from('line 1\n\0\0\0\0'), 'line 1\n', 'ascii'],
  ['a Ctrl-Z at the end', Buffer.from('line 1\n\u001a\r\n'), 'line 1\n', 'ascii'],
  ['a NUL within a line', Buffer.from('a\0b\n'), 'a b\n', 'ascii'],
  ['nothing', Buffer.alloc(0), '', 'ascii'],
  ['two letters', Buffer.from('ab'), 'ab', 'ascii'],
]
for (const [what, bytes, text, encoding] of rows) {
  test(`a file from the bank is decoded: ${what}`, () => {
    const decoded = decodeInbound(bytes)
    assert.deepEqual([decoded.text, decoded.encoding], [text, encoding])
  })
}

test('decoding reports unusual bytes, and nothing about a plain file', () => {
  assert.deepEqual(decodeInbound(Buffer.from('line 1\n')).remarks, [])
  assert.deepEqual(decodeInbound(Buffer.from(`${TEXT}\0\0`, 'latin1')).remarks, [
    'the file is in WINDOWS-1252',
    'the file ends with padding',
  ])
})
