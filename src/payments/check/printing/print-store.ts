import type { OutgoingFileKind } from '../../../connections/exchange/outgoing-file-status.ts'
import { allPlatforms } from '../../../foundation/db/cluster/all-platforms.ts'
import { isOfTheirPlatform, runByPlatform } from '../../../foundation/db/cluster/by-platform.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import { digestList, type Renewal } from '../../../foundation/db/digests.ts'
import { NOTHING_SKIPPED, notSkipped, type Skipped } from '../../../foundation/db/skipped.ts'
import type { PostalAddress } from '../../payment/payment-rules.ts'
import type { PaymentKey } from '../../payment/payment-types.ts'

/** Locks a kind of work until the end of the transaction. @returns whether the lock was free */
export async function tryLockPrinting(sql: Sql, work: 'print' | 'issue' | 'stop' | 'paid'): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`check files: ${work}`}, 0)) as is_locked
  `
  return row?.isLocked ?? false
}

type LegKey = { platformId: string; legId: string }

export type PaperCheckRow = LegKey & {
  /** The connection of the account that the check is drawn on. */
  connectionId: string
  paymentId: string
  cents: number
  /** The date on the check, YYYY-MM-DD. */
  issuedOn: string
  /** The payee as printed. */
  payee: string
}

/** The account on which checks are drawn. */
export type PaperAccount = { connectionId: string; accountDigest: Buffer; accountSealed: Buffer; firstSerial: number }

/** Finds the check that a leg issued. */
export async function findPaperCheck(
  sql: Sql,
  { platformId, id }: { platformId: string; id: string },
): Promise<{ accountDigest: Buffer; serial: number; issuedOn: string } | null> {
  const [row] = await sql<{ accountDigest: Buffer; serial: number; issuedOn: string }[]>`
    select account_digest, serial, issued_on::text as issued_on
    from paper_checks
    where platform_id = ${platformId} and leg_id = ${id}
  `
  return row ?? null
}

/**
 * Gives a check the next number of its account, starting with `firstSerial`. Other transactions on the account wait
 * until this one ends, so that the numbers have no gaps. @returns the number
 */
export async function insertNumberedCheck(
  sql: Sql,
  { connectionId, accountDigest, accountSealed, firstSerial }: PaperAccount,
  check: Omit<PaperCheckRow, 'connectionId'>,
): Promise<number> {
  const [number] = await sql<{ serial: number }[]>`
    with next as (
      insert into check_serials as s (account_digest, connection_id, account_sealed, last_serial)
      values (${accountDigest}, ${connectionId}, ${accountSealed}, ${firstSerial})
      on conflict (account_digest) do update
      set last_serial = greatest(s.last_serial + 1, excluded.last_serial)
      returning last_serial
    )
    insert into check_numbers (account_digest, serial, platform_id, leg_id)
    select ${accountDigest}, last_serial, ${check.platformId}, ${check.legId}
    from next
    returning serial
  `
  const { serial } = number as { serial: number }
  await insertPaperCheck(sql, { ...check, connectionId, accountDigest, serial })
  return serial
}

/** Finds the leg whose check has a number on an account, or returns null. */
export const findLegOfNumber = (
  sql: Sql,
  { accountDigests, serial }: { accountDigests: readonly Buffer[]; serial: number },
): Promise<LegKey | null> =>
  sql<LegKey[]>`
    select platform_id, leg_id
    from check_numbers
    where account_digest in ${digestList(sql, accountDigests)} and serial = ${serial}
  `.first()

/** Stores a check whose number is printed already. Fails if another check has the number. */
export async function insertPrintedCheck(
  sql: Sql,
  { connectionId, accountDigest }: Pick<PaperAccount, 'connectionId' | 'accountDigest'>,
  check: Omit<PaperCheckRow, 'connectionId'> & { serial: number },
): Promise<void> {
  await sql`
    insert into check_numbers (account_digest, serial, platform_id, leg_id)
    values (${accountDigest}, ${check.serial}, ${check.platformId}, ${check.legId})
  `
  await insertPaperCheck(sql, { ...check, connectionId, accountDigest })
}

const insertPaperCheck = (sql: Sql, check: PaperCheckRow & { accountDigest: Buffer; serial: number }) =>
  sql`
    insert into paper_checks ${sql.values(check)}
  `

/**
 * Continues the numbering of an account under its current digest. The row with the previous digest remains while checks refer to it, but is
 * no longer used for counting.
 */
export async function carryCheckSerialOver(sql: Sql, { former, present }: Renewal): Promise<void> {
  await sql`
    insert into check_serials as s (account_digest, connection_id, account_sealed, last_serial)
    select ${present}::bytea, connection_id, account_sealed, last_serial
    from check_serials
    where account_digest = ${former}
    on conflict (account_digest) do update
    set last_serial = excluded.last_serial
    where s.last_serial < excluded.last_serial
  `
}

/** Finds the mailing address of a check, for the printer. */
export async function findMailing(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
): Promise<{ name: string; address: PostalAddress; mailType: string } | null> {
  const [row] = await sql<{ name: string; address: PostalAddress; mailType: string }[]>`
    select name, address, mail_type
    from payments
    where platform_id = ${platformId} and id = ${paymentId} and address is not null
  `
  return row ?? null
}

/** Records which print file contains the checks. */
export async function assignPrintFile(sql: Sql, fileId: string, legs: readonly LegKey[]): Promise<void> {
  await sql`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    update paper_checks c
    set print_file_id = ${fileId}
    from unnest(
      ${legs.map(({ platformId }) => platformId)}::uuid[], ${legs.map(({ legId }) => legId)}::uuid[]
    ) as l (platform_id, leg_id)
    where c.platform_id = l.platform_id and c.leg_id = l.leg_id
  `
}

/** A check as it appears on a list for the bank. */
export type ListedCheck = {
  platformId: string
  accountDigest: Buffer
  accountSealed: Buffer
  number: number
  cents: number
  issuedOn: string
  payee: string
  stoppedAt: Date | null
  /** Whether the check is in a print file. Otherwise, its recipient prints it. */
  isInPrintFile: boolean
}

/**
 * The kinds of lists. For each: its name, the column of a check that refers to it, and the condition that a check still has to be listed.
 */
const lists = {
  issue: { column: 'issue_file_id', waiting: (sql: Sql) => sql`paid_on is null` },
  void: { column: 'void_file_id', waiting: (sql: Sql) => sql`stopped_at is not null` },
  stop: { column: 'stop_file_id', waiting: (sql: Sql) => sql`stopped_at is not null` },
} as const
export type CheckList = keyof typeof lists

/** Selects checks on the account of a connection: of all platforms except the skipped ones, or of one platform. */
export type ListScope = { connectionId: string; skipped?: Skipped; platformId?: string }

const toList = (sql: Sql, list: CheckList, { connectionId, skipped = NOTHING_SKIPPED, platformId }: ListScope) => {
  const { column, waiting } = lists[list]
  return sql`
    connection_id = ${connectionId} and ${waiting(sql)} and ${sql(column)} is null ${notSkipped(sql, skipped, { id: null })}
    ${platformId ? sql`and platform_id = ${platformId}` : sql``}
  `
}

/**
 * Assigns checks that are not on a list of this kind yet to a file, lowest number first, and returns them. Leaves out a check that another
 * transaction has just taken or changed.
 */
export async function assignChecksToList(
  deps: { sql: Sql; isDistributed: boolean },
  { list, fileId, limit, ...scope }: ListScope & { list: CheckList; fileId: string; limit: number },
): Promise<ListedCheck[]> {
  const { sql } = deps
  const waiting = await sql<LegKey[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select platform_id, leg_id
    from paper_checks
    where ${toList(sql, list, scope)}
    order by serial
    limit ${limit}
  `
  const taken = await runByPlatform(deps, waiting, (keys) =>
    takeForList(sql, { list, fileId, keys, connectionId: scope.connectionId }),
  )
  const accounts = await listPaperAccounts(
    sql,
    taken.map(({ accountDigest }) => accountDigest),
  )
  return taken
    .map((check) => ({ ...check, accountSealed: accounts.get(check.accountDigest.toString('hex')) as Buffer }))
    .sort((one, other) => one.number - other.number)
}

