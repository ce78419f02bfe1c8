import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { digestList } from '../../foundation/db/digests.ts'
import type { OwnCheck } from './scanned-check-rules.ts'

export type ScannedCheckRow = {
  platformId: string
  paymentId: string
  letterId: string
  bankId: string
  number: string
  own: OwnCheck | null
}

/** Locks a check number until the end of the transaction, so that a check is stored only once. */
export async function lockCheckNumber(sql: Sql, number: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('scanned check ' || ${number}::text, 0))`
}

/**
 * Returns whether a check of this account and number was scanned before, on any platform. `accountDigests`: one for each key of the ring.
 */
export async function isScannedAnywhere(
  sql: Sql,
  { number, accountDigests }: { number: string; accountDigests: readonly Buffer[] },
): Promise<boolean> {
  const rows = await sql`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select 1
    from scanned_checks c
    join banks b on b.platform_id = c.platform_id and b.id = c.bank_id
    where c.number = ${number} and b.account_digest in ${digestList(sql, accountDigests)}
    limit 1
  `
  return rows.length > 0
}

/** Returns whether a check of this account and number was scanned before on one platform. */
export async function isScanned(
  sql: Sql,
  { platformId, number, accountDigest }: Pick<ScannedCheckRow, 'platformId' | 'number'> & { accountDigest: Buffer },
): Promise<boolean> {
  const rows = await sql`
    select 1
    from scanned_checks c
    join banks b on b.platform_id = c.platform_id and b.id = c.bank_id
    where c.platform_id = ${platformId} and c.number = ${number} and b.account_digest = ${accountDigest}
  `
  return rows.length > 0
}

export async function insertScannedCheck(sql: Sql, { own, ...row }: ScannedCheckRow): Promise<void> {
  const ownKey = own && { ownPlatformId: own.platformId, ownPaymentId: own.paymentId, ownLegId: own.legId }
  await sql`
    insert into scanned_checks ${sql.values({ ...row, ...ownKey })}
  `
}

export type ScannedPayment = {
  platformId: string
  userId: string
  id: string
  bankId: string
  number: string
  amountCents: number
  drawer: string
  createdAt: Date
  expiresAt: Date
}

/** Inserts the payment of a scanned check: UNPAID, from the user to itself, until the user deposits it. */
export async function insertScannedPayment(sql: Sql, row: ScannedPayment): Promise<void> {
  await sql`
    insert into payments (
      platform_id, id, sender_id, kind, number, number_is_text, amount_cents, name, recipient, recipient_platform_id,
      recipient_id, funding_kind, funding_id, deposit_options, status, sender_name, created_at, updated_at, expires_at
    )
    select
      u.platform_id, ${row.id}, u.id, 'SCANNED', ${row.number}, ${row.number.length > 9}, ${row.amountCents},
      coalesce(u.business_name, u.name), coalesce(u.external_id, u.name), u.platform_id, u.id, 'bank', ${row.bankId},
      array['BANK'], 'UNPAID', ${row.drawer}, ${row.createdAt}, ${row.createdAt}, ${row.expiresAt}
    from users u
    where u.platform_id = ${row.platformId} and u.id = ${row.userId}
  `
}
