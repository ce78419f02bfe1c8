import type { Deps } from '../../foundation/db/deps.ts'
import type { EndpointKey } from '../endpoint/webhook-store.ts'
import type { BodyFormat } from '../event/event-rules.ts'
import type { DueDelivery } from './delivery-types.ts'
import { fullBody } from './full-body-rules.ts'
import { findFullBody, insertFullBody } from './full-body-store.ts'

/**
 * Returns the body that an attempt sends. The first attempt with a full body reads the object and stores the body, so that all attempts send
 * the same bytes, even if the endpoint chooses the other format in the meantime.
 */
export async function bodyToSend(deps: Deps, delivery: DueDelivery, format: BodyFormat): Promise<string> {
  const { fullBodySealed, attemptCount, body } = delivery
  if (fullBodySealed) return openFullBody(deps, fullBodySealed)
  if (format === 'THIN' || attemptCount > 0) return body
  const object = await deps.readEventObject(deps, delivery)
  const sealed = deps.keyRing.seal(fullBody(body, { ...delivery, object }), 'webhook body')
  return openFullBody(deps, await insertFullBody(deps.sql, delivery, sealed))
}

/** Returns the full body that the attempts of a delivery send, or null if none was sent. */
export async function getFullBody(
  deps: Pick<Deps, 'sql' | 'keyRing'>,
  delivery: EndpointKey & { eventId: string },
): Promise<string | null> {
  const sealed = await findFullBody(deps.sql, delivery)
  return sealed && openFullBody(deps, sealed)
}

const openFullBody = ({ keyRing }: Pick<Deps, 'keyRing'>, sealed: Buffer): string =>
  keyRing.openText(sealed, 'webhook body')
