import type { EnvironmentSettings } from './environment.ts'
import { ApiError } from './errors.ts'

/** The owner of the demo. Its keys are public, and its data is reset every day. */
export const publishedOwner = {
  email: 'demo@example.com',
  password: 'everybody-knows-this',
  name: 'Demo Company',
  published: {
    id: 'de30de30de307e308e30de30de30de30', // constant, because a process may have cached the owner of a key
    apiKey: { key: 'de30de30de30de30de30de30de30de30', secret: 'EverybodyKnowsThisSecretOfTheRemitDemo00' },
    webhookKey: 'de30c0ffee00de30c0ffee00de30c0ff',
  },
}

type Environment = Pick<EnvironmentSettings, 'firstOwner'>
type Subject = { email?: string; platformId?: string; key?: string }

/** Returns whether an email, a platform or an API key belongs to the demo's owner, which all visitors share. */
export function isShared({ firstOwner }: Environment, { email, platformId, key }: Subject): boolean {
  if (firstOwner !== 'published') return false
  const { id, apiKey } = publishedOwner.published
  return email === publishedOwner.email || platformId === id || key === apiKey.key
}

/** Refuses a change that would lock other visitors of the demo out. @throws ApiError shared_by_all */
export function requireUnshared(settings: Environment, subject: Subject): void {
  if (isShared(settings, subject)) throw new ApiError('shared_by_all')
}
