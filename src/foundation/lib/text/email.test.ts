import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asciiEmail, emailHash, emailProblem, isEmail, normalizeEmail } from './email.ts'

test('an address has letters and digits of ASCII before the @, and a domain with a dot after it', () => {
  for (const text of ['a@b.co', 'Ada.Lovelace+tag@example.co.uk', "o'hara@x-y.example", '4155552671@gmail.com']) {
    assert.ok(isEmail(text), text)
  }
  const wrong: [string, RegExp][] = [
    ['.x@example.com', /must not have a dot at the start or end/],
    ['x.@example.com', /must not have a dot at the start or end/],
    ['x..y@example.com', /or two in a row/],
    ['jürgen@example.com', /has “ü” before the @, where only ASCII letters reach every mail server/],
    ['john4155552671@gmail', /must be an email address such as/],
    ['jane.4155552671@example,com', /must be an email address such as/],
    ['a@\u200bexample.com', /has a zero width space \(U\+200B\) at position 3\. Remove it/],
    ['a@ｅxample.com', /has a full-width character \(U\+FF45\)/],
    ['a@exam ple.com', /must be an email address/],
    ['@example.com', /must be an email address/],
    [`${'a'.repeat(250)}@b.co`, /must be an email address/],
  ]
  for (const [text, problem] of wrong) {
    assert.ok(!isEmail(text), text)
    assert.match(emailProblem(text), problem)
  }
})

test('a domain in letters of any language is the one that name servers know', () => {
  assert.equal(asciiEmail('info2125559999@münchen.de'), 'info2125559999@xn--mnchen-3ya.de')
  assert.equal(normalizeEmail('Info@MÜNCHEN.de'), 'info@xn--mnchen-3ya.de')
  assert.equal(asciiEmail('a@例え.jp'), 'a@xn--r8jz45g.jp')
  assert.deepEqual(emailHash('info@münchen.de'), emailHash('INFO@xn--mnchen-3ya.de'))
  assert.equal(asciiEmail('a@münchen'), null)
})
