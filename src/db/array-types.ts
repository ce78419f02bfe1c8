type ArrayType = {
  to: number
  from: number[]
  serialize(values: readonly unknown[]): string
  parse(text: string): unknown[]
}

/** One-dimensional arrays: their oid in PostgreSQL's catalog, and a parser of their members. */
const arrays: [name: string, oid: number, parseMember: (text: string) => unknown][] = [
  ['int4[]', 1007, Number],
  ['text[]', 1009, String],
  ['timestamptz[]', 1185, (text) => new Date(text)],
  ['uuid[]', 2951, (text) => text.replaceAll('-', '')],
]

/**
 * The arrays of our columns, parameters and functions. Otherwise postgres.js would query them on each new connection,
 * and losing the connection during that query ends the process.
 */
export const arrayTypes: Record<string, ArrayType> = Object.fromEntries(
  arrays.map(([name, oid, parseMember]) => [
    name,
    { to: oid, from: [oid], serialize: arrayText, parse: (text) => arrayMembers(text, parseMember) },
  ]),
)

/** `['a', null]` → `{"a",null}` */
export function arrayText(values: readonly unknown[]): string {
  const members = values.map((value) => (value === null ? 'null' : `"${memberText(value).replace(/["\\]/g, '\\$&')}"`))
  return `{${members.join(',')}}`
}

const memberText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

/** `{a,"b c",NULL}` → `['a', 'b c', null]` */
export function arrayMembers(text: string, parseMember: (text: string) => unknown): unknown[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^{},]+)/gs)].map(([, quoted, plain]) => {
    if (quoted !== undefined) return parseMember(quoted.replace(/\\(.)/gs, '$1'))
    return plain === 'NULL' ? null : parseMember(plain as string)
  })
}
