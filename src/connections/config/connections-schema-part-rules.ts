import { type TProperties, type TSchema, Type } from 'typebox'

// The building blocks of the schemas for connections.json.

/** Returns an object schema that refuses other keys. */
export const closed = <Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** The texts of a schema. `errorMessage` completes the sentence "The value … ", and editors also show it. */
type Texts = { description: string; errorMessage: string }

export const textLike = (pattern: string, texts: Texts & { default?: string }) => Type.String({ pattern, ...texts })

export const wholeNumber = (minimum: number, maximum: number, options: { description: string; default?: number }) =>
  Type.Integer({ minimum, maximum, ...options, errorMessage: `must be a whole number from ${minimum} to ${maximum}` })

export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  options: { description: string; default?: string },
) => Type.Unsafe<Values[number]>({ enum: [...values], ...options, errorMessage: `must be ${values.join(' or ')}` })

export const yesOrNo = (description: string, isDefault: boolean) =>
  Type.Boolean({ description, default: isDefault, errorMessage: 'must be true or false' })

export const listOf = <Item extends TSchema>(item: Item, options: { description: string; minItems?: number }) =>
  Type.Array(item, { uniqueItems: true, ...options })

/** The pattern of a time of day, HH:MM. */
export const TIME = '([01][0-9]|2[0-3]):[0-5][0-9]'

export const ONE_LINE = '^[^\\u0000-\\u001f]{1,1024}$'

export const file = (description: string) =>
  textLike(ONE_LINE, { description, errorMessage: 'must be the path of a file' })

export const ID = '^[a-z][a-z0-9-]{0,29}$'

export const idOf = (what: 'an account' | 'a connection', description: string) =>
  textLike(ID, { description, errorMessage: `must be the id of ${what}` })

/** Reads an amount in whole dollars. Null: it is left out. */
export const centsOf = (dollars: number | undefined): number | null => (dollars === undefined ? null : dollars * 100)
