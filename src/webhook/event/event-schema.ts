import { oneOf } from '../../foundation/http/schema.ts'
import { BODY_FORMATS, EVENT_TYPES } from './event-rules.ts'

export const eventType = oneOf(EVENT_TYPES, { title: 'EventType' })

export const bodyFormat = oneOf(BODY_FORMATS, {
  title: 'BodyFormat',
  description:
    'THIN: `id`, `type`, `status` and little else. FULL: the same fields, then `event`, `date` and `object`: the object as its `GET` returns it to the owner of the platform, when the first attempt is made.',
})
