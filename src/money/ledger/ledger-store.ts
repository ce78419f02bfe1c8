import type { Sql } from '../../foundation/db/connect.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { Posting, PostingRule } from './posting-rules.ts'

export type PostingContext = { platformId: string; paymentId: string | null; legId: string | null; now: Date }

/**
 * Applies postings and updates the balances of wallets (`sql/post_transfers_v1.sql`).
 *
 * @returns whether a webhook about a balance is now due
 */
export async function postTransfers(
  sql: Sql,
  { platformId, paymentId, legId, now }: PostingContext,
  postings: readonly Posting[],
): Promise<boolean> {
  const [row] = await sql<{ isDue: boolean }[]>`
    select post_transfers_v1(${platformId}, ${sql.json(postings)}, ${paymentId}, ${legId}, ${now}) as is_due
  `
  return row?.isDue ?? false
}

export type PaymentKey = { platformId: string; paymentId: string }

/** A transfer of a payment between two ledger accounts. */
export type PaymentTransfer = {
  id: string
  debit: string
  credit: string
  cents: number
  status: 'PENDING' | 'POSTED' | 'VOIDED'
  reason: PostingRule
  createdAt: Date
}

/** Lists the transfers of a payment, in order. */
export const listTransfers = (sql: Sql, { platformId, paymentId }: PaymentKey): Promise<PaymentTransfer[]> =>
  sql<PaymentTransfer[]>`
    select id, debit, credit, cents, status, reason, created_at
    from transfers
    where platform_id = ${platformId} and payment_id = ${paymentId}
    order by created_at, id
  `

/** Returns the cents of a payment that have not left: the posted balance of `payable`. */
export async function readPayable(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<number> {
  const [row] = await sql<{ cents: number }[]>`
    select coalesce(sum(case when credit = 'payable' then cents else -cents end), 0)::bigint as cents
    from transfers
    where platform_id = ${platformId} and payment_id = ${paymentId} and status = 'POSTED'
      and 'payable' in (debit, credit)
  `
  return row?.cents ?? 0
}

/** Returns the cents that the sender owes for a payment, because its pull was returned after the payout. */
export async function readOwed(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<number> {
  const [row] = await sql<{ cents: number }[]>`
    select coalesce(sum(case when debit like 'receivable:%' then cents else -cents end), 0)::bigint as cents
    from transfers
    where platform_id = ${platformId} and payment_id = ${paymentId} and status = 'POSTED'
      and (debit like 'receivable:%' or credit like 'receivable:%')
  `
  return row?.cents ?? 0
}

/** Returns the cents that a user owes for returned credits to wallets. */
export async function readOwedForWallets(sql: Sql, { platformId, userId }: UserKey): Promise<number> {
  const debts = await listDebts(sql, { platformId, userId })
  return debts.find(({ paymentId }) => paymentId === null)?.cents ?? 0
}

/** Returns the total debt of a user in cents. */
export async function findDebt(sql: Sql, { platformId, userId }: UserKey): Promise<number> {
  const [row] = await sql<{ debtCents: number }[]>`
    select debt_cents
    from user_counters
    where platform_id = ${platformId} and user_id = ${userId}
  `
  return row?.debtCents ?? 0
}

/** A debt of a user. `paymentId`: null for returned credits to wallets. */
export type Debt = { paymentId: string | null; cents: number; since: Date }

/** Lists the debts of a user by payment, oldest first. */
export async function listDebts(sql: Sql, { platformId, userId }: UserKey): Promise<Debt[]> {
  const account = `receivable:${userId}`
  return sql<Debt[]>`
    select payment_id, sum(cents)::bigint as cents, min(created_at) as since
    from (
      select payment_id, cents, created_at
      from transfers
      where platform_id = ${platformId} and debit = ${account} and debit like 'receivable:%' and status = 'POSTED'
      union all
      select payment_id, -cents, created_at
      from transfers
      where platform_id = ${platformId} and credit = ${account} and credit like 'receivable:%' and status = 'POSTED'
    ) entries
    group by payment_id
    having sum(cents) > 0
    order by min(created_at), payment_id
  `
}

/** Money that moved outside of the service. `subjectId`: the debtor (IN) or the payment (OUT). `way`: how it moved, such as by wire. */
export type OutsidePayment = {
  platformId: string
  direction: 'IN' | 'OUT'
  subjectId: string
  reference: string
  way: string | null
  cents: number
  createdAt: Date
}

/** Records an outside payment. @returns false if the subject already has this reference */
export const insertOutsidePayment = (sql: Sql, row: OutsidePayment): Promise<boolean> =>
  sql`
    insert into outside_payments ${sql.values(row)}
    on conflict do nothing
  `.anyRow()
