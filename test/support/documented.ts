import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isCalendarDate } from '../../src/foundation/lib/clock.ts'
import { isEmail } from '../../src/foundation/lib/text/email.ts'

type Schema = { properties?: { code?: { enum: string[] } } }

type Response = { $ref?: string; content?: Record<string, { schema: Schema }> }

type Operation = { operationId: string; responses: Record<string, Response> }

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at field by field
type Document = any

/** The document that the service serves, as written by `npm run generate`. */
export const apiDocument: Document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

/** Copies a part of the document together with the objects that its references name. */
export function resolved(part: Document, document: Document = apiDocument): Document {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((item) => resolved(item, document))
  const { $ref, ...members } = part
  const own = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, name === 'examples' ? member : resolved(member, document)]),
  )
  if (typeof $ref !== 'string') return own
  const target = $ref
    .split('/')
    .slice(1)
    .reduce((holder, name) => holder[name], document)
  return { ...resolved(target, document), ...own }
}

const operations = Object.entries(apiDocument.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
)

/** Every answer in all tests is looked up here, so only operations with as many path segments are compared. */
const shapeOf = ({ method, path }: { method: string; path: string }) => `${method} ${path.split('/').length}`
const operationsByShape = Map.groupBy(operations, shapeOf)

export function findOperation(method: string, path: string): Operation | undefined {
  const found = (operationsByShape.get(shapeOf({ method, path })) ?? []).filter(({ pattern }) => pattern.test(path))
  return (found.find((candidate) => candidate.path === path) ?? found[0])?.operation
}

/** Finds the operation of a request, and its parameters. */
export function findCall(method: string, url: string) {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const found = operations.filter((candidate) => candidate.method === method && candidate.pattern.test(pathname))
  const { path, operation } = found.find((candidate) => candidate.path === pathname) ?? found[0] ?? {}
  if (path === undefined || !operation) throw new Error(`the API reference has no ${method} ${url}`)
  const values = pathname.split('/')
  const names = path.split('/').map((part) => part.match(/^\{(\w+)\}$/)?.[1])
  const params = names.flatMap((name, index) => (name === undefined ? [] : [[name, values[index]]]))
  return {
    operationId: operation.operationId,
    params: Object.fromEntries(params) as Record<string, string>,
    query: Object.fromEntries(searchParams),
  }
}

/** Returns the response of a status, or of its range, and resolves its reference. */
export function responseOf({ responses }: Operation, status: number): Operation['responses'][string] | undefined {
  const response = responses[status] ?? responses[`${String(status)[0]}XX`]
  const name = response?.$ref?.split('/').at(-1)
  return name === undefined ? response : apiDocument.components.responses[name]
}

/** Browser sessions are not documented, and an environment may lack an operation. */
const UNDOCUMENTED = [
  'not_signed_in',
  'foreign_origin',
  'confirmation_needed',
  'two_factor_required',
  'platform_changed',
  'not_found',
  'method_not_allowed',
]

/** Fails for an error that the API reference does not list. To fix it, add the code to `errors` of the route. */
export function requireDocumentedError(
  method: string,
  url: string,
  { status, code }: { status: number; code?: unknown },
): void {
  if (status < 400 || UNDOCUMENTED.includes(String(code))) return
  const operation = findOperation(method, url.split('?', 1)[0] as string)
  if (!operation) return
  const codes = responseOf(operation, status)?.content?.['application/json']?.schema.properties?.code?.enum ?? []
  if (!codes.includes(String(code))) {
    throw new Error(`${method} ${url} answered ${status} ${code}, which ${operation.operationId} does not document`)
  }
}

const ajv = new Ajv2020({ strict: false, formats: { email: isEmail, date: isCalendarDate, binary: true } })
ajv.addSchema(apiDocument, 'openapi.json')
const validators = new Map<Schema, ValidateFunction>()

/** Schemas refer to `#/components`, which only the whole document contains. */
function validatorOf(schema: Schema): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi.json#/components'))
  const validator = ajv.compile(absolute)
  validators.set(schema, validator)
  return validator
}

/** Fails for a response whose status, content type or body is not the documented one, as a strict generated client does. */
export function requireDocumentedAnswer(
  method: string,
  url: string,
  { status, type, text, body }: GivenAnswer & { status: number },
): void {
  const operation = findOperation(method, url.split('?', 1)[0] as string)
  if (!operation || (status >= 400 && UNDOCUMENTED.includes(String((body as { code?: string } | null)?.code)))) return
  const problem = problemOf(responseOf(operation, status), { type, text, body })
  if (problem === null) return
  const answer = text.slice(0, 2_000)
  throw new Error(`${method} ${url} answered ${status}, but ${operation.operationId} ${problem}: ${answer}`)
}

type GivenAnswer = { type: string | null; text: string; body: unknown }

function problemOf(response: Response | undefined, { type, text, body }: GivenAnswer): string | null {
  if (!response) return 'does not document this status'
  if (!response.content) return text === '' ? null : 'documents no body'
  const documented = response.content[type?.split(';', 1)[0] ?? '']
  if (!documented) return `does not document the content type ${type}`
  if (body === null) return null
  const validate = validatorOf(documented.schema)
  return validate(body) ? null : `documents another body: ${ajv.errorsText(validate.errors)}`
}
