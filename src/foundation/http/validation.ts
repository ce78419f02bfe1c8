import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import type { FastifySchemaCompiler } from 'fastify'
import { ApiError, endSentence, type FieldErrors, fieldError } from '../core/errors.ts'
import { lostDigits, withoutGroups } from '../core/routing-number.ts'
import { isCalendarDate } from '../lib/clock.ts'
import { emailProblem, isEmail } from '../lib/text/email.ts'
import { hiddenCharacterIn } from '../lib/text/hidden-character.ts'
import { compileOnce } from './compile-once.ts'
import { BAD_TEXT, isBadText } from './json-body.ts'

/**
 * The maximum size of a request for which all problems are listed. For larger requests, only the first problem is listed, to limit the
 * work.
 */
const MAX_SIZE_FOR_ALL_ERRORS = 64 * 1024
const MAX_FIELDS_LISTED = 20

/**
 * Compiles validators. Schemas are closed and nothing is coerced: `"1"` is not 1, and unknown fields are errors. Only the query, which is
 * always text, is converted to the types of its schema.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  httpPart === 'querystring' ? textValidator(schema) : jsonValidator(schema)

const jsonValidator = compileOnce((schema) => createValidator(schema, { isText: false }))
const textValidator = compileOnce((schema) => createValidator(schema, { isText: true }))

function createValidator(schema: object, { isText }: { isText: boolean }) {
  const { first, all } = ajvs[isText ? 'text' : 'json']
  const validateFast = first.compile(schema)
  const integers = isText ? integersOf(schema) : []
  let validateAll: ValidateFunction | undefined
  return (value: unknown) => {
    if (isText) readQuery(value as Record<string, unknown>, integers)
    // Validates a converted query twice: "1e309" becomes Infinity, which Ajv does not check the first time.
    if (validateFast(value) && (!isText || validateFast(value))) return { value }
    let errors = validateFast.errors ?? []
    if (isSmall(value)) {
      validateAll ??= all.compile(schema)
      validateAll(value)
      errors = validateAll.errors ?? errors
    }
    throw invalidRequest(errors, schema)
  }
}

/** Returns whether a value is small. It does not use recursion, because a body may be deeply nested. */
function isSmall(root: unknown): boolean {
  const rest: unknown[] = [root]
  let size = 0
  while (rest.length > 0 && size <= MAX_SIZE_FOR_ALL_ERRORS) {
    const value = rest.pop()
    size += typeof value === 'string' ? value.length : 4
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      size += name.length
      rest.push(member)
    }
  }
  return size <= MAX_SIZE_FOR_ALL_ERRORS
}

function createAjv(options: { allErrors: boolean; coerceTypes: boolean }): Ajv {
  const instance = new Ajv({ ...options, verbose: true, strict: true, strictTypes: false, allowUnionTypes: true })
  instance.addFormat('email', isEmail)
  instance.addFormat('name', (text: string) => hiddenCharacterIn(text) === null)
  instance.addFormat('date', isCalendarDate)
  instance.addKeyword('x-refused') // used by `refusal`
  instance.addKeyword('x-items') // used by `itemValidator`
  instance.addKeyword('x-elsewhere') // used by `otherCallProblem`
  instance.addKeyword({ keyword: 'x-digits', type: 'string', modifying: true, errors: false, validate: removeGroups })
  return instance
}

/** Removes the groups from bank and account numbers, which are stored and compared without them. */
function removeGroups(_schema: unknown, text: string, _parent: unknown, place?: DataValidationCxt): boolean {
  if (place) place.parentData[place.parentDataProperty] = withoutGroups(text)
  return true
}

/** The Ajv instances. All schemas share them, because creating an instance takes longer than compiling a schema. */
const ajvs = {
  json: {
    first: createAjv({ allErrors: false, coerceTypes: false }),
    all: createAjv({ allErrors: true, coerceTypes: false }),
  },
  text: {
    first: createAjv({ allErrors: false, coerceTypes: true }),
    all: createAjv({ allErrors: true, coerceTypes: true }),
  },
}

