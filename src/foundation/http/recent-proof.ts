import { ApiError } from '../core/errors.ts'
import type { Caller } from './caller.ts'

const RECENT_MS = 10 * 60 * 1_000

/**
 * Requires a recent confirmation from a signed-in owner. It protects secrets, so that an unattended browser cannot give lasting access
 * away. API keys need no confirmation.
 *
 * @throws ApiError confirmation_needed
 */
export function requireRecentProof({ credential }: Caller, now: Date): void {
  if (credential.kind !== 'session') return
  const age = now.getTime() - (credential.provedAt?.getTime() ?? Number.NEGATIVE_INFINITY)
  if (age > RECENT_MS) throw new ApiError('confirmation_needed')
}
