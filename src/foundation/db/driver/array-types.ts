/** Formats a PostgreSQL array: `['a', null]` → `{"a",null}`. @throws TypeError for objects, which need `sql.json` */
export function arrayText(values: readonly unknown[]): string {
  const members = values.map((value) => (value === null ? 'null' : `"${memberText(value).replace(/["\\]/g, '\\$&')}"`))
  return `{${members.join(',')}}`
}

function memberText(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' || value === undefined)
    throw new TypeError('A PostgreSQL array cannot contain objects. Use sql.json.')
  return String(value)
}
