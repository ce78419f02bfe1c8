import type { Remit } from '../../sdk/src/index.ts'

/** The parts of `openapi.json` that the tools read. */
export type ApiDocument = {
  components: { schemas: { ErrorCode?: { 'x-enumDescriptions'?: Record<string, string> } } }
  paths: Record<string, Record<string, ApiOperation>>
}

export type ApiOperation = {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  parameters?: unknown[]
  requestBody?: unknown
  responses: Record<string, unknown>
}

/** An operation with its place in the document. */
export type FoundOperation = ApiOperation & { method: string; path: string }

export const readDocument = (remit: Remit): Promise<ApiDocument> => remit.request<ApiDocument>('GET', '/openapi.json')

/** Every operation of the public API. */
export const operationsOf = ({ paths }: ApiDocument): FoundOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.operationId)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )

const MAX_DEPTH = 12

/** Replaces each `$ref` with the referenced schema. A schema that contains itself keeps its name. */
export function resolved(document: ApiDocument, value: unknown, within: readonly string[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => resolved(document, item, within))
  const { $ref: name } = value as { $ref?: unknown }
  if (typeof name === 'string') {
    if (within.includes(name) || within.length >= MAX_DEPTH) return { see: name }
    return resolved(document, partAt(document, name), [...within, name])
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(document, member, within)]))
}

/** Finds `#/components/schemas/Payment`. */
const partAt = (document: ApiDocument, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document)
