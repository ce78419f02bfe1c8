import { keyMark } from '../../foundation/core/seal.ts'
import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import { type Sql, withoutTimeLimit } from '../../foundation/db/connect.ts'
import type { SealedColumn } from '../../foundation/db/key-columns.ts'
import { isDigestOfAnotherKey } from '../../foundation/db/key-uses.ts'
import type { Fragment } from '../../foundation/db/skipped.ts'

/** The primary key of a row as text, in column order. */
export type RowKey = readonly string[]

export type SealedValue = { key: RowKey; sealed: Buffer }

/** A column with the primary key of its table, in the order in which a rotation reads the rows. */
export type KeyedColumn = SealedColumn & { key: readonly { name: string; type: string }[] }

export const findPrimaryKey = (sql: Sql, table: string): Promise<KeyedColumn['key']> =>
  sql<{ name: string; type: string }[]>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_index i
    cross join unnest(i.indkey) with ordinality as k (number, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
    where i.indrelid = ${table}::regclass and i.indisprimary
    order by k.place
  `

const typed = (sql: Sql, type: string, value: string): Fragment =>
  type === 'bytea' ? sql`decode(${value}, 'hex')` : sql`${value}::text::${sql.unsafe(type)}`

const shown = (sql: Sql, name: string, type: string): Fragment =>
  type === 'bytea' ? sql`encode(${sql(name)}, 'hex')` : sql`${sql(name)}::text`

const list = (sql: Sql, parts: readonly Fragment[]): Fragment =>
  parts.reduce((all, part, index) => (index === 0 ? part : sql`${all}, ${part}`), sql`` as Fragment)

const keyList = (sql: Sql, { key }: KeyedColumn) =>
  list(
    sql,
    key.map(({ name }): Fragment => sql`${sql(name)}`),
  )

const keyValues = (sql: Sql, { key }: KeyedColumn, values: RowKey) =>
  list(
    sql,
    key.map(({ type }, index) => typed(sql, type, values[index] as string)),
  )

/**
 * Lists values after a row that are sealed with another key. With `areLocked`, skips rows that another transaction has locked: it will seal
 * them with the new key, or the next round finds them.
 */
export async function listValuesToReseal(
  sql: Sql,
  column: KeyedColumn,
  { keyId, after, limit, areLocked }: { keyId: string; after: RowKey | null; limit: number; areLocked: boolean },
): Promise<SealedValue[]> {
  const mark = keyMark(keyId)
  const rows = await sql<{ key: string[]; sealed: Buffer }[]>`
    ${allPlatforms('serves the operator')}
    select
      array[${list(
        sql,
        column.key.map(({ name, type }) => shown(sql, name, type)),
      )}]::text[] as key,
      ${sql(column.column)} as sealed
    from ${sql(column.table)}
    where ${sql(column.column)} is not null and substr(${sql(column.column)}, 1, ${mark.length}::integer) <> ${mark}
      ${after ? sql`and (${keyList(sql, column)}) > (${keyValues(sql, column, after)})` : sql``}
    order by ${keyList(sql, column)}
    limit ${limit}
    ${areLocked ? sql`for no key update skip locked` : sql``}
  `
  return rows
}

/** Replaces a value unless it has changed since it was read. */
export async function replaceSealed(
  sql: Sql,
  column: KeyedColumn,
  { key, sealed, fresh }: SealedValue & { fresh: Buffer },
): Promise<boolean> {
  const result = await sql`
    update ${sql(column.table)}
    set ${sql(column.column)} = ${fresh}
    where (${keyList(sql, column)}) = (${keyValues(sql, column, key)}) and ${sql(column.column)} = ${sealed}
  `
  return result.count === 1
}

export type AccountToRenew = { platformId: string; id: string; routing: string; accountSealed: Buffer }

/** The columns of an account: a part of the primary key, the digest, the routing number, and the sealed account number. */
export type AccountColumns = { table: string; id: string; digest: string; routing: string; sealed: string }

const account = { digest: 'account_digest', routing: 'routing', sealed: 'account_sealed' } as const
const corrections = { table: 'account_corrections', id: 'account_digest' } as const

export const accountColumns: readonly AccountColumns[] = [
  { table: 'banks', id: 'id', ...account },
  { table: 'bank_trials', id: 'user_id', ...account },
  { table: 'account_blocks', id: 'holder_id', ...account },
  { ...corrections, ...account, routing: 'given_routing', sealed: 'given_sealed' },
  { ...corrections, ...account, digest: 'corrected_digest' },
]

/** Lists accounts whose digest uses another key. */
export async function listAccountsToRenew(
  sql: Sql,
  { table, id, digest, routing, sealed }: AccountColumns,
  { keyId, after, limit }: { keyId: string; after: { platformId: string; id: string } | null; limit: number },
): Promise<AccountToRenew[]> {
  return sql<AccountToRenew[]>`
    ${allPlatforms('serves the operator')}
    select platform_id, ${sql(id)}::text as id, ${sql(routing)} as routing, ${sql(sealed)} as account_sealed
    from ${sql(table)}
    where ${isDigestOfAnotherKey(sql, sql`${sql(digest)}`, keyId)}
      ${after ? sql`and (platform_id, ${sql(id)}) > (${after.platformId}, ${after.id})` : sql``}
    order by platform_id, ${sql(id)}
    limit ${limit}
  `
}

/** Lists files with entries whose digest uses another key. */
export async function listAchFilesToRenew(sql: Sql, keyId: string): Promise<string[]> {
  const rows = await sql<{ fileId: string }[]>`
    select distinct file_id
    from (
      select file_id from ach_entries where ${isDigestOfAnotherKey(sql, sql`account_digest`, keyId)}
      union all
      select file_id from ach_recovered_entries where ${isDigestOfAnotherKey(sql, sql`account_digest`, keyId)}
    ) old
    order by file_id
  `
  return rows.map(({ fileId }) => fileId)
}

export type EntryDigest = { traceNumber: string; accountDigest: Buffer }

export async function listEntriesToRenew(
  sql: Sql,
  table: 'ach_entries' | 'ach_recovered_entries',
  { fileId, keyId }: { fileId: string; keyId: string },
): Promise<EntryDigest[]> {
  return sql<EntryDigest[]>`
    select trace_number, account_digest
    from ${sql(table)}
    where file_id = ${fileId} and ${isDigestOfAnotherKey(sql, sql`account_digest`, keyId)}
    order by trace_number
  `
}

export async function findAchContent(sql: Sql, fileId: string): Promise<Buffer | null> {
  const [row] = await sql<{ contentSealed: Buffer }[]>`
    select content_sealed
    from exchange_parts
    where file_id = ${fileId} and position = 1
  `
  return row?.contentSealed ?? null
}

export async function updateEntryDigests(
  sql: Sql,
  table: 'ach_entries' | 'ach_recovered_entries',
  fileId: string,
  entries: readonly (EntryDigest & { fresh: Buffer })[],
): Promise<void> {
  await sql`
    update ${sql(table)} e
    set account_digest = decode(n.fresh, 'hex')
    from unnest(
      ${entries.map(({ traceNumber }) => traceNumber)}::text[],
      ${entries.map(({ accountDigest }) => accountDigest.toString('hex'))}::text[],
      ${entries.map(({ fresh }) => fresh.toString('hex'))}::text[]
    ) as n (trace_number, old, fresh)
    where e.file_id = ${fileId} and e.trace_number = n.trace_number and e.account_digest = decode(n.old, 'hex')
  `
}

export type SerialToRenew = { accountDigest: Buffer; accountSealed: Buffer }

export async function listSerialsToRenew(sql: Sql, keyId: string): Promise<SerialToRenew[]> {
  return sql<SerialToRenew[]>`
    select account_digest, account_sealed
    from check_serials
    where ${isDigestOfAnotherKey(sql, sql`account_digest`, keyId)}
    order by account_digest
  `
}

/** Recomputes the digest of a batch of an account's checks. @returns the number of changed checks */
export async function renewChecks(
  sql: Sql,
  { former, present, limit }: { former: Buffer; present: Buffer; limit: number },
): Promise<number> {
  const renewed = await sql<{ platformId: string; legId: string }[]>`
    update check_numbers n
    set account_digest = ${present}
    from (
      select serial
      from check_numbers
      where account_digest = ${former}
      order by serial
      limit ${limit}
      for no key update
    ) old
    where n.account_digest = ${former} and n.serial = old.serial
    returning n.platform_id, n.leg_id
  `
  const legsOf = Map.groupBy(renewed, ({ platformId }) => platformId)
  for (const [platformId, legs] of legsOf) {
    await sql`
      update paper_checks
      set account_digest = ${present}
      where platform_id = ${platformId} and leg_id = any (${legs.map(({ legId }) => legId)}::uuid[])
    `
  }
  return renewed.length
}

/** Deletes a series of check numbers under a previous digest. @returns false if checks still refer to it */
export async function deleteUnusedSerial(sql: Sql, accountDigest: Buffer): Promise<boolean> {
  const result = await sql`
    delete from check_serials
    where account_digest = ${accountDigest}
      and not exists (select 1 from check_numbers where account_digest = ${accountDigest})
  `
  return result.count === 1
}

/** Lists mail refusals whose digest uses another key, with their address where it is known. */
export async function listSuppressionsToRenew(
  sql: Sql,
  keyId: string,
): Promise<{ emailDigest: Buffer; emailSealed: Buffer | null }[]> {
  return sql<{ emailDigest: Buffer; emailSealed: Buffer | null }[]>`
    select email_digest, email_sealed
    from mail_suppressions
    where ${isDigestOfAnotherKey(sql, sql`email_digest`, keyId)}
    order by email_digest
  `
}

export async function updateSuppressionEmail(
  sql: Sql,
  { emailDigest, emailSealed }: { emailDigest: Buffer; emailSealed: Buffer },
): Promise<void> {
  await sql`
    update mail_suppressions
    set email_sealed = ${emailSealed}
    where email_digest = ${emailDigest} and email_sealed is null
  `
}

/** Lists platforms that have sent a payment, ordered by id. */
export async function listPlatforms(
  sql: Sql,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    ${allPlatforms('serves the operator')}
    select id
    from users
    where platform_id = id ${after ? sql`and platform_id > ${after}` : sql``}
    order by platform_id
    limit ${limit}
  `
  return rows.map(({ id }) => id)
}

