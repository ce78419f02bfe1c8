import type { Sql } from '../../foundation/db/connect.ts'
import { listPage, type Page } from '../../foundation/db/list-page.ts'
import type { Paging } from '../../foundation/db/paging.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { CardTransactionType } from './virtual-card-rules.ts'

type CardKey = { platformId: string; id: string }

export async function insertVirtualCard(sql: Sql, { platformId, id }: CardKey): Promise<void> {
  await sql`
    insert into virtual_cards (platform_id, id)
    values (${platformId}, ${id})
  `
}

/** Lists the balances of a user's cards, except deleted ones, by card. */
export const listBalances = (
  sql: Sql,
  { platformId, userId }: UserKey,
): Promise<{ id: string; balanceCents: number }[]> =>
  sql<{ id: string; balanceCents: number }[]>`
    select c.id, c.balance_cents
    from virtual_cards c
    join destinations d on d.platform_id = c.platform_id and d.id = c.id
    where c.platform_id = ${platformId} and d.user_id = ${userId} and d.deleted_at is null
  `

/** Returns whether a card was deleted. */
export const isCardDeleted = (sql: Sql, { platformId, id }: CardKey): Promise<boolean> =>
  sql`
    select 1
    from destinations
    where platform_id = ${platformId} and id = ${id} and deleted_at is not null
  `.anyRow()

/** Locks a card until the end of the transaction. @returns its balance, or null if it does not exist */
export async function lockBalance(sql: Sql, { platformId, id }: CardKey): Promise<number | null> {
  const [row] = await sql<{ balanceCents: number }[]>`
    select balance_cents
    from virtual_cards
    where platform_id = ${platformId} and id = ${id}
    for update
  `
  return row?.balanceCents ?? null
}

/** Changes the balance of a card. @returns the new balance, or null if it would be lower than `minCents` */
export async function addToBalance(
  sql: Sql,
  { platformId, id, cents, minCents }: CardKey & { cents: number; minCents: number | null },
): Promise<number | null> {
  const [row] = await sql<{ balanceCents: number }[]>`
    update virtual_cards
    set balance_cents = balance_cents + ${cents}
    where platform_id = ${platformId} and id = ${id}
      and (${minCents}::bigint is null or balance_cents + ${cents} >= ${minCents}::bigint)
    returning balance_cents
  `
  return row?.balanceCents ?? null
}

export type CardTransactionRow = {
  platformId: string
  id: string
  cardId: string
  type: CardTransactionType
  cents: number
  balanceCents: number
  description: string | null
  paymentId: string | null
  createdAt: Date
}

export async function insertCardTransaction(sql: Sql, row: CardTransactionRow): Promise<void> {
  await sql`
    insert into card_transactions ${sql.values(row)}
  `
}

const columns = (sql: Sql) => sql`
  platform_id, id, card_id, type, cents, balance_cents, description, payment_id, created_at
`

export const listCardTransactions = (
  sql: Sql,
  { platformId, cardId }: { platformId: string; cardId: string },
  paging: Paging,
): Promise<Page<CardTransactionRow>> =>
  listPage(
    sql,
    {
      columns: columns(sql),
      table: sql`card_transactions`,
      where: sql`platform_id = ${platformId} and card_id = ${cardId}`,
    },
    { paging },
  )

export const findCardTransaction = (
  sql: Sql,
  { platformId, cardId, id }: { platformId: string; cardId: string; id: string },
): Promise<CardTransactionRow | null> =>
  sql<CardTransactionRow[]>`
    select ${columns(sql)}
    from card_transactions
    where platform_id = ${platformId} and card_id = ${cardId} and id = ${id}
  `.first()
