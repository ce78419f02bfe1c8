import { hasCode, ServiceError } from '../service-error.ts'
import { findPending, forgetPending, keepPending } from './pending.ts'

const RETRY_AFTER_MS = [1_000, 2_000, 4_000, 8_000]

/** Errors that do not show whether the request was carried out. A repetition may show it. */
const UNKNOWN = ['unreachable', 'outcome_unknown', 'idempotency_key_in_use', 'http_502', 'http_503', 'http_504']

/** Statuses of requests that were refused before their key was read. They do not show the outcome of an earlier request with that key. */
const REFUSED_UNREAD = [401, 403, 429]

const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Sends a request that must be carried out once, with an Idempotency-Key. The key belongs to the form and its content. It is kept
 * until the outcome of the request is known, so a second try uses it again, even after a reload.
 *
 * @param form the name of the form, with the id of its subject
 * @param content the content of the form, as JSON
 * @param onUnknown called before the request is sent again because an answer was lost
 * @throws ServiceError, with the code `outcome_unknown` if the outcome is still unknown after all tries
 */
export async function once<Answer>(
  form: string,
  content: unknown,
  request: (key: string) => Promise<Answer>,
  onUnknown: () => void,
): Promise<Answer> {
  const text = JSON.stringify(content)
  const found = findPending(form)
  const pending = found?.content === text ? found : { key: newIdempotencyKey(), content: text, isLost: false }
  keepPending(form, pending)
  let { isLost } = pending
  for (const delayMs of [...RETRY_AFTER_MS, null]) {
    try {
      const answer = await request(pending.key)
      forgetPending(form)
      return answer
    } catch (error) {
      if (isOutcome(error, isLost)) {
        forgetPending(form)
        throw error
      }
      isLost = true
      keepPending(form, { ...pending, isLost })
      if (delayMs === null || !isTemporary(error)) throw outcomeUnknown(error)
      onUnknown()
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
  throw new Error('not reached')
}

/** Returns whether an error shows the outcome of the request. `isLost`: an earlier answer to this key was lost. */
function isOutcome(error: unknown, isLost: boolean): boolean {
  if (!(error instanceof ServiceError) || isTemporary(error)) return false
  const { status, code } = error
  if (status === null || status >= 500) return false
  // The service looks for the key before it decides whether a payment needs an approval.
  return !isLost || !REFUSED_UNREAD.includes(status) || code === 'approval_required'
}

const isTemporary = (error: unknown): boolean => UNKNOWN.some((code) => hasCode(error, code))

/** Returns whether an error means that the outcome of the request is unknown. */
export const isUnknown = (error: unknown): boolean => hasCode(error, 'outcome_unknown')

const outcomeUnknown = (cause: unknown): ServiceError =>
  new ServiceError({
    code: 'outcome_unknown',
    message: `${cause instanceof ServiceError ? `${cause.message} ` : ''}We don’t know whether this was done. Ask again: it is done only once.`,
    ...(cause instanceof ServiceError && { requestId: cause.requestId, retryAfterSeconds: cause.retryAfterSeconds }),
  })
