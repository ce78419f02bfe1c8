import type { Sql } from '../../foundation/db/connect.ts'
import { shareInGroup } from '../../foundation/db/statement-group.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { Posting, PostingRule } from './posting-rules.ts'

export type Postings = {
  platformId: string
  paymentId: string | null
  legId: string | null
  now: Date
  postings: readonly Posting[]
}

/**
 * Applies postings and updates the balances of wallets (`sql/post_many_transfers_v1.sql`).
 *
 * @returns whether a webhook about a balance is now due
 */
export const postTransfers = shareInGroup(
  async (sql, platformId, given: Postings[]): Promise<boolean[]> => {
    const rows = given.flatMap(({ postings, paymentId, legId, now }) =>
      postings.map((posting) => ({ ...posting, payment_id: paymentId, leg_id: legId, created_at: now })),
    )
    const [row] = await sql<{ isDue: boolean }[]>`
      select post_many_transfers_v1(${platformId}, ${sql.json(rows)}) as is_due
    `
    return given.map(() => row?.isDue ?? false)
  },
  (given) => given.paymentId ?? given,
)

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
export const readPayable = shareInGroup(async (sql, platformId, payments: PaymentKey[]): Promise<number[]> => {
  const rows = await sql<PaymentCents[]>`
    select payment_id, sum(case when credit = 'payable' then cents else -cents end)::bigint as cents
    from transfers
    where platform_id = ${platformId} and payment_id = any (${idsOf(payments)}::uuid[]) and status = 'POSTED'
      and 'payable' in (debit, credit)
    group by payment_id
  `
  return centsOf(payments, rows)
})

/** Returns the cents that the sender owes for a payment, because its pull was returned after the payout. */
export const readOwed = shareInGroup(async (sql, platformId, payments: PaymentKey[]): Promise<number[]> => {
  const rows = await sql<PaymentCents[]>`
    select payment_id, sum(case when debit like 'receivable:%' then cents else -cents end)::bigint as cents
    from transfers
    where platform_id = ${platformId} and payment_id = any (${idsOf(payments)}::uuid[]) and status = 'POSTED'
      and (debit like 'receivable:%' or credit like 'receivable:%')
    group by payment_id
  `
  return centsOf(payments, rows)
})

type PaymentCents = { paymentId: string; cents: number }

const idsOf = (payments: readonly PaymentKey[]): string[] => payments.map(({ paymentId }) => paymentId)

/** Returns the cents of each payment. A payment without a row has none. */
function centsOf(payments: readonly PaymentKey[], rows: readonly PaymentCents[]): number[] {
  const byPayment = new Map(rows.map(({ paymentId, cents }) => [paymentId, cents]))
  return payments.map(({ paymentId }) => byPayment.get(paymentId) ?? 0)
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

/** Returns the time of the last payment to the outside for a subject, or null. */
export async function findOutsidePayoutAt(
  sql: Sql,
  { platformId, subjectId }: Pick<OutsidePayment, 'platformId' | 'subjectId'>,
): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }[]>`
    select max(created_at) as at
    from outside_payments
    where platform_id = ${platformId} and direction = 'OUT' and subject_id = ${subjectId}
  `
  return row?.at ?? null
}
