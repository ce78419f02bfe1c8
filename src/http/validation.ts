import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formatsPlugin from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { isCalendarDate } from '../lib/clock.ts'
import { ApiError, type FieldErrors } from '../lib/errors.ts'
import { isBadText } from './json-body.ts'

/** Up to this size all problems of a request are listed at once; of a larger one, the first: the list is not a lever. */
const MAX_SIZE_FOR_ALL_ERRORS = 64 * 1024
const MAX_FIELDS_LISTED = 20

/**
 * Schemas are closed and nothing is coerced: `"1"` is not 1, and a field that the schema does not name is an error.
 * Only the query is text by nature and is read as the types of its schema.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const isText = httpPart === 'querystring'
  const validateFast = ajv({ allErrors: false, coerceTypes: isText }).compile(schema)
  let validateAll: ValidateFunction | undefined
  return (value: unknown) => {
    if (isText) refuseBadQuery(value as Record<string, unknown>)
    if (validateFast(value)) return { value }
    let errors = validateFast.errors ?? []
    if (JSON.stringify(value ?? null).length <= MAX_SIZE_FOR_ALL_ERRORS) {
      validateAll ??= ajv({ allErrors: true, coerceTypes: isText }).compile(schema)
      validateAll(value)
      errors = validateAll.errors ?? errors
    }
    throw invalidRequest(errors, schema)
  }
}

function ajv(options: { allErrors: boolean; coerceTypes: boolean }): Ajv {
  const instance = new Ajv({ ...options, verbose: true, strict: true, strictTypes: false, allowUnionTypes: true })
  formatsPlugin.default(instance, ['uri'])
  instance.addFormat('calendar-date', isCalendarDate)
  instance.addKeyword('refusedFields') // see `refusals`
  return instance
}

function refuseBadQuery(query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) throw invalidField(name, 'may be given only once')
    if (typeof value === 'string' && isBadText(value)) {
      throw invalidField(name, 'must be valid Unicode without the NUL character')
    }
  }
}

export const invalidField = (field: string, problem: string): ApiError =>
  new ApiError('invalid_request', { message: `${field} ${problem}`, fields: { [field]: [problem] } })

function invalidRequest(errors: readonly ErrorObject[], schema: object): ApiError {
  const fields: FieldErrors = {}
  for (const error of relevantErrors(errors)) {
    const [field, problem] = describe(error, schema)
    if (Object.keys(fields).length === MAX_FIELDS_LISTED && !fields[field]) break
    fields[field] ??= []
    if (!fields[field].includes(problem)) fields[field].push(problem)
  }
  const message = Object.entries(fields)
    .map(([field, problems]) => `${field} ${problems.join(' and ')}`)
    .join('; ')
  return new ApiError('invalid_request', { message, fields })
}

/**
 * Of a value that fits no branch of an `anyOf`, Ajv reports the errors of every branch. Where one branch has the right
 * shape, its deeper errors say what is wrong; else the sentence of the whole does.
 */
function relevantErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf')
  return errors.filter((error) => {
    const union = unions.find((candidate) => error.schemaPath.startsWith(`${candidate.schemaPath}/`))
    if (union) return isDeeper(error, union)
    const isUnion = error.keyword === 'anyOf'
    return !(isUnion && errors.some((other) => other !== error && isDeeper(other, error)))
  })
}

const isDeeper = (error: ErrorObject, union: ErrorObject) =>
  error.schemaPath.startsWith(`${union.schemaPath}/`) &&
  (error.instancePath.length > union.instancePath.length || error.keyword === 'additionalProperties')

function describe(error: ErrorObject, schema: object): [field: string, problem: string] {
  const path = error.instancePath.slice(1).replaceAll('~1', '/').replaceAll('~0', '~').replaceAll('/', '.')
  const member = (name: string) => (path ? `${path}.${name}` : name)
  const { params } = error
  switch (error.keyword) {
    case 'required':
      return [member(params.missingProperty), 'is required']
    case 'additionalProperties': {
      const field = member(params.additionalProperty)
      return [field, refusals(schema)[field] ?? 'is not a field of this request']
    }
    case 'enum':
      return [
        path || 'body',
        refusals(schema)[String(error.data)] ?? `must be one of ${params.allowedValues.join(', ')}`,
      ]
    default:
      return [path || 'body', problems[error.keyword]?.(error) ?? error.message ?? 'is not valid']
  }
}

/** Fields and values that other services accept and this one refuses on purpose, with the reason (api.md 6). */
const refusals = (schema: object) => (schema as { refusedFields?: Record<string, string> }).refusedFields ?? {}

const problems: Record<string, (error: ErrorObject) => string> = {
  type: ({ params }) => `must be ${[params.type].flat().join(' or ')}`,
  minLength: ({ params }) => `must have at least ${params.limit} characters`,
  maxLength: ({ params }) => `must have at most ${params.limit} characters`,
  minimum: ({ params }) => `must be at least ${params.limit}`,
  maximum: ({ params }) => `must be at most ${params.limit}`,
  minItems: ({ params }) => `must have at least ${params.limit} items`,
  maxItems: ({ params }) => `must have at most ${params.limit} items`,
  uniqueItems: () => 'must not name an item twice',
  anyOf: (error) => describedBySchema(error) ?? 'has the wrong form',
  pattern: (error) => describedBySchema(error) ?? 'has the wrong form',
  format: (error) => describedBySchema(error) ?? `must be a valid ${error.params.format}`,
}

const describedBySchema = ({ parentSchema }: ErrorObject) =>
  parentSchema?.description ? `must be ${parentSchema.description}` : undefined
