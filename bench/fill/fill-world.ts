import type { Deps } from '../../src/foundation/db/deps.ts'
import { newId } from '../../src/foundation/lib/ids.ts'
import { upsertWebhookUrl } from '../../src/webhook/endpoint/webhook-store.ts'
import type { World } from '../support/world.ts'
import type { FillPlatform } from './fill.ts'

/** Creates a platform to fill, with an owner's endpoint that received every webhook. */
export async function fillPlatform(deps: Deps, world: World): Promise<FillPlatform> {
  const { platformId } = world
  const endpointId = newId(deps)
  const url = 'https://receiver.example.com/webhooks'
  const now = deps.clock.now()
  await upsertWebhookUrl(deps.sql, { platformId, userId: platformId }, { id: endpointId, url, now })
  const users = world.users.map(({ id, userId, bankId }) => ({
    platformId,
    userId: id,
    userName: userId,
    name: `Name of ${userId}`,
    bankId,
  }))
  return { users, endpoint: { endpointId } }
}
