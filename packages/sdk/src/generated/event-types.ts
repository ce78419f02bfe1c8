// Generated from openapi.json by "npm run generate". Do not edit.

import type { EventType } from './types.ts'

/** Every type of a webhook event. */
export const EVENT_TYPES = [
  'CHECK',
  'INVOICE',
  'BANK',
  'USER',
  'PREFUND_ACCOUNT',
  'CHECKBOOK',
  'SUBSCRIPTION',
  'MAIL',
] as const satisfies readonly EventType[]
