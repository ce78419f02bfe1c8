import type { Sql } from '../../foundation/db/connect.ts'
import { listPage, type Page } from '../../foundation/db/list-page.ts'
import { containing, containsPattern, type Paging } from '../../foundation/db/paging.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { MailboxAddress } from './mailbox-rules.ts'
import type { LetterStatus, MailboxStatus } from './mailbox-status.ts'

export type MailboxRow = UserKey & {
  id: string
  number: string
  status: MailboxStatus
  address: MailboxAddress
  createdAt: Date
}

export type MailboxKey = { platformId: string; id: string }

const columns = (sql: Sql) => sql`platform_id, id, user_id, number, status, address, created_at`

/** Inserts a mailbox. @returns false if another mailbox has this number */
export async function insertMailbox(sql: Sql, row: MailboxRow): Promise<boolean> {
  const result = await sql`
    insert into mailbox_numbers ${sql.values({ number: row.number, platformId: row.platformId, mailboxId: row.id })}
    on conflict (number) do nothing
  `
  if (result.count === 0) return false
  await sql`
    insert into mailboxes ${sql.values({ ...row, address: sql.json(row.address) })}
  `
  return true
}

export async function countMailboxes(sql: Sql, { platformId, userId }: UserKey): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count
    from mailboxes
    where platform_id = ${platformId} and user_id = ${userId}
  `
  return row?.count ?? 0
}

export async function findMailbox(sql: Sql, { platformId, id }: MailboxKey): Promise<MailboxRow | null> {
  const [row] = await sql<MailboxRow[]>`
    select ${columns(sql)}
    from mailboxes
    where platform_id = ${platformId} and id = ${id}
  `
  return row ?? null
}

/** Locks a mailbox, so that it is not closed until the end of the transaction. */
export async function lockMailbox(sql: Sql, { platformId, id }: MailboxKey): Promise<MailboxRow | null> {
  const [row] = await sql<MailboxRow[]>`
    select ${columns(sql)}
    from mailboxes
    where platform_id = ${platformId} and id = ${id}
    for update
  `
  return row ?? null
}

/** Finds the mailbox of any platform by the number on an envelope. */
export async function findMailboxByNumber(sql: Sql, number: string): Promise<MailboxKey | null> {
  const [row] = await sql<MailboxKey[]>`
    select platform_id, mailbox_id as id
    from mailbox_numbers
    where number = ${number}
  `
  return row ?? null
}

export const listMailboxes = (
  sql: Sql,
  { platformId, userId, q }: UserKey & { q: string | undefined },
  paging: Paging,
): Promise<Page<MailboxRow>> =>
  listPage(
    sql,
    {
      columns: columns(sql),
      table: sql`mailboxes`,
      where: sql`
        platform_id = ${platformId} and user_id = ${userId} ${q ? sql`and number like ${containsPattern(q)}` : sql``}
      `,
    },
    { paging },
  )

/** Changes the status of the mailboxes of a user whose current status allows it. */
export async function updateMailboxStatuses(
  sql: Sql,
  { platformId, userId }: UserKey,
  { from, to }: { from: readonly MailboxStatus[]; to: MailboxStatus },
): Promise<void> {
  await sql`
    update mailboxes
    set status = ${to}
    where platform_id = ${platformId} and user_id = ${userId} and status = any (${from as MailboxStatus[]})
  `
}

export type LetterRow = {
  platformId: string
  id: string
  mailboxId: string
  reference: string
  status: LetterStatus
  sender: string
  recipient: string
  tags: string[]
  createdAt: Date
}

/** A piece of mail with the payments of its checks. */
export type ShownLetter = LetterRow & { checks: string[] }

const letterColumns = (sql: Sql) => sql`
  platform_id, id, mailbox_id, reference, status, sender, recipient, tags, created_at
`

const checksOfLetter = (sql: Sql, platformId: string) => sql`
  array(
    select c.payment_id
    from scanned_checks c
    where c.platform_id = ${platformId} and c.letter_id = letters.id
    order by c.payment_id
  ) as checks
`

/** Inserts a piece of mail. @returns false if it arrived before */
export async function insertLetter(sql: Sql, row: LetterRow, scanSealed: Buffer): Promise<boolean> {
  const result = await sql`
    insert into letters ${sql.values(row)}
    on conflict (platform_id, mailbox_id, reference) do nothing
  `
  if (result.count === 0) return false
  await sql`
    insert into letter_scans ${sql.values({ platformId: row.platformId, letterId: row.id, scanSealed })}
  `
  return true
}

export async function findLetter(sql: Sql, { platformId, id }: MailboxKey): Promise<ShownLetter | null> {
  const [row] = await sql<ShownLetter[]>`
    select ${letterColumns(sql)}, ${checksOfLetter(sql, platformId)}
    from letters
    where platform_id = ${platformId} and id = ${id}
  `
  return row ?? null
}

export async function findScan(sql: Sql, { platformId, id }: MailboxKey): Promise<Buffer | null> {
  const [row] = await sql<{ scanSealed: Buffer }[]>`
    select scan_sealed
    from letter_scans
    where platform_id = ${platformId} and letter_id = ${id}
  `
  return row?.scanSealed ?? null
}

/** Lists the mail of a mailbox. `q` searches the senders. */
export const listLetters = (
  sql: Sql,
  { platformId, mailboxId, q }: { platformId: string; mailboxId: string; q: string | undefined },
  paging: Paging,
): Promise<Page<ShownLetter>> =>
  listPage(
    sql,
    {
      columns: sql`${letterColumns(sql)}, ${checksOfLetter(sql, platformId)}`,
      table: sql`letters`,
      where: sql`
        platform_id = ${platformId} and mailbox_id = ${mailboxId}
        ${containing(sql, q, ['sender'])}
      `,
    },
    { paging },
  )

type FileKey = { name: string; contentHash: Buffer }

/** Finds the record of a file of the provider. Returns null if the file was not read yet. */
export async function findMailboxFile(
  sql: Sql,
  { name, contentHash }: FileKey,
): Promise<{ report: string | null } | null> {
  const [row] = await sql<{ report: string | null }[]>`
    select report
    from mailbox_files
    where name = ${name} and content_hash = ${contentHash}
  `
  return row ?? null
}

/** Inserts the record of a file. @returns false if another worker has read it */
export async function insertMailboxFile(
  sql: Sql,
  file: FileKey & { report: string | null; readAt: Date },
): Promise<boolean> {
  const result = await sql`
    insert into mailbox_files ${sql.values(file)}
    on conflict (name, content_hash) do nothing
  `
  return result.count === 1
}
