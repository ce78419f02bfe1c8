import { ApiError } from '../core/errors.ts'
import type { Caller } from './caller.ts'

const RECENT_MS = 10 * 60 * 1_000

/**
 * What makes or shows a secret asks somebody who is signed in to prove again who they are, unless that was just done:
 * a browser left open gives no lasting access away. API keys are proof enough.
 *
 * @throws ApiError confirmation_needed
 */
export function requireRecentProof({ credential }: Caller, now: Date): void {
  if (credential.kind !== 'session') return
  const age = now.getTime() - (credential.provedAt?.getTime() ?? Number.NEGATIVE_INFINITY)
  if (age > RECENT_MS) throw new ApiError('confirmation_needed')
}
