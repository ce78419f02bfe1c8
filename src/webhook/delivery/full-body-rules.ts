import { formatDateTime } from '../../foundation/lib/clock.ts'

/**
 * Returns a full body: the fields of the thin body, byte for byte, then the event and its object.
 *
 * @param thinBody a JSON object that is not empty
 * @param object the object as JSON, or null if the receiver cannot read it
 */
export const fullBody = (
  thinBody: string,
  { eventId, eventAt, object }: { eventId: string; eventAt: Date; object: string | null },
): string => `${thinBody.slice(0, -1)},"event":"${eventId}","date":"${formatDateTime(eventAt)}","object":${object}}`
