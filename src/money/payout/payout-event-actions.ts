import type { PostedEvent } from '../../connections/processor/processor-types.ts'
import { findConnection } from '../../foundation/core/operator-account.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { readEvent } from './open-processor-actions.ts'
import {
  deleteProcessorEvent,
  insertProcessorEvent,
  listPayoutsOfEvents,
  listProcessorEvents,
  updateAskedNow,
} from './payout-store.ts'

/** The result of receiving an event: it was accepted (`taken`), or the reason why it was refused. */
export type EventOutcome = 'taken' | 'no_such_connection' | 'refused' | 'unreadable'

/**
 * Accepts an event that a processor posted. The event moves no money: it only makes this service ask about the order at once. Therefore, a
 * repeated or late event, or one that arrives out of order, changes nothing.
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
  if (subject) await keepEvent(deps, connectionId, subject)
  return 'taken'
}

async function keepEvent(
  deps: Deps,
  connectionId: string,
  subject: { reference: string } | { processorId: string },
): Promise<void> {
  const named =
    'reference' in subject
      ? ({ kind: 'reference', subject: subject.reference } as const)
      : ({ kind: 'processor_id', subject: subject.processorId } as const)
  await insertProcessorEvent(deps.sql, { connectionId, ...named, now: deps.realClock.now() })
  deps.wake()
}

/**
 * Makes the orders due that events of a connection name. Each order has its own statement, because orders belong to different platforms.
 */
export async function followEvents({ sql, clock }: Deps, connectionId: string): Promise<void> {
  const events = await listProcessorEvents(sql, connectionId)
  if (events.length === 0) return
  const of = (wanted: string) => events.filter(({ kind }) => kind === wanted).map(({ subject }) => subject)
  const named = { connectionId, references: of('reference'), processorIds: of('processor_id') }
  for (const key of await listPayoutsOfEvents(sql, named)) await updateAskedNow(sql, key, clock.now())
  for (const event of events) await deleteProcessorEvent(sql, connectionId, event)
}
