import { type ApiDocument, type ApiOperation, nameOf, type Parameter, resolve, type Schema } from './document.ts'
import { comment, printType } from './print-schema.ts'
import { type Method, type ResourceEntry, resourceTable } from './resource-table.ts'

type Located = ApiOperation & { method: string; path: string }

/** The document, its operations by name, and the types that belong to no schema. */
type Printer = {
  document: ApiDocument
  operations: Map<string, Located>
  generalCodes: Set<string>
  ownTypes: Map<string, string>
}

/** Prints a class for each resource. @throws Error if an operation has no method, or a method no operation */
export function printResources(document: ApiDocument, table: Record<string, ResourceEntry> = resourceTable): string {
  const operations = operationsOf(document)
  requireComplete(operations, table)
  const printer: Printer = {
    document,
    operations,
    generalCodes: generalCodesOf(document, operations),
    ownTypes: new Map(),
  }
  const classes = Object.entries(table).map(([name, entry]) => printClass(printer, name, entry))
  const text = [...printer.ownTypes.values(), ...classes, printRoot(table)].join('\n\n')
  return `${imports(document, text)}\n\n${text}`
}

function operationsOf({ paths }: ApiDocument): Map<string, Located> {
  const located = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  )
  return new Map(located.map((operation) => [operation.operationId, operation]))
}

const operationIn = (method: Method): string => (typeof method === 'string' ? method : method.operation)

function requireComplete(operations: Map<string, Located>, table: Record<string, ResourceEntry>): void {
  const named = Object.values(table).flatMap(({ methods }) => Object.values(methods).map(operationIn))
  const missing = [...operations.keys()].filter((id) => !named.includes(id))
  const unknown = named.filter((id, index) => !operations.has(id) || named.indexOf(id) !== index)
  if (missing.length > 0) throw new Error(`resource-table.ts has no method for ${missing.join(', ')}`)
  if (unknown.length > 0) throw new Error(`resource-table.ts has unknown or repeated operations: ${unknown.join(', ')}`)
}

function printClass(printer: Printer, name: string, { about, methods }: ResourceEntry): string {
  const printed = Object.entries(methods).map(([method, entry]) => printMethod(printer, method, entry))
  return `${comment([about], '')}export class ${className(name)} extends Resource {\n${printed.join('\n\n')}\n}`
}

function printMethod(printer: Printer, name: string, entry: Method): string {
  const operation = printer.operations.get(operationIn(entry)) as Located
  const field = typeof entry === 'string' ? null : entry.field
  const parameters = (operation.parameters ?? []).map((part) => resolve(part, printer.document.components.parameters))
  const params = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const body = operation.requestBody && bodyOf(operation)
  const list = query.some((parameter) => parameter.name === 'cursor') ? listOf(printer, operation) : null
  const given = [
    ...params.map((param) => `${param}: string`),
    ...(field ? [`${field}: string`] : body ? [`body${body.isOptional ? '?' : ''}: ${body.type}`] : []),
    ...(query.length > 0 ? [queryParameter(printer, operation, query)] : []),
    'options?: CallOptions',
  ]
  const input = [
    ...(params.length > 0 ? [`params: { ${params.join(', ')} }`] : []),
    ...(query.length > 0 ? ['query: { ...query }'] : []),
    ...(field ? [`body: { ${field} }`] : body ? [body.isOptional ? 'body: body ?? {}' : 'body'] : []),
    ...(list ? [`field: '${list.field}'`] : []),
  ]
  const answer = list ? `List<${list.item}, ${list.body}>` : `ApiPromise<${answerType(printer, operation)}>`
  return [
    `${documentation(printer, operation)}  ${name}(${given.join(', ')}): ${answer} {`,
    `    return this.client.${list ? 'list' : 'call'}(${descriptor(operation)}, { ${input.join(', ')} }, options)`,
    '  }',
  ].join('\n')
}

function descriptor(operation: Located): string {
  const { operationId, method, path } = operation
  const file = isFile(operation) ? ', answersFile: true' : ''
  return `{ id: '${operationId}', method: '${method}', path: '${path}', idempotency: '${operation['x-idempotency']}'${file} }`
}

function bodyOf({ requestBody }: Located): { type: string; isOptional: boolean } {
  const schema = requestBody?.content['application/json']?.schema as Schema
  return { type: nameOf(schema.$ref as string), isOptional: requestBody?.required === false }
}

