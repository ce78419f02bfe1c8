import { isDeepStrictEqual } from 'node:util'
import { isPublic, mayOmitBody, type Route, repetitionOf } from '../route.ts'
import { errorAnswer } from '../schema.ts'
import { codeSamplesOf } from './code-samples.ts'
import type { ApiDocument, ApiExample, ApiExamples, Operation, Schema } from './document-types.ts'
import type { Permissions } from './documented-errors.ts'
import { errorCodes, errorResponses } from './error-responses.ts'
import { shareComponents } from './shared-components.ts'

const JSON_TYPE = 'application/json'

/**
 * Adds details that the route schemas do not contain: the errors of each operation, a recorded example, tested samples, which bodies are
 * optional, and whether a request may be repeated. Then moves the parts that several operations share into `components`.
 */
export function completeDocument(
  document: ApiDocument,
  { routes, permissions, examples }: { routes: readonly Route[]; permissions: Permissions; examples: ApiExamples },
): ApiDocument {
  const routesByName = new Map(routes.filter(isPublic).map((route) => [route.spec.operationId, route]))
  const completed = withDocumentedItems(document)
  for (const operation of Object.values(completed.paths ?? {}).flatMap((methods) => Object.values(methods))) {
    const route = routesByName.get(operation.operationId)
    if (!route) continue
    operation['x-idempotency'] = repetitionOf(route)
    addExample(operation, examples[route.spec.operationId as string])
    const samples = codeSamplesOf(route.spec.operationId as string)
    if (samples.length > 0) operation['x-codeSamples'] = samples
    if (operation.requestBody && mayOmitBody(route)) operation.requestBody.required = false
    withoutStandIns(operation)
    if (isDeepStrictEqual(operation.security, completed.security)) delete operation.security
    Object.assign(operation.responses, errorResponses(route, permissions))
  }
  completed.components = { ...completed.components, schemas: { Error: { ...errorAnswer }, ErrorCode: errorCodes } }
  return shareComponents(completed)
}

function addExample(operation: Operation, example: ApiExample | undefined): void {
  if (!example) return
  for (const parameter of operation.parameters ?? []) {
    const values = parameter.in === 'path' ? example.params : parameter.in === 'query' ? example.query : undefined
    const value = values?.[parameter.name]
    const isNumber = ['number', 'integer'].includes(parameter.schema?.type as string)
    if (value !== undefined) parameter.example = isNumber ? Number(value) : value
  }
  const given = operation.requestBody?.content[JSON_TYPE]
  if (given && example.body !== undefined) given.schema.examples = [example.body]
  const answered = Object.values(operation.responses)[0]?.content?.[JSON_TYPE]
  if (answered && example.answer !== undefined) showExample(answered.schema, example.answer)
}

/** Adds the example of an answer. The example of a list is one of its items, if the schema of the items has a title. */
function showExample(schema: Schema, example: unknown): void {
  const lists = Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, { items }]) => {
    const [first] = [(example as Schema)[name] ?? []].flat()
    return first !== undefined && (items as Schema | undefined)?.title !== undefined
      ? [{ items: items as Schema, first }]
      : []
  })
  if (schema.title !== undefined || lists.length !== 1) schema.examples = [example]
  else for (const { items, first } of lists) items.examples = [first]
}

/** Removes the stand-in description that a response without one gets. It does not describe the schema. */
function withoutStandIns({ responses }: Operation): void {
  for (const { description, content } of Object.values(responses)) {
    const schema = content?.[JSON_TYPE]?.schema
    if (schema && description === 'Success' && schema.description === description) delete schema.description
  }
}

/** Documents items that the handler validates (`itemValidator`) in the same way as items that the schema of the body validates. */
function withDocumentedItems<Part>(part: Part): Part {
  const documented = JSON.stringify(part, (_name, member) => {
    if (typeof member !== 'object' || member === null || !('x-items' in member)) return member
    const { 'x-items': items, ...rest } = member
    return { ...rest, items }
  })
  return JSON.parse(documented)
}
