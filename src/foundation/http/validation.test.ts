import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import type { ApiError } from '../core/errors.ts'
import { closed, id, nullable, oneOf, text } from './schema.ts'
import { validatorCompiler } from './validation.ts'

const errorsOf = (schema: TSchema, value: unknown, httpPart = 'body'): unknown => {
  const validate = validatorCompiler({ schema, httpPart } as never) as (value: unknown) => { value: unknown }
  try {
    return validate(value).value
  } catch (error) {
    const { code, message, fields } = error as ApiError
    assert.equal(code, 'invalid_request')
    const [field, [problem]] = Object.entries(fields ?? {})[0] as [string, [string]]
    assert.ok(message.startsWith(`${field} ${problem}`), message)
    return { ...fields }
  }
}

test('a problem names the path of its field and explains itself in words', () => {
  const schema = closed({
    name: text(2, 3),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    list: Type.Optional(Type.Array(closed({ id }), { minItems: 1, maxItems: 2, uniqueItems: true })),
    kind: Type.Optional(nullable(oneOf(['A', 'B']))),
  })
  for (const [value, errors] of [
    [{ name: 'ab' }, { name: 'ab' }],
    [{}, { name: ['is required'] }],
    [{ name: 'a' }, { name: ['must have at least 2 characters'] }],
    [{ name: 'abcd' }, { name: ['must have at most 3 characters'] }],
    [{ name: '💸💸💸' }, { name: '💸💸💸' }],
    [{ name: 7 }, { name: ['must be a text'] }],
    [{ name: 'ab', count: '1' }, { count: ['must be a whole number'] }],
    [{ name: 'ab', count: 0 }, { count: ['must be at least 1'] }],
    [{ name: 'ab', count: 10 }, { count: ['must be at most 9'] }],
    [{ name: 'ab', count: Number.POSITIVE_INFINITY }, { count: ['must be a whole number'] }],
    [{ name: 'ab', list: [] }, { list: ['must not be empty'] }],
    [{ name: 'ab', list: [{ id: 'x' }] }, { 'list.0.id': ['must be an id of 32 lower-case hex digits'] }],
    [{ name: 'ab', list: [{}] }, { 'list.0.id': ['is required'] }],
    [{ name: 'ab', kind: 'C' }, { kind: ['must be one of A, B'] }],
    [{ name: 'ab', extra: 1 }, { extra: ['is not a field of this request'] }],
    [
      { count: 0, extra: 1 },
      { name: ['is required'], count: ['must be at least 1'], extra: ['is not a field of this request'] },
    ],
    [null, { body: ['must be an object'] }],
    [[], { body: ['must be an object'] }],
  ] as const) {
    assert.deepEqual(errorsOf(schema, value), errors, JSON.stringify(value))
  }
})

test('for a value with several forms, the error comes from the closest form', () => {
  const schema = closed({
    to: Type.Union([text(1, 5), closed({ id: text(2, 5), account: id })], { description: 'a text or {id, account}' }),
  })
  for (const [to, errors] of [
    [7, { to: ['must be a text or {id, account}'] }],
    [null, { to: ['must be a text or {id, account}'] }],
    [{ id: 'ab' }, { 'to.account': ['is required'] }],
    [{ id: 'ab', account: 'x' }, { 'to.account': ['must be an id of 32 lower-case hex digits'] }],
    [{ id: 'ab', account: '0'.repeat(32), extra: 1 }, { 'to.extra': ['is not a field of this request'] }],
  ] as const) {
    assert.deepEqual(errorsOf(schema, { to }), errors, JSON.stringify(to))
  }
})

test('for two possible objects, the error comes from the one with fewer mistakes', () => {
  const schema = closed({
    to: Type.Union([closed({ id, account: id }), closed({ street: text(1, 5), zip: text(5, 5), town: text(1, 5) })]),
  })
  for (const [to, errors] of [
    [{ street: 'a', town: 'b' }, { 'to.zip': ['is required'] }],
    [{ street: 'a', zip: '1', town: 'b' }, { 'to.zip': ['must have at least 5 characters'] }],
    [{ id: '0'.repeat(32) }, { 'to.account': ['is required'] }],
  ] as const) {
    assert.deepEqual(errorsOf(schema, { to }), errors, JSON.stringify(to))
  }
})

test('an unsupported field or value is refused with its reason', () => {
  const schema = closed({ kind: Type.Optional(oneOf(['A'])) }, { 'x-refused': { old: 'is gone', B: 'cannot be B' } })
  assert.deepEqual(errorsOf(schema, { old: 1 }), { old: ['is gone'] })
  assert.deepEqual(errorsOf(schema, { kind: 'B' }), { kind: ['cannot be B'] })
  assert.deepEqual(errorsOf(schema, { kind: 'constructor' }), { kind: ['must be one of A'] })
})

test('only a query is converted to the types of its schema, and each parameter may be given once', () => {
  const schema = closed({ page: Type.Optional(Type.Integer({ minimum: 1 })), q: Type.Optional(text(0, 5)) })
  assert.deepEqual(errorsOf(schema, { page: '2' }, 'querystring'), { page: 2 })
  for (const page of ['x', '', '1.5', '1e309']) {
    assert.deepEqual(errorsOf(schema, { page }, 'querystring'), { page: ['must be a whole number'] }, page)
  }
  assert.deepEqual(errorsOf(schema, { q: ['a', 'b'] }, 'querystring'), { q: ['can be given only once'] })
  assert.deepEqual(errorsOf(schema, { q: 'a\0' }, 'querystring'), {
    q: ['must be valid Unicode without NUL characters'],
  })
  assert.deepEqual(errorsOf(schema, { page: '2' }), { page: ['must be a whole number'] })
})
