import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { MAX_AMOUNT_CENTS } from '../core/money.ts'

/** Returns an object schema that refuses other fields. All request schemas are closed (specification.md 1.4). */
export const closed = <Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** Returns a closed object schema with a name in the API reference and in generated clients. */
export const named = <Properties extends TProperties>(title: string, properties: Properties, options: object = {}) =>
  closed(properties, { title, ...options })

/** Returns a schema that also allows null. */
export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>(
    'type' in schema
      ? {
          ...schema,
          type: [schema.type, 'null'],
          ...('enum' in schema && { enum: [...(schema.enum as string[]), null] }),
        }
      : Type.Union([schema, Type.Null()]),
  )

export const oneOf = <const Values extends readonly string[]>(values: Values, options: object = {}) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })

export const text = (minLength: number, maxLength: number, options: object = {}) =>
  Type.String({ minLength, maxLength, ...options })

/** A pattern for strings that requires at least one visible character. */
export const visible = { pattern: '\\S', description: 'a text that is not only white space' }

export const id = Type.String({
  title: 'Id',
  pattern: '^[0-9a-f]{32}$',
  description: 'an id of 32 lower-case hex digits',
})

/** The parameters of a path with an id. The router checks the id's format (`http/route.ts`), so a malformed id is an unknown URL. */
export const idParams = closed({ id })

export const email = Type.String({ format: 'email', maxLength: 254, description: 'an email address' })

/**
 * A routing number of nine digits. Digits may be in groups, which validation removes. The check digit is checked where the number is used.
 */
export const routingNumber = Type.String({
  pattern: '^\\d([ \\u00a0\\u202f-]?\\d){8}$',
  'x-digits': true,
  description: 'an ABA routing number of 9 digits',
})

/** The number of a bank account. Digits may be in groups, which validation removes. */
export const accountNumber = Type.String({
  pattern: '^\\d([ \\u00a0\\u202f-]?\\d){3,16}$',
  'x-digits': true,
  description: 'an account number of 4 to 17 digits',
})

export const calendarDate = Type.String({ format: 'date', description: 'a date, as YYYY-MM-DD' })

/** An amount in dollars. The conversion to cents refuses a third decimal, so the schema does not: 0.06 - 0.05 must count as one cent. */
export const amount = Type.Number({
  title: 'Amount',
  exclusiveMinimum: 0,
  maximum: MAX_AMOUNT_CENTS / 100,
  description: 'Dollars, at least 0.01, with at most two decimals',
})

export const postalAddress = named('PostalAddress', {
  line_1: text(1, 100),
  line_2: Type.Optional(nullable(text(0, 100))),
  city: text(1, 40),
  state: text(1, 30),
  zip: text(1, 10),
  country: Type.Optional(nullable(text(2, 64))),
})

export const nothing = named('Empty', {}, { description: 'An empty object' })

/** The body of a request that has no fields. */
export const noFields = named('EmptyRequest', {})

/** The body of a request that names an account. */
export const accountBody = named('AccountRequest', { account: id })

/** An answer that names an object. */
export const reference = named('Reference', { id: Type.String() })

const optionalText = nullable(Type.String())

/** An address in an answer. */
export const optionalAddress = named('Address', {
  line_1: optionalText,
  line_2: optionalText,
  city: optionalText,
  state: optionalText,
  zip: optionalText,
  country: optionalText,
})

export const PER_PAGE = [10, 25, 50, 100, 250] as const

export const errorAnswer = Type.Object(
  {
    message: Type.String(),
    error: Type.String({ description: 'Equal to `message`' }),
    code: Type.String({ description: 'A stable code in snake_case, for programs' }),
    errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Messages by field' })),
    trace_id: Type.Optional(
      Type.String({ description: 'The trace of the request (OpenTelemetry), if the operator collects traces' }),
    ),
  },
  { description: 'An error' },
)
