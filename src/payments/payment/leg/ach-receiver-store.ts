import { allPlatforms } from '../../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { RETRY_CODES } from '../../../money/rail/return-code-rules.ts'

export type AchReceiverRow = {
  legId: string
  /** The platform of the account. For a payment to another platform, this is the recipient's platform. */
  bankPlatformId: string
  /** The account holder. */
  name: string
  /** The payment's number, null for a micro-deposit. */
  number: string | null
  description: string | null
  /** Whether the payment is a scanned check, whose number is the number of the payment. */
  isCheck: boolean
}

/** Lists the receivers of the ACH entries of legs. */
export async function listAchReceivers(
  sql: Sql,
  legs: readonly Pick<LegRow, 'platformId' | 'id'>[],
): Promise<AchReceiverRow[]> {
  return sql<AchReceiverRow[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select
      l.id as leg_id,
      case
        when l.purpose = 'payment_push' and p.recipient_platform_id <> l.platform_id
          and not exists (select from banks b where b.platform_id = l.platform_id and b.id = l.account_id)
          and not exists (select from destinations d where d.platform_id = l.platform_id and d.id = l.account_id)
          then p.recipient_platform_id
        else l.platform_id -- also for an account that the recipient entered on the page of a link before signing up
      end as bank_platform_id,
      case
        when l.purpose = 'payment_push' then p.name
        when p.kind = 'SCANNED' then p.sender_name
        else coalesce(u.business_name, u.name, '')
      end as name,
      p.number, p.description, coalesce(p.kind = 'SCANNED' and l.purpose = 'payment_pull', false) as is_check
    from unnest(
      ${legs.map(({ platformId }) => platformId)}::uuid[], ${legs.map(({ id }) => id)}::uuid[]
    ) as wanted (platform_id, id)
    join legs l on l.platform_id = wanted.platform_id and l.id = wanted.id
    left join payments p on p.platform_id = l.platform_id and p.id = l.subject_id and l.purpose <> 'micro_deposit'
    left join users u on u.platform_id = l.platform_id and u.id = l.user_id
  `
}

/** The names of the senders of legs' payments. */
export const listSenderNames = (
  sql: Sql,
  legs: readonly Pick<LegRow, 'platformId' | 'id'>[],
): Promise<{ legId: string; name: string }[]> =>
  sql<{ legId: string; name: string }[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select l.id as leg_id, coalesce(p.sender_name, u.business_name, u.name) as name
    from unnest(
      ${legs.map(({ platformId }) => platformId)}::uuid[], ${legs.map(({ id }) => id)}::uuid[]
    ) as wanted (platform_id, id)
    join legs l on l.platform_id = wanted.platform_id and l.id = wanted.id
    join payments p on p.platform_id = l.platform_id and p.id = l.subject_id
    join users u on u.platform_id = p.platform_id and u.id = p.sender_id
    where coalesce(p.sender_name, u.business_name, u.name) is not null
  `

/** Lists the payments with an earlier debit that was sent and returned for insufficient funds. */
export async function listRetriedPayments(
  sql: Sql,
  legs: readonly Pick<LegRow, 'platformId' | 'subjectId'>[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select distinct l.subject_id as id
    from unnest(
      ${legs.map(({ platformId }) => platformId)}::uuid[], ${legs.map(({ subjectId }) => subjectId)}::uuid[]
    ) as wanted (platform_id, subject_id)
    join legs l on l.platform_id = wanted.platform_id and l.subject_id = wanted.subject_id
    where l.purpose = 'payment_pull' and l.status = 'RETURNED' and l.sent_at is not null
      and l.return_code = any (${RETRY_CODES})
  `
  return rows.map(({ id }) => id)
}
