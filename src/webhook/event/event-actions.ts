import type { TxDeps } from '../../foundation/db/deps.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { type StatusSubject, statusEventBody } from './event-rules.ts'
import { insertEvent } from './event-store.ts'

/**
 * Records a status event of a bank, a user, a checkbook, a subscription or a piece of mail for the endpoints that subscribed to its type.
 * Runs in the transaction of the status change.
 */
export async function recordStatusEvent(
  deps: TxDeps,
  { platformId, ...subject }: StatusSubject & { platformId: string },
): Promise<void> {
  const endpointIds = await insertEvent(deps.sql, {
    platformId,
    type: subject.type,
    subjectId: subject.id,
    id: newId(deps),
    body: statusEventBody(subject),
    now: deps.clock.now(),
  })
  if (endpointIds.length > 0) deps.afterCommit(deps.wake)
}
