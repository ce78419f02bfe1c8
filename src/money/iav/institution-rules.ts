import { ApiError, type FieldErrors, fieldError } from '../../foundation/core/errors.ts'

/** A field of an institution's form. `options` are the allowed values of an OPTION. */
export type FormField = {
  name: string
  type: (typeof FIELD_TYPES)[number]
  description: string
  options?: readonly string[]
}

export const FIELD_TYPES = ['TEXT', 'PASSWORD', 'OPTION'] as const

/** A bank whose customers can confirm their accounts by signing in there. */
export type Institution = { id: string; name: string; loginForm: readonly FormField[] }

export type InstitutionAccount = { routing: string; account: string; name: string }

export type FormValues = Readonly<Record<string, string>>

/** The result of a login, of an answer to a challenge, or of a processor token. */
export type InstitutionOutcome =
  | { kind: 'accounts'; accounts: readonly InstitutionAccount[] }
  /** The institution needs another answer. `state` lets it continue, and contains no credentials. */
  | { kind: 'challenge'; form: readonly FormField[]; state: string }
  /** The value of `field` was wrong. */
  | { kind: 'refused'; field: string }
  | { kind: 'locked' }
  | { kind: 'unavailable' }

/** The connection to institutions. Implementations must neither store nor log the values that they get. */
export type InstitutionNetwork = {
  listInstitutions(): Promise<readonly Institution[]>
  logIn(institution: Institution, values: FormValues): Promise<InstitutionOutcome>
  answerChallenge(state: string, values: FormValues): Promise<InstitutionOutcome>
  /** Returns the form of a challenge, so that an answer can be checked before it is sent. */
  challengeForm(state: string): readonly FormField[]
  /** Reads a token that Plaid made for one account (https://plaid.com/docs/auth/partnerships/). */
  readProcessorToken(token: string): Promise<InstitutionOutcome>
}

/** Checks that values fill in a form and contain no other fields. @throws ApiError invalid_request */
export function requireFilledForm(form: readonly FormField[], values: FormValues): FormValues {
  const fields: FieldErrors = Object.create(null) // without a prototype, because a field may be named __proto__
  for (const { name, options } of form) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) fields[name] = ['is required']
    else if (options && !options.includes(value)) fields[name] = [`must be one of ${options.join(', ')}`]
  }
  for (const name of Object.keys(values)) {
    if (!form.some((field) => field.name === name)) fields[name] = ['is not a field of this request']
  }
  const [first] = Object.entries(fields)
  if (!first) return values
  const [name, problems] = first
  throw new ApiError('invalid_request', {
    message: fieldError('invalid_request', name, problems.join()).message,
    fields,
  })
}
