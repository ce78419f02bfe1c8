/** The items that an owner may have to act on, with the API call that lists them. */
export const ATTENTION_KINDS = {
  payments_failed: '/v3/payment?status=FAILED',
  payments_expiring: '/v3/payment?status=UNPAID',
  banks_to_verify: null,
  users_in_debt: null,
  webhooks_failing: '/v3/webhook/endpoint',
} as const satisfies Record<string, string | null>

export type AttentionKind = keyof typeof ATTENTION_KINDS

export const ATTENTION_KIND_NAMES = Object.keys(ATTENTION_KINDS) as AttentionKind[]

/** The days in which a failed payment needs attention. */
export const FAILED_DAYS = 30

/** The days before its expiry in which an undeposited payment needs attention. */
export const EXPIRING_DAYS = 7

/** The maximum of each count. */
export const MAX_COUNT = 99