const integersOf = (schema: object): string[] =>
  Object.entries((schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {})
    .filter(([, { type }]) => type === 'integer')
    .map(([name]) => name)

/**
 * Checks the values of a query before Ajv converts them. Restores a `+` before a sort field, which arrives as a space. Integers must be
 * digits, because Ajv would also accept other notations, such as 0x1.
 */
function readQuery(query: Record<string, unknown>, integers: readonly string[]): void {
  if (typeof query.sort === 'string') query.sort = query.sort.replace(/^ /, '+')
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) throw fieldError('invalid_request', name, 'can be given only once')
    if (typeof value === 'string' && isBadText(value)) {
      throw fieldError('invalid_request', name, BAD_TEXT)
    }
    if (integers.includes(name) && !/^-?\d+$/.test(value as string)) {
      throw fieldError('invalid_request', name, 'must be a whole number')
    }
  }
}

/**
 * Returns a validator for list items that the body's schema does not describe (`x-items`).
 *
 * @returns the problems by field, or null if there are none
 */
export const itemValidator = (schema: object): ((item: unknown) => FieldErrors | null) => {
  const { first, all } = ajvs.json
  const [validateFast, validateAll] = [first.compile(schema), all.compile(schema)]
  return (item) => {
    if (validateFast(item)) return null
    const validate = isSmall(item) ? validateAll : validateFast
    validate(item)
    const { body, ...fields } = fieldsOf(validate.errors ?? [], schema)
    return body ? { '': body, ...fields } : fields
  }
}

function invalidRequest(errors: readonly ErrorObject[], schema: object): ApiError {
  const fields = fieldsOf(errors, schema)
  const message = Object.entries(fields)
    .map(([field, problems]) => `${field} ${problems.join(' and ')}`)
    .join('; ')
  return new ApiError('invalid_request', { message: endSentence(message), fields })
}

function fieldsOf(errors: readonly ErrorObject[], schema: object): FieldErrors {
  const fields: FieldErrors = Object.create(null) // without a prototype, because a field may be named __proto__
  for (const error of relevantErrors(errors)) {
    const [field, problem] = describe(error, schema)
    if (Object.keys(fields).length === MAX_FIELDS_LISTED && !fields[field]) break
    fields[field] ??= []
    if (!fields[field].includes(problem)) fields[field].push(problem)
  }
  return fields
}

/**
 * Chooses the errors to report. If no branch of an `anyOf` matches, Ajv reports the errors of all branches. Here, if some branches have the
 * right shape, only the errors of the one with the fewest errors are reported. A branch for another `type` is ignored. Otherwise, the error
 * of the `anyOf` itself is reported.
 */
function relevantErrors(given: readonly ErrorObject[]): ErrorObject[] {
  const otherCalls = given.filter((error) => otherCallProblem(error) !== null)
  const isPart = ({ instancePath }: ErrorObject) =>
    otherCalls.some((union) => `${instancePath}/`.startsWith(`${union.instancePath}/`))
  const errors = [...otherCalls, ...given.filter((error) => !isPart(error))]
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf')
  const nearest = new Map(unions.map((union) => [union, nearestBranch(errors, union)]))
  return errors.filter((error) => {
    const union = unions.find((candidate) => error.schemaPath.startsWith(`${candidate.schemaPath}/`))
    if (union) return isDeeper(error, union) && branchOf(error, union) === nearest.get(union)
    const isUnion = error.keyword === 'anyOf'
    return !(isUnion && errors.some((other) => other !== error && isDeeper(other, error)))
  })
}

/**
 * Returns the message for a value that belongs to another API call. The keyword `x-elsewhere` of a union recognizes such a value by one of
 * its fields.
 */
function otherCallProblem({ keyword, parentSchema, data }: ErrorObject): string | null {
  const problems = (keyword === 'anyOf' && parentSchema?.['x-elsewhere']) || {}
  if (typeof data !== 'object' || data === null) return null
  return Object.entries(problems as Record<string, string>).find(([member]) => Object.hasOwn(data, member))?.[1] ?? null
}

const isDeeper = (error: ErrorObject, union: ErrorObject) =>
  error.schemaPath.startsWith(`${union.schemaPath}/`) &&
  (error.instancePath.length > union.instancePath.length ||
    ['additionalProperties', 'required'].includes(error.keyword))

