import type { TestContext } from 'node:test'
import { type EnvironmentSettings, environmentDefaults } from '../../src/foundation/core/environment.ts'
import { systemClock } from '../../src/foundation/lib/clock.ts'
import { systemRandom } from '../../src/foundation/lib/ids.ts'
import {
  closeLines,
  createLines,
  type Lines,
  type PostResult,
  postWebhook,
} from '../../src/webhook/delivery/webhook-post-actions.ts'

/** Sends webhooks without the rest of the service. */
export type Poster = { lines: Lines; post(url: string): Promise<PostResult> }

export function createPoster(
  t: TestContext | { after: TestContext['after'] },
  changes: Partial<EnvironmentSettings> = {},
): Poster {
  const settings = { ...environmentDefaults.production, ...changes }
  const lines = createLines(settings)
  t.after(() => closeLines(lines))
  const deps = { settings, random: systemRandom, realClock: systemClock }
  const keys = { webhookKey: 'a key of a test', previousWebhookKey: null }
  const event = { eventId: 'a'.repeat(32), body: '{"status":"PAID"}', order: null }
  return { lines, post: (url) => postWebhook(deps, lines, { url, ...keys }, event) }
}
