import type { Sql } from '../../foundation/db/connect.ts'
import type { RequestActor } from '../../foundation/db/deps.ts'
import { shareInGroup } from '../../foundation/db/statement-group.ts'
import { alignRows } from '../../foundation/lib/concurrency/batches.ts'
import { listPaymentsFromOtherPlatforms } from '../../money/destination/sender-platform-store.ts'
import { OPEN_STATUSES } from '../../money/rail/leg-status.ts'
import type { Rail } from '../../money/rail/rail-rules.ts'
import type { PostalAddress } from './payment-rules.ts'
import type { PaymentEvent, PaymentStatus } from './payment-status.ts'
import type { PaymentKey, PaymentRow } from './payment-types.ts'

const columns = (sql: Sql) => sql`
  platform_id, id, sender_id, kind, number, number_is_text, amount_cents, name, recipient, recipient_platform_id,
  recipient_id, funding_kind, funding_id, destination_kind, destination_id, destination_platform_id, description,
  comment, remittance_advice, deposit_options, invoice_id, grant_id, status, rail, return_code, deposited_at, refund_at, expires_at, created_at,
  updated_at
`

export async function findPayment(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<PaymentRow | null> {
  const [row] = await sql<PaymentRow[]>`
    select ${columns(sql)}
    from payments
    where platform_id = ${platformId} and id = ${paymentId}
  `
  return row ?? null
}

/** Reads payments, in the order of their keys. The result is null where no payment exists. */
export async function findPayments(
  sql: Sql,
  platformId: string,
  keys: readonly PaymentKey[],
): Promise<(PaymentRow | null)[]> {
  const paymentIds = keys.map(({ paymentId }) => paymentId)
  const rows = await sql<PaymentRow[]>`
    select ${columns(sql)}
    from payments
    where platform_id = ${platformId} and id = any (${paymentIds}::uuid[])
  `
  return alignRows(keys, rows, { item: ({ paymentId }) => paymentId, row: ({ id }) => id })
}

/** Reads a payment and locks it until the end of the transaction. */
export const lockPayment = shareInGroup(async (sql, platformId, keys: PaymentKey[]): Promise<(PaymentRow | null)[]> => {
  const paymentIds = keys.map(({ paymentId }) => paymentId)
  const rows = await lockPayments(sql, platformId, paymentIds)
  return alignRows(keys, rows, { item: ({ paymentId }) => paymentId, row: ({ id }) => id })
})

/** Locks payments of a platform, in the order of their ids. */
export async function lockPayments(sql: Sql, platformId: string, ids: readonly string[]): Promise<PaymentRow[]> {
  return sql<PaymentRow[]>`
    select ${columns(sql)}
    from payments
    where platform_id = ${platformId} and id = any (${ids as string[]}::uuid[])
    order by id
    for update
  `
}

/** Returns the platform of the sender, where a payment from another platform is stored. Returns null for other payments. */
export async function findSenderPlatform(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<string | null> {
  const [row] = await sql<{ senderPlatformId: string }[]>`
    select sender_platform_id
    from received_payments
    where platform_id = ${platformId} and payment_id = ${paymentId}
  `
  return row?.senderPlatformId ?? null
}

type PaymentChange = {
  next: PaymentRow
  from: readonly PaymentStatus[]
  event: PaymentEvent
  actor: RequestActor | null
  eventId: string
  eventBody: string
  now: Date
  realNow: Date
}

/**
 * Changes the status of a payment to that of `next` and writes the event: see `sql/change_payments_v1.sql`. `changed` is false when the
 * current status does not allow it.
 */
export const changePaymentStatus = shareInGroup(
  async (
    sql,
    platformId,
    changes: (PaymentChange & { platformId: string })[],
  ): Promise<{ changed: boolean; isDue: boolean }[]> => {
    const [row] = await sql<{ changedIds: string[]; isDue: boolean }[]>`
      select changed_ids, is_due
      from change_payments_v1(${platformId}, ${sql.json(changes.map(columnsOfChange))})
    `
    const changed = new Set(row?.changedIds)
    const isDue = row?.isDue ?? false
    return changes.map(({ next }) => ({ changed: changed.has(next.id), isDue }))
  },
  ({ next }) => next.id,
)

const columnsOfChange = ({ next, from, event, actor, ...given }: PaymentChange) => ({
  payment_id: next.id,
  statuses: from,
  status: next.status,
  rail: next.rail,
  destination_kind: next.destinationKind,
  destination_id: next.destinationId,
  return_code: next.returnCode,
  refund_at: next.refundAt,
  event,
  actor: actor?.kind,
  actor_id: actor?.id,
  event_id: given.eventId,
  event_body: given.eventBody,
  changed_at: given.now,
  real_at: given.realNow,
})

/** Stores the time at which a failed payment is refunded. Null: nothing is left to refund. */
export async function updateRefundTime(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
  refundAt: Date | null,
): Promise<void> {
  await sql`update payments set refund_at = ${refundAt} where platform_id = ${platformId} and id = ${paymentId}`
}

/** Changes the time at which a payment expires. */
export async function updateExpiry(sql: Sql, { platformId, paymentId }: PaymentKey, expiresAt: Date): Promise<void> {
  await sql`update payments set expires_at = ${expiresAt} where platform_id = ${platformId} and id = ${paymentId}`
}

/** Changes the rail of a payment whose payout was not sent yet. */
export async function updatePaymentRail(sql: Sql, { platformId, paymentId }: PaymentKey, rail: Rail): Promise<void> {
  await sql`
    update payments
    set rail = ${rail}, destination_kind = null, destination_id = null
    where platform_id = ${platformId} and id = ${paymentId}
  `
}

/** Stores the address that the recipient gave for a paper check. */
export async function updatePaymentAddress(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
  address: PostalAddress,
): Promise<void> {
  await sql`
    update payments
    set address = ${sql.json(address)}, mail_type = coalesce(mail_type, 'USPS_FIRST_CLASS')
    where platform_id = ${platformId} and id = ${paymentId}
  `
}

export type DuePayment = { platformId: string; id: string; dueAt: Date }

/** Lists the UNPAID payments that a user sent. For an owner, lists those of its whole platform. */
export async function listUnpaidPayments(
  sql: Sql,
  { platformId, userId }: { platformId: string; userId: string },
  { limit, except }: { limit: number; except: readonly string[] },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from payments
    where platform_id = ${platformId} and status = 'UNPAID'
      ${userId === platformId ? sql`` : sql`and sender_id = ${userId}`} and id <> all (${except as string[]})
    limit ${limit}
  `
  return rows.map(({ id }) => id)
}

/**
 * Returns whether a payment from or to a bank is in process, or money is moving to or from the bank. Micro-deposits do not count, so that a
 * user who mistyped the number can delete the bank and start over.
 */
export async function hasPaymentInProcess(
  sql: Sql,
  { platformId, userId, bankId }: { platformId: string; userId: string; bankId: string },
): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select 1
      from payments
      where platform_id = ${platformId} and sender_id = ${userId} and funding_id = ${bankId} and status = 'IN_PROCESS'
    ) or exists (
      select 1
      from payments
      where platform_id = ${platformId} and recipient_id = ${userId} and recipient_platform_id is not distinct from platform_id
        and destination_id = ${bankId} and status = 'IN_PROCESS'
    ) or exists (
      select 1
      from legs
      where platform_id = ${platformId} and account_id = ${bankId} and purpose <> 'micro_deposit'
        and status = any (${[...OPEN_STATUSES]})
    ) as found
  `
  return row?.found || hasPaymentFromElsewhere(sql, { platformId, userId, bankId })
}

async function hasPaymentFromElsewhere(
  sql: Sql,
  { bankId, ...user }: { platformId: string; userId: string; bankId: string },
): Promise<boolean> {
  for (const { senderPlatformId, paymentIds } of await listPaymentsFromOtherPlatforms(sql, user)) {
    const rows = await sql`
      select 1
      from payments p
      where p.platform_id = ${senderPlatformId} and p.id = any (${paymentIds}::uuid[]) and p.destination_id = ${bankId}
        and (
          p.status = 'IN_PROCESS'
          or exists (
            select 1
            from legs l
            where l.platform_id = ${senderPlatformId} and l.subject_id = p.id and l.account_id = ${bankId}
              and l.status = any (${[...OPEN_STATUSES]})
          )
        )
      limit 1
    `
    if (rows.length > 0) return true
  }
  return false
}

export async function hasAttachment(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<boolean> {
  const rows = await sql`
    select 1
    from attachments
    where platform_id = ${platformId} and payment_id = ${paymentId}
  `
  return rows.length > 0
}

export type Attachment = { filename: string | null; pdf: Buffer }

export async function findAttachment(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<Attachment | null> {
  const [row] = await sql<Attachment[]>`
    select filename, pdf
    from attachments
    where platform_id = ${platformId} and payment_id = ${paymentId}
  `
  return row ?? null
}
