import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cutToWidth, firstLines, isPrintable, printable, wrapText } from './paper-text-rules.ts'

test('what the standard fonts cannot draw is transliterated, or a question mark', () => {
  for (const [text, printed] of [
    ['Grace Hopper', 'Grace Hopper'],
    ['Café Zoë Ñandú “Straße” €5 – ok…', 'Café Zoë Ñandú “Straße” €5 – ok…'],
    ['Łukasz Żółć', 'Lukasz Zólc'],
    ['Šimon Čapek', 'Šimon Capek'],
    ['Đặng Thị Hương', 'Dang Thi Huong'],
    ['İbrahim Işık', 'Ibrahim Isik'],
    ['Елена Щукина', 'Elena Shchukina'],
    ['Ήλιος Παπαδόπουλος', 'Ilios Papadopoulos'],
    ['Zoe\u0308', 'Zoë'],
    ['Ｆｕｌｌ １２', 'Full 12'],
    ['ﬁve № 7', 'five No 7'],
    ['a\u0000b\nc\td\u00a0e', 'a b c d e'],
    ['soft\u00adhyphen\u200b\ufeff', 'softhyphen'],
    ['\u202eabc', 'abc'],
    ['王小明', '???'],
    ['🎉', '?'],
    ['', ''],
  ] as const) {
    assert.equal(printable(text), printed)
  }
})

test('only names that can be read may be payees', () => {
  for (const [text, isReadable] of [
    ['Grace Hopper', true],
    ['Łukasz', true],
    ['Who?', true],
    ['王小明', false],
    ['Grace 🎉', false],
    ['???', false],
    [' ', false],
  ] as const) {
    assert.equal(isPrintable(text), isReadable, text)
  }
})

test('whatever comes in, what is drawn is WinAnsi on one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      assert.match(printable(text), /^[\x20-\x7e\xa1-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/)
    }),
    { numRuns: 1_000 },
  )
})

const measure = (text: string) => text.length

test('a text that is too long is cut with an ellipsis', () => {
  assert.equal(cutToWidth('abcdef', { width: 6, measure }), 'abcdef')
  assert.equal(cutToWidth('abcdef', { width: 5, measure }), 'abcd…')
  assert.equal(cutToWidth('abc def', { width: 5, measure }), 'abc…')
  assert.equal(cutToWidth('abc', { width: 0, measure }), '…')
})

test('lines break between words, and long words anywhere', () => {
  assert.deepEqual(wrapText('', { width: 5, measure }), [])
  assert.deepEqual(wrapText('ab cd ef', { width: 5, measure }), ['ab cd', 'ef'])
  assert.deepEqual(wrapText('abcdefghijkl m', { width: 5, measure }), ['abcde', 'fghij', 'kl m'])
  assert.deepEqual(wrapText('a bcdefghijkl', { width: 5, measure }), ['a', 'bcdef', 'ghijk', 'l'])
})

test('of too many lines the first are kept', () => {
  assert.deepEqual(firstLines(['a', 'b'], 2), ['a', 'b'])
  assert.deepEqual(firstLines(['a', 'b', 'c'], 2), ['a', '…'])
})
