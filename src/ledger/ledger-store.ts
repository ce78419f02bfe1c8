import type { Sql } from '../db/connect.ts'
import type { Posting } from './posting-rules.ts'

export type PostingContext = { platformId: string; paymentId: string | null; legId: string | null; now: Date }

/**
 * Posts rows of the posting rules and keeps the balances of wallets, see migrations/0006.
 *
 * @returns whether an endpoint is now to be told of a balance
 */
export async function postTransfers(
  sql: Sql,
  { platformId, paymentId, legId, now }: PostingContext,
  postings: readonly Posting[],
): Promise<boolean> {
  const [row] = await sql<{ isDue: boolean }[]>`
    select post_transfers(${platformId}, ${postings as never}, ${paymentId}, ${legId}, ${now}) as is_due
  `
  return row?.isDue ?? false
}

/** What of a payment was taken and is still here: the posted balance of `payable`. */
export async function readPayable(
  sql: Sql,
  { platformId, paymentId }: { platformId: string; paymentId: string },
): Promise<number> {
  const [row] = await sql<{ cents: number }[]>`
    select coalesce(sum(case when credit = 'payable' then cents else -cents end), 0)::bigint as cents
    from transfers
    where platform_id = ${platformId} and payment_id = ${paymentId} and status = 'POSTED'
      and 'payable' in (debit, credit)
  `
  return row?.cents ?? 0
}

/** Whether the sender owes what a payment paid out: its pull came back too late. */
export async function isOwed(
  sql: Sql,
  { platformId, paymentId }: { platformId: string; paymentId: string },
): Promise<boolean> {
  const [row] = await sql<{ isOwed: boolean }[]>`
    select coalesce(sum(case when debit like 'receivable:%' then cents else -cents end), 0) > 0 as is_owed
    from transfers
    where platform_id = ${platformId} and payment_id = ${paymentId} and status = 'POSTED'
      and (debit like 'receivable:%' or credit like 'receivable:%')
  `
  return row?.isOwed ?? false
}