/** Lists the mail recipients of a platform whose digest uses another key. */
export async function listRecipientsToRenew(
  sql: Sql,
  { platformId, keyId }: { platformId: string; keyId: string },
): Promise<Buffer[]> {
  const rows = await sql<{ emailDigest: Buffer }[]>`
    select email_digest
    from mail_recipients
    where platform_id = ${platformId} and ${isDigestOfAnotherKey(sql, sql`email_digest`, keyId)}
  `
  return rows.map(({ emailDigest }) => emailDigest)
}

/** Lists the recipients of a platform's payments. */
export async function listPaymentRecipients(
  sql: Sql,
  { platformId, after, limit }: { platformId: string; after: string | null; limit: number },
): Promise<{ id: string; recipient: string }[]> {
  return sql<{ id: string; recipient: string }[]>`
    select id, recipient
    from payments
    where platform_id = ${platformId} ${after ? sql`and id > ${after}` : sql``}
    order by id
    limit ${limit}
  `
}

/** Deletes the mail counts of recipients that no payment names anymore. */
export async function deleteUnknownRecipients(
  sql: Sql,
  { platformId, keyId }: { platformId: string; keyId: string },
): Promise<void> {
  await sql`
    delete from mail_recipients
    where platform_id = ${platformId} and ${isDigestOfAnotherKey(sql, sql`email_digest`, keyId)}
  `
}

/** Clears the key digest of used grants whose recorded answer has expired. */
export async function forgetSpentKeys(sql: Sql, { keyId, before }: { keyId: string; before: Date }): Promise<void> {
  await sql`
    ${allPlatforms('serves the operator')}
    update grants
    set spent_by_key_digest = null
    where spent_at < ${before} and ${isDigestOfAnotherKey(sql, sql`spent_by_key_digest`, keyId)}
  `
}

/** Removes the statement timeout, because a rotation reads whole tables. */
export async function removeTimeLimit(sql: Sql): Promise<void> {
  await withoutTimeLimit(sql)
}