const branchOf = (error: ErrorObject, union: ErrorObject) =>
  error.schemaPath.slice(union.schemaPath.length + 1).split('/')[0] as string

function nearestBranch(errors: readonly ErrorObject[], union: ErrorObject): string | undefined {
  const branches = Map.groupBy(
    errors.filter((error) => isDeeper(error, union)),
    (error) => branchOf(error, union),
  )
  const distance = (errors: ErrorObject[]) => errors.length + (errors.some(isOfOtherType) ? 1_000 : 0)
  return [...branches].sort(([, some], [, others]) => distance(some) - distance(others))[0]?.[0]
}

/** Returns whether an error only shows that the branch is meant for another value of a field such as `type`. */
const isOfOtherType = ({ keyword, params }: ErrorObject) => keyword === 'enum' && params.allowedValues.length === 1

function describe(error: ErrorObject, schema: object): [field: string, problem: string] {
  const path = error.instancePath.slice(1).replaceAll('~1', '/').replaceAll('~0', '~').replaceAll('/', '.')
  const member = (name: string) => (path ? `${path}.${name}` : name)
  const { params } = error
  switch (error.keyword) {
    case 'required':
      return [member(params.missingProperty), 'is required']
    case 'additionalProperties': {
      const field = member(params.additionalProperty)
      return [field, refusal(schema, field) ?? 'is not a field of this request']
    }
    case 'enum':
      return [path || 'body', refusal(schema, error.data) ?? `must be one of ${namedValues(params.allowedValues)}`]
    default:
      return [path || 'body', problems[error.keyword]?.(error) ?? error.message ?? 'is invalid']
  }
}

/** Lists allowed values in words. Null is omitted, because a nullable field can also be left out. */
const namedValues = (values: unknown[]): string => values.filter((value) => value !== null).join(', ')

/** Returns why a field or a value is refused that other services accept (specification.md 5.7). */
function refusal(schema: object, name: unknown): string | undefined {
  const refused = (schema as { 'x-refused'?: Record<string, string> })['x-refused'] ?? {}
  return typeof name === 'string' && Object.hasOwn(refused, name) ? refused[name] : undefined
}

const typeWords: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const problems: Record<string, (error: ErrorObject) => string> = {
  type: ({ params, parentSchema }) =>
    params.type === 'object' && /^an? /.test(parentSchema?.description)
      ? `must be ${parentSchema?.description}`
      : `must be ${[params.type]
          .flat()
          .map((type: string) => typeWords[type] ?? type)
          .join(' or ')}`,
  minLength: ({ params }) =>
    params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`,
  maxLength: ({ params }) => `must have at most ${params.limit} characters`,
  exclusiveMinimum: ({ params }) => `must be more than ${params.limit}`,
  minimum: ({ params }) => `must be at least ${params.limit}`,
  maximum: ({ params }) => `must be at most ${params.limit}`,
  minProperties: () => 'must have at least one field',
  minItems: ({ params }) => (params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} items`),
  maxItems: ({ params }) => `must have at most ${params.limit} items`,
  uniqueItems: () => 'must not contain duplicates',
  anyOf: (error) => otherCallProblem(error) ?? describedBySchema(error) ?? 'has an invalid format',
  pattern: (error) => digitsProblem(error) ?? describedBySchema(error) ?? 'has an invalid format',
  format: (error) => formatProblem(error) ?? describedBySchema(error) ?? `must be a valid ${error.params.format}`,
}

const digitsProblem = ({ parentSchema, data }: ErrorObject): string | null =>
  parentSchema?.['x-digits'] && typeof data === 'string' ? lostDigits(data) : null

/** Returns the problem of a text that does not match its format, if the message depends on the text. */
function formatProblem({ params, data }: ErrorObject): string | null {
  if (typeof data !== 'string') return null
  if (params.format === 'email') return emailProblem(data)
  return params.format === 'name' ? hiddenCharacterIn(data) : null
}

const describedBySchema = ({ parentSchema }: ErrorObject) =>
  parentSchema?.description ? `must be ${parentSchema.description}` : undefined
