import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hiddenCharacterIn } from './hidden-character.ts'

test('invisible characters, and characters that look like others, are named with their position', () => {
  const expected: Record<string, string | null> = {
    'ada-lovelace@venmo': null,
    'Ádá 李': null,
    '': null,
    'ada\u00a0l': 'has a no-break space (U+00A0) at position 4. Remove it',
    '\u200bada': 'has a zero width space (U+200B) at position 1. Remove it',
    'ad\u202ea': 'has a mark of the writing direction (U+202E) at position 3. Remove it',
    'ada\uff11': 'has a full-width digit (U+FF11) at position 4. Remove it',
    'a\tb': 'has a tab (U+0009) at position 2. Remove it',
    'a\nb': 'has a line break (U+000A) at position 2. Remove it',
    'a\u3000b': 'has an unusual space (U+3000) at position 2. Remove it',
    'a\u0007': 'has a control character (U+0007) at position 2. Remove it',
  }
  for (const [text, problem] of Object.entries(expected)) assert.equal(hiddenCharacterIn(text), problem, text)
})
