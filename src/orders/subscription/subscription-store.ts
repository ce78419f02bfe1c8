import type { Role } from '../../foundation/core/permission-rules.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { listPage, type Page } from '../../foundation/db/list-page.ts'
import { createdAndContaining, type ListConditions, type Paging, sortKeyOf } from '../../foundation/db/paging.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { type Interval, type StoredDetails, type SubscriptionSort, subscriptionSorts } from './subscription-rules.ts'
import type { RunOutcome, SubscriptionState, SubscriptionStatus } from './subscription-status.ts'

export type SubscriptionKey = { platformId: string; id: string }

export type SubscriptionRow = SubscriptionKey &
  UserKey & {
    type: 'CHECK' | 'INVOICE'
    state: SubscriptionState
    amountCents: number
    name: string
    /** The recipient in one line. */
    recipient: string
    /** The account that pays. Null: the default bank at the time of each run. */
    fundingId: string | null
    /** The user of this platform who pays the invoices. */
    payerId: string | null
    /** The platform of the payer, if it is another platform. It has a copy of the subscription. */
    recipientPlatformId: string | null
    /** In a copy: the platform of the sender. Otherwise null. */
    senderPlatformId: string | null
    description: string | null
    details: StoredDetails
    interval: Interval
    /** The number of runs. Null: the subscription has no end. */
    duration: number | null
    /** The day of the first run, `YYYY-MM-DD`. */
    startDate: string
    /** The number of the next run, counted from 1. */
    nextRun: number
    /** The time of the next run. Null: the subscription has ended, or is a copy. */
    nextAt: Date | null
    skipped: number[]
    /** The member who created the subscription. Null: an API key that no member created. */
    createdBy: string | null
    /** The person who may not release the payments that a run prepares. */
    preparedBy: string
    /** Whether the creator was allowed to send without a release. */
    sendsDirectly: boolean
    createdAt: Date
  }

const columns = (sql: Sql) => sql`
  platform_id, id, user_id, type, state, amount_cents, name, recipient, funding_id, payer_id, recipient_platform_id,
  sender_platform_id, description, details,
  repeats as interval, duration, start_date::text as start_date, next_run, next_at, skipped, created_by, prepared_by, sends_directly,
  created_at
`

export async function insertSubscription(sql: Sql, { interval, details, ...row }: SubscriptionRow): Promise<void> {
  await sql`
    insert into subscriptions ${sql.values({ ...row, repeats: interval, details: sql.json(details) })}
  `
}

/** A subscription with the status for answers. */
export type ShownSubscription = SubscriptionRow & { status: SubscriptionStatus; autopay: boolean }

/** Returns the condition that an invoice of the subscription `s` is unpaid although another run came after it. */
const hasOverdueInvoice = (sql: Sql, platformId: string) => sql`
  exists (
    select
    from subscription_runs o
    join invoices v on v.platform_id = o.platform_id and v.id = o.invoice_id and v.status = 'UNPAID'
    where o.platform_id = ${platformId} and o.subscription_id = s.id and o.number < s.next_run - 1
  )
`

/** Returns the condition that autopay is on for the subscription `s`. */
const hasAutopay = (sql: Sql, platformId: string) => sql`
  s.has_autopay_elsewhere or exists (
    select
    from autopay_authorizations t
    where t.platform_id = ${platformId} and t.subscription_id = s.id and t.revoked_at is null
  )
`

/** Returns the status of the subscription `s` for answers. Skipped runs do not count. */
const shownStatus = (sql: Sql, platformId: string) => sql`
  case
    when s.state = 'CANCELED' then 'CANCELED'
    else coalesce(
      (
        select
          case
            when r.outcome = 'FAILED' then 'FAILED'
            when ${hasOverdueInvoice(sql, platformId)} then 'OVERDUE'
            else coalesce(p.status, a.status, i.status)
          end
        from subscription_runs r
        left join invoices i on i.platform_id = r.platform_id and i.id = r.invoice_id
        left join approvals a on a.platform_id = r.platform_id and a.id = r.approval_id
        left join payments p on p.platform_id = r.platform_id and p.id = coalesce(r.payment_id, a.payment_id)
        where r.platform_id = ${platformId} and r.subscription_id = s.id and r.outcome <> 'SKIPPED'
        order by r.number desc
        limit 1
      ),
      'UNPAID'
    )
  end
`

export async function findSubscription(
  sql: Sql,
  { platformId, id }: SubscriptionKey,
): Promise<ShownSubscription | null> {
  const [row] = await sql<ShownSubscription[]>`
    select ${columns(sql)}, ${shownStatus(sql, platformId)} as status, ${hasAutopay(sql, platformId)} as autopay
    from subscriptions s
    where s.platform_id = ${platformId} and s.id = ${id}
  `
  return row ?? null
}

export type SubscriptionFilter = UserKey & ListConditions<SubscriptionStatus>

const matching = (sql: Sql, { platformId, userId, direction, status, ...conditions }: SubscriptionFilter) => sql`
  platform_id = ${platformId}
  and (${direction !== 'INCOMING'} and user_id = ${userId} or ${direction !== 'OUTGOING'} and payer_id = ${userId})
  ${status ? sql`and ${shownStatus(sql, platformId)} = ${status}` : sql``}
  ${createdAndContaining(sql, conditions, ['name', 'recipient', 'description'])}
`

const sortExpressions: Record<SubscriptionSort, string> = {
  TYPE: 'type collate "C"',
  AMOUNT: 'amount_cents',
  DATE: 'created_at',
  DESCRIPTION: `coalesce(description, '') collate "C"`,
}

