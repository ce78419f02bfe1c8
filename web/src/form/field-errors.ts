import { ServiceError } from '../service-error.ts'

type PlacedError = {
  /** By the path of the field in the form's values, such as `merchant.address.zip`. */
  fields: Record<string, string>
  /** Set where the service refused for a reason that no field of the form shows. */
  general: string | null
}

/** Refusals that name no field although one field is what was wrong. */
const fieldOfCode: Record<string, string> = {
  wrong_code: 'code',
  code_expired: 'code',
  wrong_password: 'password',
  endpoint_exists: 'url',
}

/** Says where each part of an error belongs: at a field of the form, or on top of it. */
export function placeError(error: Error, values: object): PlacedError {
  if (!(error instanceof ServiceError)) return { fields: {}, general: errorText(error) }
  const fields: Record<string, string> = {}
  let isPlaced = true
  for (const [path, texts] of Object.entries(error.fields)) {
    const field = fieldAt(path, values)
    if (field === null) isPlaced = false
    else fields[field] ??= sentence(texts[0])
  }
  if (Object.keys(fields).length > 0) return { fields, general: isPlaced ? null : errorText(error) }

  const field = fieldOfCode[error.code]
  if (field !== undefined && field in values) return { fields: { [field]: error.message }, general: null }
  return { fields: {}, general: errorText(error) }
}

/** `redirect_uris.1` belongs to the field `redirect_uris`; `merchant.address.zip` to itself. Null: no field shows it. */
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

/** The service says `must have at least 8 characters`: under a field that reads as a sentence about it. */
const sentence = (text = 'is not valid') =>
  /^[a-z]/.test(text) ? `This ${text}${/[.!?]$/.test(text) ? '' : '.'}` : text

/** An error as it is shown: its message, and for how long there is no point in trying again. */
export function errorText(error: unknown): string {
  if (!(error instanceof ServiceError)) return 'Something went wrong on this page. Try again.'
  const { message, retryAfterSeconds } = error
  return retryAfterSeconds === null ? message : `${message} You can try again in ${duration(retryAfterSeconds)}.`
}

function duration(seconds: number): string {
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
