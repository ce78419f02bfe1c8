import { readFileSync } from 'node:fs'

type Operation = {
  operationId: string
  responses: Record<
    string,
    { $ref?: string; content?: Record<string, { schema: { properties?: { code?: { enum: string[] } } } }> }
  >
}

/** The document that the service serves, as written by `npm run generate`. */
export const apiDocument = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

const operations = Object.entries(apiDocument.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
)

export function findOperation(method: string, path: string): Operation | undefined {
  const found = operations.filter((candidate) => candidate.method === method && candidate.pattern.test(path))
  return (found.find((candidate) => candidate.path === path) ?? found[0])?.operation
}

/** Returns a response of the document and resolves its reference. */
export function responseOf(operation: Operation, status: number): Operation['responses'][string] | undefined {
  const response = operation.responses[status]
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
