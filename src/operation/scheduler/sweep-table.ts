import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import { type OldRows, sweepOldRows } from '../../foundation/db/background/old-rows.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { MAIL_KEPT_DAYS } from '../../foundation/mail/mail-rules.ts'
import { LINK_KEPT_DAYS } from '../../payments/recipient/recipient-rules.ts'
import { EVENTS_KEPT_DAYS } from '../../webhook/event/event-rules.ts'

/** Selects endpoints without deliveries. The order makes PostgreSQL use the index even if there are no deliveries. */
const HAS_NO_DELIVERY = `
  (
    select d.event_id
    from deliveries d
    where d.platform_id = old.platform_id and d.endpoint_id = old.id
    order by d.event_id
    limit 1
  ) is null
`

/** The rows that are deleted when they are old, by background step. */
export const sweeps = {
  'sweep idempotency records': [
    { table: 'idempotency_records', key: ['platform_id', 'key_digest'], age: 'created_at', keptDays: 1 },
  ],
  'sweep mail': [{ table: 'mails', key: ['id'], unit: 'id', age: 'created_at', keptDays: MAIL_KEPT_DAYS }],
  'sweep sessions': [{ table: 'sessions', key: ['token_hash'], age: 'expires_at' }],
  'sweep verifications': [
    // The verification of a sign-up does not belong to a platform yet.
    { table: 'verifications', key: ['token_hash'], unit: 'token_hash', age: 'expires_at' },
    { table: 'invitations', key: ['token_hash'], age: 'expires_at' },
  ],
  'sweep tries': [{ table: 'tries', key: ['subject_digest'], unit: 'subject_digest', age: 'forgotten_at' }],
  'sweep recipient links': [
    { table: 'recipient_links', key: ['token_hash'], age: 'expires_at', keptDays: LINK_KEPT_DAYS },
    { table: 'mail_addresses', key: ['email_digest'], unit: 'email_digest', age: 'day', keptDays: 2 },
    { table: 'invoice_links', key: ['token_hash'], age: 'expires_at' },
  ],
  'sweep endpoints': [
    {
      table: 'endpoints',
      key: ['platform_id', 'id'],
      age: 'removed_at',
      clock: 'clock',
      keptDays: EVENTS_KEPT_DAYS,
      condition: HAS_NO_DELIVERY,
      rowsPerPass: 100,
    },
  ],
  'sweep tokens': [
    { table: 'oauth_tokens', key: ['token_hash'], age: 'kept_until' },
    { table: 'authorization_requests', key: ['uid_hash'], unit: 'uid_hash', age: 'expires_at' },
  ],
  'sweep institution logins': [
    { table: 'institution_logins', key: ['platform_id', 'id'], age: 'expires_at' },
    { table: 'confirmed_accounts', key: ['platform_id', 'id'], age: 'expires_at' },
  ],
} satisfies Record<string, OldRows[]>

/** Runs one pass of a step. @returns the number of deleted rows */
export async function sweep(deps: Deps, step: keyof typeof sweeps): Promise<number> {
  let count = 0
  for (const rows of sweeps[step]) count += await sweepOldRows(deps, step, rows)
  return count
}

export const sweepSteps: BackgroundStep[] = (Object.keys(sweeps) as (keyof typeof sweeps)[]).map((name) => ({
  name,
  run: (deps) => sweep(deps, name),
  isWoken: false,
}))
