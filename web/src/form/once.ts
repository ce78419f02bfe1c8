import { useState } from 'react'
import { hasCode } from '../service-error.ts'

/** Answers after which nobody knows whether the request was carried out. */
const UNKNOWN = ['unreachable', 'outcome_unknown', 'idempotency_key_in_use', 'http_502', 'http_503', 'http_504']

const RETRY_AFTER_MS = [1_000, 2_000, 4_000, 8_000]

/** A key for one form. It stays the same until the service has said what became of the request. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Sends a request that has an Idempotency-Key. After a lost answer it asks again with the same key, so that the request is carried out once.
 *
 * @param onUnknown called when an answer was lost
 */
export async function once<Answer>(request: () => Promise<Answer>, onUnknown: () => void): Promise<Answer> {
  for (const delayMs of RETRY_AFTER_MS) {
    try {
      return await request()
    } catch (error) {
      if (!isUnknown(error)) throw error
      onUnknown()
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
  return request()
}

export const isUnknown = (error: unknown): boolean => UNKNOWN.some((code) => hasCode(error, code))

/** The same with a key of the form. The next try has a new key only after a definite answer. */
export function useOnce() {
  const [key, setKey] = useState(newIdempotencyKey)
  return <Answer>(request: (key: string) => Promise<Answer>, onUnknown: () => void): Promise<Answer> =>
    once(() => request(key), onUnknown).catch((error) => {
      if (!isUnknown(error)) setKey(newIdempotencyKey())
      throw error
    })
}
