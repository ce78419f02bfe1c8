import { STATUS_CODES } from 'node:http'
import { apiErrors, type ErrorCode } from '../../core/errors.ts'
import { isPublic, mayOmitBody, operationId, type Route } from '../route.ts'
import { errorAnswer } from '../schema.ts'
import { documentedErrors, type Permissions } from './documented-errors.ts'

/** A request and its answer for each operation, recorded from a running service (test/support/api-story.ts). */
export type ApiExamples = Record<string, ApiExample>

export type ApiExample = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  answer?: unknown
}

/** The parts of an OpenAPI document that this file completes. */
export type ApiDocument = {
  components?: Record<string, object>
  paths?: Record<string, Record<string, Operation>>
}

type Operation = {
  operationId: string
  parameters?: { name: string; in: string; example?: unknown }[]
  requestBody?: { required?: boolean; content: Record<string, { example?: unknown }> }
  responses: Record<string, Answer>
}

type Answer = { content?: Record<string, { example?: unknown; [keyword: string]: unknown }> } | { $ref: string }

const JSON_TYPE = 'application/json'

/** Adds details that the route schemas do not contain: the errors of each operation, a recorded example, and which bodies are optional. */
export function completeDocument<Document extends ApiDocument>(
  document: Document,
  { routes, permissions, examples }: { routes: readonly Route[]; permissions: Permissions; examples: ApiExamples },
): Document {
  const publicRoutes = routes.filter(isPublic)
  const errors = new Map(
    publicRoutes.map((route) => [operationId(route), byStatus(documentedErrors(route, permissions))]),
  )
  const withoutBody = new Set(publicRoutes.filter(mayOmitBody).map(operationId))
  const shared = sharedResponses([...errors.values()])
  for (const operation of Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods))) {
    addExample(operation, examples[operation.operationId])
    if (operation.requestBody) operation.requestBody = withDocumentedItems(operation.requestBody)
    if (operation.requestBody && withoutBody.has(operation.operationId)) operation.requestBody.required = false
    for (const [status, codes] of errors.get(operation.operationId) ?? []) {
      const isShared = shared.get(status) === codes.join()
      operation.responses[status] = isShared ? { $ref: `#/components/responses/${nameOf(status)}` } : responseOf(codes)
    }
  }
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Error: errorAnswer },
    responses: Object.fromEntries([...shared].map(([status, codes]) => [nameOf(status), responseOf(split(codes))])),
    examples: Object.fromEntries(Object.keys(apiErrors).map((code) => [code, errorExample(code as ErrorCode)])),
  }
  return document
}

function addExample(operation: Operation, example: ApiExample | undefined): void {
  if (!example) return
  for (const parameter of operation.parameters ?? []) {
    const values = parameter.in === 'path' ? example.params : parameter.in === 'query' ? example.query : undefined
    if (values?.[parameter.name] !== undefined) parameter.example = values[parameter.name]
  }
  const given = operation.requestBody?.content[JSON_TYPE]
  if (given && example.body !== undefined) given.example = example.body
  const [answer] = Object.values(operation.responses)
  const answered = answer && 'content' in answer ? answer.content?.[JSON_TYPE] : undefined
  if (answered && example.answer !== undefined) answered.example = example.answer
}

/** Items that the handler validates (`itemValidator`) are documented like those that the schema of the body validates. */
function withDocumentedItems<Part>(part: Part): Part {
  const documented = JSON.stringify(part, (_name, member) => {
    if (typeof member !== 'object' || member === null || !('x-items' in member)) return member
    const { 'x-items': items, ...rest } = member
    return { ...rest, items }
  })
  return JSON.parse(documented)
}

/** Ordered by status. The codes of the route itself come first. */
function byStatus(codes: readonly ErrorCode[]): [status: string, codes: ErrorCode[]][] {
  const groups = Map.groupBy(codes, (code) => String(apiErrors[code][0]))
  return [...groups].sort(([a], [b]) => a.localeCompare(b))
}

/** For each status, the most common set of codes, which the document defines once. */
function sharedResponses(operations: [string, ErrorCode[]][][]): Map<string, string> {
  const groups = Map.groupBy(operations.flat(), ([status]) => status)
  const most = [...groups].map(([status, group]): [string, string] => {
    const counts = Map.groupBy(group, ([, codes]) => codes.join())
    const [[codes] = ['']] = [...counts].sort(
      ([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1),
    )
    return [status, codes]
  })
  return new Map(most.sort(([a], [b]) => a.localeCompare(b)))
}

const split = (codes: string) => codes.split(',') as ErrorCode[]

const nameOf = (status: string): string => (STATUS_CODES[status] ?? status).replaceAll(/\W/g, '')

const responseOf = (codes: readonly ErrorCode[]): Answer & { description: string } => ({
  description: codes.map((code) => `\`${code}\`: ${apiErrors[code][1]}`).join('\n\n'),
  content: {
    [JSON_TYPE]: {
      schema: {
        allOf: [{ $ref: '#/components/schemas/Error' }],
        properties: { code: { type: 'string', enum: codes } },
      },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

const errorExample = (code: ErrorCode) => ({
  summary: code,
  value: { message: apiErrors[code][1], error: apiErrors[code][1], code },
})
