import type { Sql } from '../../foundation/db/connect.ts'

/** A transfer for a bank account. `line`: for a statement line. `undo`: reverses it. */
export type BankPosting = { postingId: string; transferId: string; direction: 'line' | 'undo' }

/**
 * Inserts the transfers for rows of `line_postings` between the bank account and the other account. A credit line debits the ledger account
 * of the bank, because it is an asset.
 */
export async function insertBankTransfers(
  sql: Sql,
  postings: readonly BankPosting[],
  { bankAccount, now }: { bankAccount: string; now: Date },
): Promise<void> {
  await sql`
    insert into transfers (platform_id, id, debit, credit, cents, status, reason, payment_id, leg_id, created_at)
    select
      p.platform_id, t.transfer_id,
      case when (p.cents > 0) = (t.direction = 'line') then ${bankAccount}::text else p.account end,
      case when (p.cents > 0) = (t.direction = 'line') then p.account else ${bankAccount}::text end,
      abs(p.cents), 'POSTED', case t.direction when 'line' then 'bank_line' else 'bank_line_undone' end, p.payment_id,
      p.leg_id, ${now}
    from unnest(
      ${postings.map(({ postingId }) => postingId)}::uuid[], ${postings.map(({ transferId }) => transferId)}::uuid[],
      ${postings.map(({ direction }) => direction)}::text[]
    ) as t (posting_id, transfer_id, direction)
    join line_postings p on p.id = t.posting_id
  `
}

/** Inserts a transfer into a bank account (positive cents) or out of it. */
export async function insertBankTransfer(
  sql: Sql,
  given: {
    id: string
    platformId: string
    bankAccount: string
    account: string
    cents: number
    reason: string
    now: Date
  },
): Promise<void> {
  const { id, platformId, bankAccount, account, cents, reason, now: createdAt } = given
  const [debit, credit] = cents > 0 ? [bankAccount, account] : [account, bankAccount]
  await sql`
    insert into transfers ${sql.values({ platformId, id, debit, credit, cents: Math.abs(cents), status: 'POSTED', reason, createdAt })}
  `
}
