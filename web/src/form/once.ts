import { hasCode, ServiceError } from '../service-error.ts'
import { findPending, forgetPending, keepPending } from './pending.ts'

const RETRY_AFTER_MS = [1_000, 2_000, 4_000, 8_000]

/** Answers after which nobody knows whether the request was carried out, and which may be different in a moment. */
const UNKNOWN = ['unreachable', 'outcome_unknown', 'idempotency_key_in_use', 'http_502', 'http_503', 'http_504']

/** A request that was refused for one of these was not looked at: they say nothing about an earlier one with the same key. */
const REFUSED_UNREAD = [401, 403, 429]

const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Sends a request that must be carried out once, with an Idempotency-Key. The key belongs to the form and to what is sent, and lives
 * until the outcome of the request is known: a second try, also after a reload, has the same key.
 *
 * @param form the name of the form, with the id of what it is about
 * @param content what is sent, as JSON has it
 * @param onUnknown called when an answer was lost. The request is sent again
 * @throws ServiceError, with the code `outcome_unknown` while nobody knows whether the request was carried out
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
      if (delayMs === null || !isPassing(error)) throw outcomeUnknown(error)
      onUnknown()
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
  throw new Error('not reached')
}

/** Whether an error says what became of the request. `isLost`: an earlier answer to the same key is missing. */
function isOutcome(error: unknown, isLost: boolean): boolean {
  if (!(error instanceof ServiceError) || isPassing(error)) return false
  const { status, code } = error
  if (status === null || status >= 500) return false
  // Whether a payment needs an approval is decided after the service has looked for the key.
  return !isLost || !REFUSED_UNREAD.includes(status) || code === 'approval_required'
}

const isPassing = (error: unknown): boolean => UNKNOWN.some((code) => hasCode(error, code))

/** Nobody knows whether the request was carried out. */
export const isUnknown = (error: unknown): boolean => hasCode(error, 'outcome_unknown')

const outcomeUnknown = (cause: unknown): ServiceError =>
  new ServiceError({
    code: 'outcome_unknown',
    message: `${cause instanceof ServiceError ? `${cause.message} ` : ''}We don’t know whether this was done. Ask again: it is done only once.`,
    ...(cause instanceof ServiceError && { requestId: cause.requestId, retryAfterSeconds: cause.retryAfterSeconds }),
  })
