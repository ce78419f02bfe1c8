import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FONTS, openFont } from '../../../payments/drawing/paper-font-actions.ts'
import {
  cutToWidth,
  FONT_CHARACTERS,
  firstLines,
  isPrintable,
  printable,
  printableLatin,
  widthInSizes,
  wrapText,
} from './paper-text.ts'
import { isPrintableAscii, transliterate } from './transliteration.ts'

const asciiText = (text: string) => transliterate(text, { isKept: isPrintableAscii, unknown: '?' })

test('text is drawn as written, and characters that the font lacks are transliterated or become a question mark', () => {
  for (const [text, drawn, latin, ascii] of [
    ['Grace Hopper', 'Grace Hopper', 'Grace Hopper', 'Grace Hopper'],
    ['Café “Straße” €5 – ok…', 'Café “Straße” €5 – ok…', 'Café “Straße” €5 – ok…', 'Cafe "Strasse" EUR5 - ok...'],
    ['Łukasz Żółć', 'Łukasz Żółć', 'Łukasz Żółć', 'Lukasz Zolc'],
    ['Đặng Thị Hương', 'Đặng Thị Hương', 'Đặng Thị Hương', 'Dang Thi Huong'],
    ['İbrahim Işık', 'İbrahim Işık', 'İbrahim Işık', 'Ibrahim Isik'],
    ['Æsir Þór Ðuro', 'Æsir Þór Ðuro', 'Æsir Þór Ðuro', 'Aesir Thor Duro'],
    ['Елена Щукина', 'Елена Щукина', 'Elena Shchukina', 'Elena Shchukina'],
    ['Қайрат Әлиев', 'Қайрат Әлиев', 'Kairat Aliev', 'Kairat Aliev'],
    ['Ήλιος Παπαδόπουλος', 'Ήλιος Παπαδόπουλος', 'Ilios Papadopoulos', 'Ilios Papadopoulos'],
    ['ΠΑΠΑΔΟΠΟΥΛΟΣ', 'ΠΑΠΑΔΟΠΟΥΛΟΣ', 'PAPADOPOULOS', 'PAPADOPOULOS'],
    ['Zoe\u0308', 'Zoë', 'Zoë', 'Zoe'],
    ['Ｆｕｌｌ １２', 'Full 12', 'Full 12', 'Full 12'],
    ['ﬃ № 7', 'ffi № 7', 'ffi № 7', 'ffi No 7'],
    ['ἄνθρωπος', 'ανθρωπος', 'anthropos', 'anthropos'],
    ['a\u0000b\nc\td\u00a0e', 'a b c d e', 'a b c d e', 'a b c d e'],
    ['soft\u00adhyphen\u200b\ufeff', 'softhyphen', 'softhyphen', 'softhyphen'],
    ['\u202eabc', 'abc', 'abc', 'abc'],
    ['王小明', '???', '???', '???'],
    ['🎉', '?', '?', '?'],
    ['', '', '', ''],
  ] as const) {
    assert.deepEqual([printable(text), printableLatin(text), asciiText(text)], [drawn, latin, ascii])
  }
})

test('only legible names may be payees', () => {
  for (const [text, isReadable] of [
    ['Grace Hopper', true],
    ['Łukasz', true],
    ['Елена', true],
    ['Who?', true],
    ['王小明', false],
    ['Grace 🎉', false],
    ['???', false],
    [' ', false],
  ] as const) {
    assert.equal(isPrintable(text), isReadable, text)
  }
})

test('the character table matches the fonts: each font draws all of them, and no letter, digit or sign is missing', () => {
  for (const font of FONTS) {
    const inFont = openFont(font).characterSet.map((codePoint) => String.fromCodePoint(codePoint))
    const drawable = inFont.filter((character) => /[\p{L}\p{N}\p{P}\p{S} ]/u.test(character) && character !== '\ufffd')
    assert.deepEqual(
      drawable.filter((character) => !FONT_CHARACTERS.has(character)),
      [],
      font,
    )
    assert.deepEqual(
      [...FONT_CHARACTERS].filter((character) => !inFont.includes(character)),
      [],
      font,
    )
  }
})

test('no text is wider than its characters are said to be, and no ASCII character is narrower', () => {
  const font = openFont('regular')
  const widthIn = (text: string) =>
    font.glyphsForString(text).reduce((sum, { advanceWidth }) => sum + advanceWidth, 0) / font.unitsPerEm
  const latin = [...FONT_CHARACTERS].filter((character) => printableLatin(character) === character)
  assert.deepEqual(
    latin.filter((character) => widthInSizes(character) < widthIn(character) - 0.04),
    [],
  )
  for (const character of latin.filter((each) => each <= '~')) assert.equal(widthInSizes(character), widthIn(character))
})

test('every Latin, Greek and Cyrillic letter that the font draws has a Latin and an ASCII form', () => {
  const letters = [...FONT_CHARACTERS].filter((character) => /\p{Lu}|\p{Ll}/u.test(character))
  assert.deepEqual(
    letters.filter((letter) => `${printableLatin(letter)}${asciiText(letter)}`.includes('?')),
    [],
  )
})

test('any input becomes one line in the characters of the font, in its Latin ones, or in ASCII', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      for (const character of printable(text)) assert.ok(FONT_CHARACTERS.has(character), character)
      assert.doesNotMatch(printableLatin(text), /[\p{Script=Greek}\p{Script=Cyrillic}]/u)
      for (const character of printableLatin(text)) assert.ok(FONT_CHARACTERS.has(character), character)
      assert.match(asciiText(text), /^[ -~]*$/)
      assert.equal(printable(printableLatin(text)), printableLatin(text))
    }),
    { numRuns: 1_000 },
  )
})

const measure = (text: string) => text.length

test('text that is too long is cut with an ellipsis', () => {
  assert.equal(cutToWidth('abcdef', { width: 6, measure }), 'abcdef')
  assert.equal(cutToWidth('abcdef', { width: 5, measure }), 'abcd…')
  assert.equal(cutToWidth('abc def', { width: 5, measure }), 'abc…')
  assert.equal(cutToWidth('abc', { width: 0, measure }), '…')
})

test('lines break between words, and long words break anywhere', () => {
  assert.deepEqual(wrapText('', { width: 5, measure }), [])
  assert.deepEqual(wrapText('ab cd ef', { width: 5, measure }), ['ab cd', 'ef'])
  assert.deepEqual(wrapText('abcdefghijkl m', { width: 5, measure }), ['abcde', 'fghij', 'kl m'])
  assert.deepEqual(wrapText('a bcdefghijkl', { width: 5, measure }), ['a', 'bcdef', 'ghijk', 'l'])
})

test('only the first lines of a long text are kept', () => {
  assert.deepEqual(firstLines(['a', 'b'], 2), ['a', 'b'])
  assert.deepEqual(firstLines(['a', 'b', 'c'], 2), ['a', '…'])
})
