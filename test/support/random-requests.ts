import type { ApiExample, ApiExamples } from '../../src/foundation/http/reference/document-types.ts'

// Requests generated from the API's own document: valid ones, and some with one mistake.

// biome-ignore lint/suspicious/noExplicitAny: a schema is looked at field by field
type Schema = any

export type OperationToCall = {
  method: string
  path: string
  operationId: string
  parameters: { name: string; in: string; schema: Schema }[]
  body: Schema | undefined
}

export type RandomRequest = { method: string; path: string; headers: Record<string, string>; body: string | undefined }

/** The objects that a caller's requests can refer to. */
export type KnownObjects = {
  /** Known ids, by the part of the path that they belong to. */
  ids: Map<string, string[]>
  /** A URL that accepts webhooks. */
  webhookUrl: string
}

/** Random numbers from a seed, so that the requests can be repeated. */
export function createDice(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (limit: number) => Math.floor(next() * limit),
    chance: (share: number) => next() < share,
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item,
    digits: (count: number) => Array.from({ length: count }, () => Math.floor(next() * 10)).join(''),
    hex: (count: number) => Array.from({ length: count }, () => Math.floor(next() * 16).toString(16)).join(''),
  }
}

export type Dice = ReturnType<typeof createDice>

export function operationsOf(document: Schema): OperationToCall[] {
  return Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, { operationId, parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      operationId,
      parameters,
      body: requestBody?.content['application/json'].schema,
    })),
  )
}

export function randomRequest(
  dice: Dice,
  operation: OperationToCall,
  { examples, around }: { examples: ApiExamples; around: KnownObjects },
): RandomRequest {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(parameter(dice, operation, name, around)),
  )
  const headers: Record<string, string> = {}
  if (operation.method === 'POST' && dice.chance(0.2)) {
    headers['idempotency-key'] = dice.pick(['first', 'second', dice.hex(8), ' ', 'k'.repeat(300)])
  }
  const body = bodyOf(dice, operation, examples[operation.operationId], around)
  if (body !== undefined) headers['content-type'] = dice.chance(0.02) ? 'text/plain' : 'application/json'
  return { method: operation.method, path: path + queryOf(dice, operation, around), headers, body }
}

function parameter(dice: Dice, { path }: OperationToCall, name: string, { ids }: KnownObjects): string {
  if (name === 'code') return dice.pick(['R01', 'R29', 'A', 'X99', 'é'])
  const noun = name === 'id' ? nounOf(path) : name
  if (dice.chance(0.8)) return dice.pick(ids.get(noun) ?? [dice.hex(32)])
  return dice.pick([dice.hex(32), dice.hex(31), dice.pick([...ids.values()].flat()), 'release', '%', '..'])
}

/** `/v3/check/deposit/{id}` names a check, `/v3/account/card/{id}` a card. */
export const nounOf = (path: string): string =>
  /\/(bank|card|paypal|venmo|interac|wire|wallet|check|api_key|endpoint|listener|event|user|directory|checkbook|mailbox|approval|batch|subscription|vcc)\b/.exec(
    path,
  )?.[1] ?? 'check'

function queryOf(dice: Dice, { parameters }: OperationToCall, around: KnownObjects): string {
  const query = new URLSearchParams()
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query' || !dice.chance(0.25)) continue
    query.append(name, String(dice.chance(0.8) ? valueFor(dice, schema, { name, around }) : wrongValue(dice)))
  }
  if (dice.chance(0.03)) query.append('unknown', '1')
  return query.size > 0 ? `?${query}` : ''
}

function bodyOf(
  dice: Dice,
  { method, body: schema }: OperationToCall,
  example: ApiExample | undefined,
  around: KnownObjects,
): string | undefined {
  if (schema === undefined) return method !== 'GET' && dice.chance(0.05) ? dice.pick(['{}', '{', '[]']) : undefined
  if (dice.chance(0.03))
    return dice.pick([undefined, '', '{', 'null', '[]', '"text"', '{"a":"\\u0000"}', '\xff', '1e999'])
  const isFromExample = example?.body !== undefined && dice.chance(0.6)
  const value = isFromExample
    ? varied(dice, structuredClone(example.body), { name: '', around })
    : valueFor(dice, schema, { name: '', around })
  return JSON.stringify(dice.chance(0.6) ? value : withMistake(dice, value))
}

type Place = { name: string; around: KnownObjects }

/** Replaces values of a recorded body with values of this platform. */
function varied(dice: Dice, value: unknown, { name, around }: Place): unknown {
  if (Array.isArray(value)) return value.map((item) => varied(dice, item, { name, around }))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [member, varied(dice, inner, { name: member, around })]),
    )
  }
  return named(dice, { name, around }, typeof value) ?? value
}

/** A value for a field with a known meaning; undefined for others. */
function named(dice: Dice, { name, around }: Place, type: string): unknown {
  const id = (noun: string) => dice.pick(around.ids.get(noun) ?? [dice.hex(32)])
  if (type === 'string') {
    if (name === 'account')
      return dice.chance(0.5) ? id(dice.pick(['bank', 'bank', 'bank', 'wallet', 'card'])) : dice.digits(12)
    if (name === 'routing') return dice.pick(['021000021', '011000015', 'DEUTDEFF500', '021000022'])
    if (name === 'url' || name === 'webhook_uri')
      return dice.pick([around.webhookUrl, `${around.webhookUrl}/${dice.hex(4)}`, 'ftp://a.example'])
    if (name === 'endpoint' || name === 'event') return id(name)
    if (name === 'institution_id') return id('institution')
    if (name === 'id') return dice.pick(['alice', 'bob', id('user')])
    if (name === 'user_id') return dice.hex(8)
    if (name === 'recipient') return dice.pick(['bob', 'alice', 'carol@example.com', '+12025550123', 'nobody here'])
  }
  if (type === 'number') {
    if (name === 'wait_seconds') return 0
    if (name === 'amount') return dice.pick([0.01, 1, 10.61, 125.5, 1999.99, 2500, 99_999_999.99])
    if (name === 'amount_1' || name === 'amount_2')
      return name === 'amount_1' ? dice.pick([0.07, 0.07, 0.15]) : dice.pick([0.15, 0.15, 0.07])
  }
  return undefined
}

