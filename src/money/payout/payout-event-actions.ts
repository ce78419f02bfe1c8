import type { PostedEvent } from '../../connections/processor/processor-types.ts'
import type { Connection } from '../../foundation/core/connections.ts'
import { findConnection } from '../../foundation/core/operator-account.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { readEvent } from './open-processor-actions.ts'
import { listPayoutsOfEvent, updateAskedNow } from './payout-store.ts'

/** Why an event was refused, or that it was taken. */
export type EventOutcome = 'taken' | 'no_such_connection' | 'refused' | 'unreadable'

/**
 * Takes an event that a processor posted. It moves no money: it makes this service ask about the order at once. So a repeated event, a late
 * one, or one that arrives before an earlier one, changes nothing.
 */
export async function takeEvent(
  deps: Deps,
  { connectionId, event }: { connectionId: string; event: PostedEvent },
): Promise<EventOutcome> {
  const connection = findConnection(deps.connections.current(), connectionId)
  if (!connection?.processor) return 'no_such_connection'
  const subject = await readEvent(deps, connection, event)
  if (typeof subject === 'string') {
    deps.log.warn({ connection: connectionId, problem: subject }, 'event of a processor refused')
    return subject === 'unreadable' ? 'unreadable' : 'refused'
  }
  if (subject) await askNow(deps, connection, subject)
  return 'taken'
}

async function askNow(
  deps: Deps,
  { id: connectionId }: Connection,
  subject: { reference: string } | { processorId: string },
): Promise<void> {
  for (const key of await listPayoutsOfEvent(deps.sql, { connectionId, ...subject }))
    await updateAskedNow(deps.sql, key, deps.clock.now())
  deps.wake()
}