export function listSubscriptions(
  sql: Sql,
  filter: SubscriptionFilter,
  paging: Paging,
): Promise<Page<ShownSubscription>> {
  const sortKey = sortKeyOf(paging, sortExpressions, subscriptionSorts)
  const list = {
    columns: sql`${columns(sql)}, ${shownStatus(sql, filter.platformId)} as status, ${hasAutopay(sql, filter.platformId)} as autopay`,
    table: sql`subscriptions s`,
    where: matching(sql, filter),
  }
  return listPage<ShownSubscription>(sql, list, { paging, sortKey })
}

/** Replaces the skipped runs. @returns false if the subscription has ended */
export async function updateSkipped(
  sql: Sql,
  { platformId, id }: SubscriptionKey,
  { skipped, sendsDirectly, from }: { skipped: number[]; sendsDirectly: boolean; from: readonly SubscriptionState[] },
): Promise<boolean> {
  const result = await sql`
    update subscriptions
    set skipped = ${skipped}, sends_directly = ${sendsDirectly}
    where platform_id = ${platformId} and id = ${id} and state = any (${from as SubscriptionState[]})
  `
  return result.count === 1
}

/** Ends a subscription. @returns false if it has already ended */
export async function updateCanceled(
  sql: Sql,
  { platformId, id }: SubscriptionKey,
  { from, to }: { from: readonly SubscriptionState[]; to: SubscriptionState },
): Promise<boolean> {
  const result = await sql`
    update subscriptions
    set state = ${to}, next_at = null
    where platform_id = ${platformId} and id = ${id} and state = any (${from as SubscriptionState[]})
  `
  return result.count === 1
}

/** Claims a run by setting the next one. @returns false if it was already claimed, or the subscription has ended */
export async function claimRun(
  sql: Sql,
  { platformId, id }: SubscriptionKey,
  claim: {
    run: number
    from: readonly SubscriptionState[]
    to: SubscriptionState
    next: { run: number; at: Date } | null
  },
): Promise<boolean> {
  const result = await sql`
    update subscriptions
    set state = ${claim.to}, next_run = ${claim.next?.run ?? claim.run + 1}, next_at = ${claim.next?.at ?? null}
    where platform_id = ${platformId} and id = ${id} and next_run = ${claim.run}
      and state = any (${claim.from as SubscriptionState[]})
  `
  return result.count === 1
}

export type RunRow = {
  number: number
  outcome: RunOutcome
  paymentId: string | null
  approvalId: string | null
  invoiceId: string | null
  errorCode: string | null
  createdAt: Date
}

export async function insertRun(sql: Sql, { platformId, id }: SubscriptionKey, run: RunRow): Promise<void> {
  await sql`
    insert into subscription_runs ${sql.values({ platformId, subscriptionId: id, ...run })}
  `
}

/** Lists the latest runs, newest first. */
export async function listRuns(sql: Sql, { platformId, id }: SubscriptionKey, limit: number): Promise<RunRow[]> {
  return sql<RunRow[]>`
    select number, outcome, payment_id, approval_id, invoice_id, error_code, created_at
    from subscription_runs
    where platform_id = ${platformId} and subscription_id = ${id}
    order by number desc
    limit ${limit}
  `
}

export async function listActiveSubscriptions(sql: Sql, { platformId, userId }: UserKey): Promise<SubscriptionKey[]> {
  return sql<SubscriptionKey[]>`
    select platform_id, id
    from subscriptions
    where platform_id = ${platformId} and user_id = ${userId} and state = 'ACTIVE'
    order by id
  `
}

export async function countActiveSubscriptions(sql: Sql, { platformId, userId }: UserKey): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count
    from subscriptions
    where platform_id = ${platformId} and user_id = ${userId} and state = 'ACTIVE'
  `
  return row?.count ?? 0
}

export type DueSubscription = SubscriptionKey & { userId: string; dueAt: Date }

/** Finds the creator of a subscription, if still a member, and the address for mail about it. */
export async function findCreator(
  sql: Sql,
  { platformId, createdBy }: Pick<SubscriptionRow, 'platformId' | 'createdBy'>,
): Promise<{ role: Role | null; email: string | null }> {
  const [row] = await sql<{ role: Role | null; email: string | null }[]>`
    select m.role, coalesce(l.email, owner_email_v1(${platformId})) as email
    from (values (1)) one
    left join members m on m.platform_id = ${platformId} and m.login_id = ${createdBy}
    left join logins l on l.id = m.login_id
  `
  return row ?? { role: null, email: null }
}

/** Returns whether the invoice of the run before the next one is unpaid. */
export async function isLatestInvoiceUnpaid(
  sql: Sql,
  { platformId, id, nextRun }: SubscriptionKey & Pick<SubscriptionRow, 'nextRun'>,
): Promise<boolean> {
  const rows = await sql`
    select
    from subscription_runs r
    join invoices i on i.platform_id = r.platform_id and i.id = r.invoice_id and i.status = 'UNPAID'
    where r.platform_id = ${platformId} and r.subscription_id = ${id} and r.number = ${nextRun - 1}
  `
  return rows.length > 0
}

/** Returns the name of a subscription's sender that others see. */
export async function findSenderName(
  sql: Sql,
  { platformId, senderPlatformId, userId }: SubscriptionRow,
): Promise<string> {
  const [row] = await sql<{ name: string }[]>`
    select coalesce(business_name, name) as name
    from users
    where platform_id = ${senderPlatformId ?? platformId} and id = ${userId}
  `
  return row?.name ?? ''
}
