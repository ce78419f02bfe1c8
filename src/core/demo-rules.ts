import type { EnvironmentSettings } from './environment.ts'
import { ApiError } from './errors.ts'

/** The owner of the demo. Its keys are public, and its data is reset every day. */
export const publishedOwner = {
  email: 'demo@example.com',
  password: 'everybody-knows-this',
  name: 'Demo Company',
  published: {
    id: 'de30de30de307e308e30de30de30de30', // constant, because a process may cache the owner of a key
    apiKey: { key: 'de30de30de30de30de30de30de30de30', secret: 'EverybodyKnowsThisSecretOfTheRemitDemo00' },
    webhookKey: 'de30c0ffee00de30c0ffee00de30c0ff',
  },
}

/** Whether a person, a platform or an API key is that of the demo's owner, whom everybody shares. */
export function isShared(
  { firstOwner }: Pick<EnvironmentSettings, 'firstOwner'>,
  { email, platformId, key }: { email?: string; platformId?: string; key?: string },
): boolean {
  if (firstOwner !== 'published') return false
  const { id, apiKey } = publishedOwner.published
  return email === publishedOwner.email || platformId === id || key === apiKey.key
}

/** Nobody may lock the others out. @throws ApiError shared_by_all */
export function requireUnshared(...[settings, one]: Parameters<typeof isShared>): void {
  if (isShared(settings, one)) throw new ApiError('shared_by_all')
}
