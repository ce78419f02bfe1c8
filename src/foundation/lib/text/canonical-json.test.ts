import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'

test('the order of members does not matter, at any depth; the order of items does', () => {
  assert.equal(
    canonicalJson({ b: 1, a: { d: [1, { f: 1, e: 2 }], c: null } }),
    '{"a":{"c":null,"d":[1,{"e":2,"f":1}]},"b":1}',
  )
  assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]))
})

test('different values have different texts', () => {
  const values = [
    undefined,
    0,
    '0',
    '',
    false,
    [],
    {},
    [null],
    { a: null },
    { a: undefined, b: 1 },
    { a: '1' },
    { a: 1 },
    { 'a"': 1 },
  ]
  const texts = values.map(canonicalJson)
  assert.equal(new Set(texts).size, texts.length)
  assert.equal(canonicalJson(undefined), canonicalJson(null))
})

test('the result is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('a member named __proto__ is an ordinary member', () => {
  const value = JSON.parse('{"__proto__":{"b":1,"a":2},"x":1}')
  assert.equal(canonicalJson(value), '{"__proto__":{"a":2,"b":1},"x":1}')
})