type TakenCheck = Omit<ListedCheck, 'accountSealed'>

function takeForList(
  sql: Sql,
  { list, fileId, keys, connectionId }: { list: CheckList; fileId: string; keys: LegKey[]; connectionId: string },
): Promise<TakenCheck[]> {
  const { column } = lists[list]
  return sql<TakenCheck[]>`
    update paper_checks c
    set ${sql(column)} = ${fileId}
    from unnest(
      ${keys.map(({ platformId }) => platformId)}::uuid[], ${keys.map(({ legId }) => legId)}::uuid[]
    ) as k (key_platform_id, key_leg_id)
    where c.platform_id = k.key_platform_id and c.leg_id = k.key_leg_id ${isOfTheirPlatform(sql, sql`c.platform_id`, keys)}
      and ${toList(sql, list, { connectionId })}
    returning
      c.platform_id, c.account_digest, c.serial as number, c.cents, c.issued_on, c.payee, c.stopped_at,
      c.print_file_id is not null as is_in_print_file
  `
}

/** Finds the sealed numbers of accounts that checks are drawn on, by their digests in hex. */
async function listPaperAccounts(sql: Sql, accountDigests: readonly Buffer[]): Promise<Map<string, Buffer>> {
  const rows = await sql<{ digest: string; accountSealed: Buffer }[]>`
    select encode(account_digest, 'hex') as digest, account_sealed
    from check_serials
    where account_digest in ${digestList(sql, accountDigests)}
  `
  return new Map(rows.map(({ digest, accountSealed }) => [digest, accountSealed]))
}

