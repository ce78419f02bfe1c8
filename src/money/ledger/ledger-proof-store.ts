import type { Sql } from '../../foundation/db/connect.ts'

/** The last verification of the whole ledger, in real time. */
export type LedgerProof = { at: Date; isClean: boolean }

const NAME = 'ledger_proof'

export async function recordProof(sql: Sql, { at, isClean }: LedgerProof): Promise<void> {
  await sql`
    insert into settings (name, value)
    values (${NAME}, ${JSON.stringify({ at, isClean })})
    on conflict (name) do update set value = excluded.value
  `
}

export async function findProof(sql: Sql): Promise<LedgerProof | null> {
  const [row] = await sql<{ value: string }[]>`select value from settings where name = ${NAME}`
  if (!row) return null
  const { at, isClean } = JSON.parse(row.value)
  return { at: new Date(at), isClean }
}
