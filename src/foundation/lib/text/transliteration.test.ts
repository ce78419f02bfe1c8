import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPrintableAscii, transliterate } from './transliteration.ts'

const ascii = (text: string) => transliterate(text, { isKept: isPrintableAscii, unknown: '?' })

test('every Latin, Greek and Cyrillic letter becomes readable ASCII', () => {
  const silent = 'ЬьҌҍꙎꙏꚝͺ'
  const unreadable: string[] = []
  for (let codePoint = 0x80; codePoint <= 0x1ffff; codePoint++) {
    const letter = String.fromCodePoint(codePoint)
    if (!/^\p{L}$/u.test(letter) || !/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(letter)) continue
    if (!/^[ -~]+$/.test(ascii(letter)) || ascii(letter).includes('?')) unreadable.push(letter)
  }
  assert.deepEqual(
    unreadable.filter((letter) => !silent.includes(letter)),
    [],
  )
  assert.equal(ascii(silent), '')
})

test('names are spelled as in passports', () => {
  for (const [name, latin] of [
    ['José Müller', 'Jose Muller'],
    ['Łukasz Żółć', 'Lukasz Zolc'],
    ['Елена Щукина', 'Elena Shchukina'],
    ['Соловьёв', 'Solovev'],
    ['Ђорђе Љубић', 'Dorde Ljubic'],
    ['Παπαδόπουλος', 'Papadopoulos'],
    ['Đặng Thị Hương', 'Dang Thi Huong'],
    ['Ŋaŋa Ɓala Ƙwara', 'Nana Bala Kwara'],
    ['ŞƏRİFƏ', 'SARIFA'],
    ['ШЩЖ', 'ShShchZh'],
  ] as const) {
    assert.equal(ascii(name), latin)
  }
})

test('allowed characters are unchanged, and characters of other scripts become the placeholder', () => {
  const kept = { isKept: (character: string) => isPrintableAscii(character) || character === 'é' }
  assert.equal(transliterate('é è 王', { ...kept, unknown: '' }), 'é e')
  assert.equal(transliterate('王 小明 Wang\t\nXiaoming 🎂', { ...kept, unknown: '' }), 'Wang Xiaoming')
})
