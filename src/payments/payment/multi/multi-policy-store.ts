import type { Sql } from '../../../foundation/db/connect.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import type { AcceptRefusal } from '../accept/accept-refusal-rules.ts'
import type { Acceptance } from '../accept/accept-store.ts'

/** One of several recipients, with its user. Null: a person without an account. */
export type JudgedRecipient = { recipient: string; user: UserKey | null }

/**
 * Finds the reason why the approval policy refuses one of the recipients of a payment (see `sql/approval_refusal_v1.sql`). The caller
 * holds the lock of the sender.
 */
export async function findPolicyRefusal(
  sql: Sql,
  payment: Acceptance,
  recipients: readonly JudgedRecipient[],
): Promise<AcceptRefusal | null> {
  const { platformId, senderId, approvalId, isDryRun, amountCents, now } = payment
  const [row] = await sql<AcceptRefusal[]>`
    select (j.refusal).code as outcome, (j.refusal).field, (j.refusal).detail
    from ${judged(sql, recipients)}
    cross join lateral (
      select approval_refusal_v1(
        ${platformId}, ${senderId}, ${approvalId}, ${isDryRun}, ${amountCents}, ${payment.rails.join(',')},
        ${payment.sources.join(',')}, payee_keys_v1(r.platform_id, r.user_id, r.recipient, null, null),
        case when r.platform_id = ${platformId} then r.user_id end, ${now}
      ) as refusal
    ) j
    where not (j.refusal is null)
    order by r.place
    limit 1
  `
  return row ?? null
}

/** Counts the people who must approve a payment because of its recipients. */
export async function countNeededForRecipients(
  sql: Sql,
  payment: Acceptance,
  recipients: readonly JudgedRecipient[],
): Promise<number> {
  const { platformId, senderId, amountCents, now } = payment
  const [row] = await sql<{ needed: number }[]>`
    select max(needed_approvals_v1(
      ${platformId}, ${senderId}, ${amountCents}, ${payment.rails.join(',')}, ${payment.sources.join(',')},
      payee_keys_v1(r.platform_id, r.user_id, r.recipient, null, null),
      case when r.platform_id = ${platformId} then r.user_id end, ${now}
    )) as needed
    from ${judged(sql, recipients)}
  `
  return row?.needed ?? 0
}

const judged = (sql: Sql, recipients: readonly JudgedRecipient[]) => sql`
  unnest(
    ${recipients.map(({ user }) => user?.platformId ?? null)}::uuid[],
    ${recipients.map(({ user }) => user?.userId ?? null)}::uuid[],
    ${recipients.map(({ recipient }) => recipient)}::text[]
  ) with ordinality r (platform_id, user_id, recipient, place)
`