function valueFor(dice: Dice, schema: Schema, place: Place): unknown {
  if (schema.anyOf) return valueFor(dice, dice.pick(schema.anyOf), place)
  const type = Array.isArray(schema.type) ? dice.pick(schema.type) : schema.type
  if (type === 'null') return null
  if (schema.enum) return dice.pick(schema.enum.filter((value: unknown) => value !== null))
  if (type === 'object') return objectOf(dice, schema, place)
  if (type === 'array') {
    const count = (schema.minItems ?? 0) + dice.below(3)
    const items = Array.from({ length: count }, () => valueFor(dice, schema.items, place))
    return schema.uniqueItems ? [...new Set(items)] : items
  }
  if (type === 'boolean') return dice.chance(0.5)
  if (type === 'integer' || type === 'number') return numberOf(dice, { ...schema, type }, place)
  return named(dice, place, 'string') ?? textOf(dice, schema)
}

const objectOf = (dice: Dice, { properties = {}, required = [], additionalProperties }: Schema, { around }: Place) => ({
  ...Object.fromEntries(
    Object.entries<Schema>(properties)
      .filter(([name]) => required.includes(name) || dice.chance(0.4))
      .map(([name, schema]) => [name, valueFor(dice, schema, { name, around })]),
  ),
  ...(typeof additionalProperties === 'object' && { 'x-header': 'value' }),
})

function numberOf(dice: Dice, { type, minimum = 0, maximum = 1_000 }: Schema, place: Place): number {
  const meant = named(dice, place, 'number')
  if (meant !== undefined) return meant as number
  const number = dice.pick([minimum, maximum, minimum + dice.below(Math.min(1_000, maximum - minimum + 1))])
  return type === 'integer' ? Math.round(number) : number
}

const FORMATS: Record<string, (dice: Dice) => string> = {
  email: (dice) => `${dice.hex(6)}@example.com`,
  date: (dice) => dice.pick(['2026-03-02', '1970-01-01', '2024-02-29', '2099-12-31']),
}

/** Texts for the patterns in the document. */
const PATTERNS: [pattern: RegExp, make: (dice: Dice) => string][] = [
  [/\[0-9a-f\]\{32\}/, (dice) => dice.hex(32)],
  [/\^\\d\{9\}/, (dice) => dice.digits(9)],
  [/\\d\{4,17\}/, (dice) => dice.digits(12)],
  [/\\d\{4\}\|/, (dice) => dice.digits(dice.pick([4, 9]))],
  [/\\d\{12,19\}/, (dice) => dice.pick(['4242424242424242', dice.digits(16)])],
  [/\\d\{3,4\}/, (dice) => dice.digits(3)],
  [/\^P\[/, (dice) => dice.pick(['P3D', 'PT12H', 'P1W', 'PD', 'P99999999D', 'P11M'])],
  [/\\d\\d:/, (dice) => dice.pick(['2026-03-05 12:00:00', '2026-13-45 99:99:99', '2999-01-01 00:00:00'])],
  [/\[A-Z\]\{2\}/, (dice) => dice.pick(['US', 'DE', 'ZZ'])],
  [/A-Z0-9/, (dice) => dice.pick(['021000021', 'DEUTDEFF500', 'XXXXXXXX'])],
  [/A-Za-z0-9\+\//, () => 'cmVjZWl2ZWQ='],
]

const TEXTS = [
  'text',
  'Ærø ‮x',
  '=1+1',
  '日本',
  '\u{1f600}',
  "'; drop table users; --",
  '../..',
  '<b>',
  '1',
  '\r\nBcc: x',
  '%00',
]

function textOf(dice: Dice, { format, pattern, minLength = 0, maxLength = 40 }: Schema): string {
  if (format && FORMATS[format]) return FORMATS[format](dice)
  const known = pattern && PATTERNS.find(([part]) => part.test(pattern))
  if (known) return known[1](dice)
  const text = dice.pick([...TEXTS, 'a'.repeat(Math.min(maxLength, 2_000)), 'b'.repeat(Math.max(minLength, 1))])
  return text.padEnd(minLength, 'x').slice(0, maxLength)
}

const wrongValue = (dice: Dice): unknown =>
  dice.pick([
    null,
    true,
    -1,
    0,
    1.5,
    1e300,
    0.001,
    '',
    ' ',
    'x'.repeat(5_000),
    '\u0000',
    '\ud800',
    [],
    [null],
    {},
    { a: { b: [] } },
    '1',
    dice.hex(32),
  ])

/** Introduces one mistake: a value of another kind, an unknown field or a missing one. */
function withMistake(dice: Dice, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && dice.chance(0.6)) {
    const index = dice.below(value.length)
    return value.with(index, withMistake(dice, value[index]))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrongValue(dice)
  const names = Object.keys(value)
  if (names.length === 0 || dice.chance(0.15))
    return { ...value, [dice.pick(['unknown', '__proto__', 'constructor'])]: 1 }
  const name = dice.pick(names)
  const { [name]: member, ...others } = value as Record<string, unknown>
  return dice.chance(0.2) ? others : { ...value, [name]: withMistake(dice, member) }
}