function queryParameter(printer: Printer, { operationId }: Located, query: readonly Parameter[]): string {
  const name = `${pascal(operationId)}Query`
  const properties = Object.fromEntries(
    query.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
  )
  const required = query.filter((parameter) => parameter.required).map((parameter) => parameter.name)
  const type = printType({ type: 'object', properties, required }, { indent: '', isRequest: false })
  printer.ownTypes.set(name, `export interface ${name} ${type}`)
  return `query${required.length > 0 ? '' : '?'}: ${name}`
}

/** The type of an answer, its list and the items of this list. */
function listOf(printer: Printer, operation: Located): { field: string; item: string; body: string } {
  const schema = answerSchema(printer, operation)
  const object = schema?.$ref ? printer.document.components.schemas[nameOf(schema.$ref)] : schema
  const [field, { items }] = Object.entries(object?.properties ?? {}).find(([, { type }]) => type === 'array') as [
    string,
    Schema,
  ]
  const body = answerType(printer, operation)
  return { field, item: items?.$ref ? nameOf(items.$ref) : `${body}['${field}'][number]`, body }
}

function answerSchema({ document }: Printer, { responses }: Located): Schema | undefined {
  const [, response = {}] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return resolve(response, document.components.responses).content?.['application/json']?.schema
}

const isFile = ({ responses }: Located): boolean =>
  Object.entries(responses).some(([status, response]) => {
    const [type = 'application/json'] = 'content' in response ? Object.keys(response.content ?? {}) : []
    return status.startsWith('2') && type !== 'application/json'
  })

function answerType(printer: Printer, operation: Located): string {
  const schema = answerSchema(printer, operation)
  if (!schema) return isFile(operation) ? 'Blob' : 'void'
  if (schema.$ref) return nameOf(schema.$ref)
  const name = `${pascal(operation.operationId)}Answer`
  printer.ownTypes.set(name, `export interface ${name} ${printType(schema, { indent: '', isRequest: false })}`)
  return name
}

/** The codes that most operations have, which methods do not repeat. */
function generalCodesOf(document: ApiDocument, operations: Map<string, Located>): Set<string> {
  const all = [...operations.values()].flatMap((operation) => codesOf(document, operation))
  const groups = Map.groupBy(all, (code) => code)
  return new Set([...groups].filter(([, { length }]) => length > operations.size / 4).map(([code]) => code))
}

function codesOf({ components }: ApiDocument, { responses }: Located): string[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    if (!/^4\d\d$/.test(status)) return []
    const schema = resolve(response, components.responses).content?.['application/json']?.schema
    return (schema?.properties?.code?.enum ?? []) as string[]
  })
}

function documentation({ document, generalCodes }: Printer, operation: Located): string {
  const codes = codesOf(document, operation).filter((code) => !generalCodes.has(code))
  const errors = codes.length > 0 ? `Errors: ${codes.map((code) => `\`${code}\``).join(', ')}.` : undefined
  return comment(
    [`${operation.summary}.`, operation.description, errors, `${operation.method} ${operation.path}`],
    '  ',
  )
}

function printRoot(table: Record<string, ResourceEntry>): string {
  const names = Object.keys(table)
  const fields = names.map((name) => `  readonly ${name}: ${className(name)}`)
  const made = names.map((name) => `    this.${name} = new ${className(name)}(client)`)
  return [
    '/** All resources of the API. */',
    'export class Resources extends Resource {',
    ...fields,
    '',
    '  constructor(client: Client) {',
    '    super(client)',
    ...made,
    '  }',
    '}',
  ].join('\n')
}

function imports({ components }: ApiDocument, text: string): string {
  const used = Object.keys(components.schemas).filter((name) => new RegExp(`(?<![\\w'.])${name}(?![\\w':])`).test(text))
  return [
    "import type { ApiPromise } from '../core/api-promise.ts'",
    "import type { Client } from '../core/client.ts'",
    "import type { List } from '../core/list.ts'",
    "import type { CallOptions } from '../core/operation.ts'",
    "import { Resource } from '../core/resource.ts'",
    `import type {\n${used.map((name) => `  ${name},\n`).join('')}} from './types.ts'`,
  ].join('\n')
}

/** Schemas can have the name of a resource alone. */
const className = (resource: string): string => `${pascal(resource)}Resource`

/** `payPalAccounts` → `PayPalAccounts` */
const pascal = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`
