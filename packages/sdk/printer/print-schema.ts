import { nameOf, type Schema } from './document.ts'

/** The position of a type. Requests accept uploads in place of base64. */
type Place = { indent: string; isRequest: boolean }

/** Prints a schema as a TypeScript type. */
export function printType(schema: Schema, place: Place): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.anyOf) return unionOf(schema.anyOf.map((member) => printType(member, place)))
  if (schema.enum) return unionOf(schema.enum.map((value) => quoted(value)))
  const types = [schema.type ?? 'unknown'].flat()
  return unionOf(types.map((type) => printOne(type, schema, place)))
}

function printOne(type: string, schema: Schema, place: Place): string {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'object') return printObject(schema, place)
  if (type === 'array') return printArray(schema.items ?? {}, place)
  return type
}

function printArray(items: Schema, place: Place): string {
  const item = printType(items, place)
  return /^[\w{]/.test(item) && !/ \| /.test(item.split('\n')[0] as string) ? `${item}[]` : `(${item})[]`
}

function printObject(schema: Schema, place: Place): string {
  const values = mapValues(schema)
  if (values) return `Record<string, ${printType(values, place)}>`
  if (!schema.properties || Object.keys(schema.properties).length === 0) return 'Record<string, never>'
  const indent = `${place.indent}  `
  const members = Object.entries(schema.properties).map(([name, property]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    return `${comment([property.description], indent)}${indent}${memberName(name)}${mark}: ${printProperty(property, { ...place, indent })}`
  })
  return `{\n${members.join('\n')}\n${place.indent}}`
}

const mapValues = ({ additionalProperties, patternProperties }: Schema): Schema | null =>
  typeof additionalProperties === 'object' ? additionalProperties : (Object.values(patternProperties ?? {})[0] ?? null)

function printProperty(property: Schema, place: Place): string {
  const type = printType(property, place)
  const isFile = property.$ref?.endsWith('/Attachment') || /\bin base64\b/.test(property.description ?? '')
  return place.isRequest && isFile ? `${type} | Upload` : type
}

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : `${value}`

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

/** Prints a doc comment, or nothing without a text. */
export function comment(paragraphs: readonly (string | undefined)[], indent: string): string {
  const texts = paragraphs.filter((text) => text !== undefined && text !== '') as string[]
  if (texts.length === 0) return ''
  const lines = texts.flatMap((text, index) => [
    ...(index > 0 ? [''] : []),
    ...text.replaceAll('*/', '*\\/').split('\n'),
  ])
  const [line] = lines
  if (lines.length === 1) return `${indent}/** ${line} */\n`
  return `${indent}/**\n${lines.map((text) => `${indent} *${text && ` ${text}`}\n`).join('')}${indent} */\n`
}