/** Returns whether at least one check has to be put on a list. */
export async function hasChecksToList(sql: Sql, list: CheckList, scope: ListScope): Promise<boolean> {
  const [row] = await sql<{ isThere: boolean }[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select exists (select 1 from paper_checks where ${toList(sql, list, scope)}) as is_there
  `
  return row?.isThere ?? false
}

/** Lists the platforms with checks that have to be put on a list. */
export async function listPlatformsToList(sql: Sql, list: CheckList, scope: ListScope): Promise<string[]> {
  const rows = await sql<{ platformId: string }[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select distinct platform_id
    from paper_checks
    where ${toList(sql, list, scope)}
  `
  return rows.map(({ platformId }) => platformId)
}

/** The kinds of files that contain checks, with the column of a check that names the file. */
const fileColumns = {
  print: ['print_file_id'],
  stop: ['stop_file_id'],
  issue: ['issue_file_id', 'void_file_id'],
} as const satisfies Partial<Record<OutgoingFileKind, readonly string[]>>
export type CheckFileKind = keyof typeof fileColumns

export const isCheckFileKind = (kind: OutgoingFileKind): kind is CheckFileKind => kind in fileColumns

export type CheckInFile = LegKey

/** Lists the checks of one platform in a file. */
export async function listChecksInFile(
  sql: Sql,
  { fileId, kind, platformId }: { fileId: string; kind: CheckFileKind; platformId: string },
): Promise<CheckInFile[]> {
  const [column, otherColumn = column] = fileColumns[kind] as readonly [string, string?]
  return sql<CheckInFile[]>`
    select platform_id, leg_id
    from paper_checks
    where ${sql(column)} = ${fileId} and platform_id = ${platformId}
    union
    select platform_id, leg_id
    from paper_checks
    where ${sql(otherColumn)} = ${fileId} and platform_id = ${platformId}
    order by leg_id
  `
}

/** Removes a check from a file that never took effect, so that it can be put on another list. */
export async function releaseCheckFromFile(
  sql: Sql,
  { platformId, legId }: CheckInFile,
  { kind, fileId }: { kind: CheckFileKind; fileId: string },
): Promise<void> {
  for (const column of fileColumns[kind]) {
    await sql`
      update paper_checks
      set ${sql(column)} = null
      where platform_id = ${platformId} and leg_id = ${legId} and ${sql(column)} = ${fileId}
    `
  }
}
