import { connectionsSchema } from '../../src/connections/config/connections-schema-rules.ts'
import { layoutSchema } from '../../src/connections/config/layout-schema-rules.ts'

/** The parts of JSON Schema that `connections-schema-rules.ts` uses. */
type Schema = {
  type?: string
  description?: string
  errorMessage?: string
  default?: unknown
  const?: string
  enum?: string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: { then: Schema }[]
}

/** Returns the page with every key of `connections.json`. */
export function connectionsReference(): string {
  const root = connectionsSchema as unknown as Schema
  return [
    '# Keys of connections.json',
    '',
    'This page lists every key of `connections.json`, the file that describes your banks. [banks.md](banks.md) shows how to write one.',
    '`npm run generate` writes this page from the JSON Schema that ships in `schemas/connections.schema.json`.',
    '',
    'The file is JSON with comments and trailing commas. Relative paths begin in its folder. All keys are required unless the table names a',
    'default or says *optional*.',
    '',
    ...sections('The file', root),
    ...sections('Layouts of check lists', layoutSchema as unknown as Schema, 'layout.'),
    'The lines of `stop_file`, headers, trailers and `paid_list` have the keys of `layout.issue_file.lines`.',
    '',
  ].join('\n')
}

/** The parts of a layout with the keys of another part. */
const DESCRIBED_ELSEWHERE = /^layout\.(stop_file|paid_list\.lines|.*\.(header|trailer))$/

/** Returns the table of an object, followed by those of its nested objects. */
function sections(title: string, schema: Schema, outer = title === 'The file' ? '' : `${title}.`): string[] {
  const { properties = {}, required = [], description } = schema
  const keys = Object.entries(properties).filter(([, { const: fixed }]) => fixed === undefined)
  const inner = keys.flatMap(([key, value]) => {
    const place = `${outer}${key}`
    if (value.allOf) return value.allOf.flatMap(({ then }) => branch(place, then))
    if (DESCRIBED_ELSEWHERE.test(place)) return []
    if (value.items?.properties) return sections(`${place}[]`, value.items)
    return value.properties ? sections(place, value) : []
  })
  return [
    `## ${title.replaceAll('[]', '')}`,
    '',
    ...(description ? [description, ''] : []),
    '| Key | Value | Meaning |',
    '|---|---|---|',
    ...keys.map(([key, value]) => `| \`${key}\` | ${allowedOf(value, required.includes(key))} | ${meaningOf(value)} |`),
    '',
    ...inner,
  ]
}

function branch(place: string, schema: Schema): string[] {
  const type = schema.properties?.type?.const
  const [, ...rest] = sections(place, schema)
  return [`## ${place.replaceAll('[]', '')} of type ${type}`, ...rest]
}

function allowedOf(schema: Schema, isRequired: boolean): string {
  const presence = isRequired ? '' : schema.default === undefined ? ', *optional*' : `, default ${schema.default}`
  return `${kindOf(schema)}${presence}`
}

function kindOf({ type, enum: values, items, allOf, properties, errorMessage }: Schema): string {
  if (allOf || properties) return 'an object'
  if (values) return values.map((value) => `\`${inTable(value)}\``).join(' or ')
  if (type === 'array') return `a list: ${items ? kindOf(items) : ''}`
  return errorMessage?.replace('must be ', '') ?? 'a text'
}

/** A value in a cell of a table. */
const inTable = (value: string): string => value.replaceAll('\t', '\\t').replaceAll('|', '\\|')

const meaningOf = ({ description = '', allOf }: Schema): string => (allOf ? `${description} See below.` : description)
