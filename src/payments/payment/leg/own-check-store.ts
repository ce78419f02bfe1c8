import type { Sql } from '../../../foundation/db/connect.ts'
import type { PaymentKey } from '../payment-types.ts'

/** A check that this service issued: its payment, possibly on another platform, and the leg that issued it. */
export type OwnCheckKey = PaymentKey & { legId: string }

/** Finds the issued check that was scanned. Returns null if another bank issued it. */
export async function findOwnCheckOf(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<OwnCheckKey | null> {
  const [row] = await sql<OwnCheckKey[]>`
    select own_platform_id as platform_id, own_payment_id as payment_id, own_leg_id as leg_id
    from scanned_checks
    where platform_id = ${platformId} and payment_id = ${paymentId} and own_leg_id is not null
  `
  return row ?? null
}

/** Marks a check as paid and puts it on the next list of stopped checks, so that no bank pays the paper check. `paidOn`: YYYY-MM-DD. */
export async function markPaidByScan(
  sql: Sql,
  { platformId, legId }: OwnCheckKey,
  { paidOn, stoppedAt }: { paidOn: string; stoppedAt: Date },
): Promise<void> {
  await sql`
    update paper_checks
    set paid_on = ${paidOn}, stopped_at = coalesce(stopped_at, ${stoppedAt})
    where platform_id = ${platformId} and leg_id = ${legId}
  `
}
