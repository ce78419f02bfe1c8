import { ServiceError } from '../service-error.ts'

type PlacedError = {
  /** Messages by the path of their field in the form's values, such as `merchant.address.zip`. */
  fields: Record<string, string>
  /** Set when no field of the form can show the error. */
  general: string | null
}

/** The field of each error code whose message is clearer than the problem of the field. */
const fieldOfCode: Record<string, string> = {
  wrong_code: 'code',
  code_expired: 'code',
  wrong_password: 'password',
  endpoint_exists: 'url',
}

/** Decides whether each part of an error appears at a field or at the top of the form. */
export function placeError(error: Error, values: object): PlacedError {
  if (!(error instanceof ServiceError)) return { fields: {}, general: errorText(error) }
  const fields: Record<string, string> = {}
  let isPlaced = true
  for (const [path, texts] of Object.entries(error.fields)) {
    const field = fieldAt(path, values)
    if (field === null) isPlaced = false
    else fields[field] ??= error.code in fieldOfCode ? error.message : sentence(texts[0])
  }
  if (Object.keys(fields).length > 0) return { fields, general: isPlaced ? null : errorText(error) }

  const field = fieldOfCode[error.code]
  if (field !== undefined && field in values) return { fields: { [field]: error.message }, general: null }
  return { fields: {}, general: errorText(error) }
}

/**
 * Returns the field that shows a problem: `redirect_uris` for `redirect_uris.1`, and `merchant.address.zip` for itself. Null if no
 * field of the form does.
 */
function fieldAt(path: string, values: object): string | null {
  let value: unknown = values
  const found: string[] = []
  for (const name of path.split('.')) {
    if (value === null || typeof value !== 'object') break
    if (!Object.hasOwn(value, name)) return null
    value = (value as Record<string, unknown>)[name]
    found.push(name)
  }
  return value !== null && typeof value === 'object' ? null : found.join('.')
}

/** Turns a field problem of the service, such as `must have at least 8 characters`, into a sentence. */
const sentence = (text = 'is invalid') => (/^[a-z]/.test(text) ? `This ${text}${/[.!?]$/.test(text) ? '' : '.'}` : text)

/** Returns the message of an error, and when to try again. */
export function errorText(error: unknown): string {
  if (!(error instanceof ServiceError)) return 'Something went wrong. Try again.'
  const { message, retryAfterSeconds } = error
  return retryAfterSeconds === null ? message : `${message} You can try again in ${duration(retryAfterSeconds)}.`
}

function duration(seconds: number): string {
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
