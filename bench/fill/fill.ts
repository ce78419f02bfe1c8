import { pipeline } from 'node:stream/promises'
import postgres from 'postgres'
import { DAY_MS } from '../../src/foundation/lib/clock.ts'
import {
  addPayment,
  createdAtOf,
  type FillEndpoint,
  type FilledRows,
  type FilledTable,
  type FillUser,
  filledColumns,
  noRows,
} from './fill-rows.ts'

export type FillPlatform = { users: FillUser[]; endpoint: FillEndpoint }

export type Fill = {
  databaseUrl: string
  /** With `hasBigUser`, the first user of the first platform sends a tenth of all payments. */
  platforms: FillPlatform[]
  hasBigUser: boolean
  count: number
  onProgress?: (done: number) => void
}

const BATCH = 2_000
/** The number of payments from which creating the indexes after the rows is faster. */
const MANY = 500_000

/** Fills a database with a year of payments, using `copy`. */
export async function fill({ databaseUrl, platforms, hasBigUser, count, onProgress }: Fill): Promise<void> {
  const sql = postgres(databaseUrl, { max: 4, onnotice: () => {}, connection: { synchronous_commit: 'off' } })
  const now = new Date()
  const next = chooser(platforms, hasBigUser)
  const sent = new Map<FillUser, number>()
  let copying: Promise<unknown> = Promise.resolve()
  try {
    const indexes = count >= MANY ? await dropIndexes(sql) : []
    for (let from = 0; from < count; from += BATCH) {
      const rows = noRows()
      for (let index = from; index < Math.min(from + BATCH, count); index++) {
        const { sender, recipient, endpoint } = next(index)
        const number = (sent.get(sender) ?? 0) + 1
        sent.set(sender, number)
        const createdAt = createdAtOf(index, { count, now })
        const ageDays = (now.getTime() - createdAt.getTime()) / DAY_MS
        addPayment(rows, { index, createdAt, ageDays, sender, recipient, number }, endpoint)
      }
      await copying
      copying = copyRows(sql, rows)
      onProgress?.(from)
    }
    await copying
    await makeIndexes(sql, indexes)
    await countOn(sql, sent)
    await sql`vacuum analyze`
    await sql`checkpoint`
  } finally {
    await sql.end()
  }
}

function chooser(platforms: FillPlatform[], hasBigUser: boolean) {
  const bigUser = hasBigUser ? platforms[0]?.users[0] : undefined
  return (index: number) => {
    const turn = Math.floor(index / 10) * 9 + (index % 10)
    const isBig = bigUser !== undefined && index % 10 === 9
    const platform = platforms[isBig ? 0 : turn % platforms.length] as FillPlatform
    const { users, endpoint } = platform
    const place = Math.floor(turn / platforms.length) % users.length
    const sender = isBig ? bigUser : (users[place] as FillUser)
    const distance = 1 + ((index * 7_907) % (users.length - 1))
    const recipient = users[(users.indexOf(sender) + distance) % users.length] as FillUser
    return { sender, recipient, endpoint }
  }
}

function copyRows(sql: postgres.Sql, rows: FilledRows): Promise<unknown> {
  return sql.begin(async (tx) => {
    for (const [table, lines] of Object.entries(rows) as [FilledTable, string[]][]) {
      if (lines.length === 0) continue
      const into = await tx.unsafe(`copy ${table} (${filledColumns[table]}) from stdin`).writable()
      await pipeline([lines.join('')], into)
    }
  })
}

type Index = { table: string; name: string; constraint: string | null; definition: string }

/** Drops the primary keys and indexes of the filled tables. @returns the statements that recreate them */
async function dropIndexes(sql: postgres.Sql): Promise<Index[]> {
  const indexes = await sql<Index[]>`
    select
      i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name, c.conname as constraint,
      coalesce(pg_get_constraintdef(c.oid), pg_get_indexdef(i.indexrelid)) as definition
    from pg_index i
    left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
    where i.indrelid::regclass::text = any (${Object.keys(filledColumns)})
  `
  for (const { table, name, constraint } of indexes) {
    await sql.unsafe(constraint ? `alter table ${table} drop constraint ${constraint}` : `drop index ${name}`)
  }
  return indexes
}

async function makeIndexes(sql: postgres.Sql, indexes: Index[]): Promise<void> {
  for (const { table, constraint, definition } of indexes) {
    await sql.begin(async (tx) => {
      await tx`set local maintenance_work_mem = '1GB'`
      await tx.unsafe(constraint ? `alter table ${table} add constraint ${constraint} ${definition}` : definition)
    })
  }
}

/** Sets the next check number of each user. */
async function countOn(sql: postgres.Sql, sent: Map<FillUser, number>): Promise<void> {
  const users = [...sent.keys()]
  await sql`
    update user_counters c
    set next_check_number = c.next_check_number + f.count
    from unnest(
      ${users.map(({ platformId }) => platformId)}::uuid[], ${users.map(({ userId }) => userId)}::uuid[],
      ${[...sent.values()]}::bigint[]
    ) as f (platform_id, user_id, count)
    where c.platform_id = f.platform_id and c.user_id = f.user_id
  `
}
