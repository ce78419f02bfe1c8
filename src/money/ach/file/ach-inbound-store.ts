import type { Sql } from '../../../foundation/db/connect.ts'
import type { NachaAcknowledgement } from '../format/nacha-acknowledgement-rules.ts'
import type { InboundCounts, SetAside } from './ach-inbound-rules.ts'

export type InboundFileRow = {
  id: string
  connectionId: string
  name: string
  contentHash: Buffer
  kind: 'nacha' | 'acknowledgement' | null
  isUsed: boolean
  report: string | null
  readAt: Date
  /** The number of entries that were applied or set aside. */
  entriesDone: number
  completedAt: Date | null
}

/** Finds an earlier file of a bank with this content, preferably one with this name. */
export const findInboundFile = (
  sql: Sql,
  { connectionId, name, contentHash }: { connectionId: string; name: string; contentHash: Buffer },
): Promise<InboundFileRow | null> =>
  sql<InboundFileRow[]>`
    select id, connection_id, name, content_hash, kind, is_used, report, read_at, entries_done, completed_at
    from ach_inbound_files
    where connection_id = ${connectionId} and content_hash = ${contentHash}
    order by name = ${name} desc, read_at
    limit 1
  `.first()

/** Lists the names of other files of a bank that contained NACHA files with these hashes, by hash in hexadecimal. */
export async function listUsedContents(
  sql: Sql,
  {
    connectionId,
    contentHashes,
    exceptFileId,
  }: { connectionId: string; contentHashes: readonly Buffer[]; exceptFileId: string },
): Promise<Map<string, string>> {
  const rows = await sql<{ contentHash: Buffer; name: string }[]>`
    select p.content_hash, f.name
    from ach_inbound_parts p
    join ach_inbound_files f on f.id = p.inbound_file_id
    where p.connection_id = ${connectionId} and p.content_hash in (
        select decode(hash, 'hex') from unnest(${contentHashes.map((hash) => hash.toString('hex'))}::text[]) hash
      )
      and f.id <> ${exceptFileId}
  `
  return new Map(rows.map(({ contentHash, name }) => [contentHash.toString('hex'), name]))
}

/** Records the NACHA files of a physical file that are applied or wait for a decision. */
export async function insertInboundParts(
  sql: Sql,
  { id, connectionId }: { id: string; connectionId: string },
  parts: readonly { line: number; contentHash: Buffer }[],
): Promise<void> {
  await sql`
    insert into ach_inbound_parts (inbound_file_id, connection_id, line, content_hash)
    select ${id}, ${connectionId}, p.line::integer, decode(p.content_hash, 'hex')
    from unnest(
      ${parts.map(({ line }) => String(line))}::text[], ${parts.map(({ contentHash }) => contentHash.toString('hex'))}::text[]
    ) as p (line, content_hash)
  `
}

export async function insertInboundFile(sql: Sql, file: InboundFileRow): Promise<void> {
  await sql`
    insert into ach_inbound_files ${sql.values(file)}
  `
}

/** Locks a file. @returns the number of its processed entries */
export async function lockEntriesDone(sql: Sql, id: string): Promise<number> {
  const [row] = await sql<{ entriesDone: number }[]>`
    select entries_done
    from ach_inbound_files
    where id = ${id}
    for update
  `
  return row?.entriesDone ?? 0
}

export async function updateEntriesDone(sql: Sql, id: string, entriesDone: number): Promise<void> {
  await sql`
    update ach_inbound_files
    set entries_done = ${entriesDone}
    where id = ${id}
  `
}

export async function updateCompleted(
  sql: Sql,
  id: string,
  { report, completedAt }: { report: string | null; completedAt: Date },
): Promise<void> {
  await sql`
    update ach_inbound_files
    set report = ${report}, completed_at = ${completedAt}
    where id = ${id}
  `
}

/** Counts the entries that were applied from a file. */
export async function countUsed(sql: Sql, inboundFileId: string): Promise<InboundCounts> {
  const [row] = await sql<InboundCounts[]>`
    select
      (select count(*) from ach_returns where inbound_file_id = ${inboundFileId}) as returns,
      (select count(*) from ach_corrections where inbound_file_id = ${inboundFileId} and is_applied) as corrections,
      (
        select count(*)
        from ach_acknowledgements a
        where a.inbound_file_id = ${inboundFileId} and not exists (
          select 1 from ach_set_aside s where s.inbound_file_id = a.inbound_file_id and s.line = a.position
        )
      ) as acknowledgements
  `
  return row ?? { returns: 0, corrections: 0, acknowledgements: 0 }
}

export const listSetAside = (sql: Sql, inboundFileId: string): Promise<SetAside[]> =>
  sql<SetAside[]>`
    select line, trace_number, reason
    from ach_set_aside
    where inbound_file_id = ${inboundFileId}
    order by line
  `

/** Records the entries of a file that are not used. An entry that was recorded before keeps its reason. */
export async function insertSetAside(sql: Sql, inboundFileId: string, setAside: readonly SetAside[]): Promise<void> {
  await sql`
    insert into ach_set_aside (inbound_file_id, line, trace_number, reason)
    select ${inboundFileId}, s.line::integer, s.trace_number, s.reason
    from unnest(
      ${setAside.map(({ line }) => String(line))}::text[],
      ${setAside.map(({ traceNumber }) => traceNumber)}::text[],
      ${setAside.map(({ reason }) => reason)}::text[]
    ) as s (line, trace_number, reason)
    on conflict (inbound_file_id, line) do nothing
  `
}

export type ReturnRow = {
  line: number
  platformId: string
  legId: string
  returnCode: string
  /** The account number in the return, if it differs from the entry's. Otherwise null. */
  accountSealed: Buffer | null
}

export async function insertReturns(sql: Sql, inboundFileId: string, returns: readonly ReturnRow[]): Promise<void> {
  await sql`
    insert into ach_returns (inbound_file_id, line, platform_id, leg_id, return_code, account_sealed)
    select ${inboundFileId}, r.line::integer, r.platform_id, r.leg_id, r.return_code, decode(r.account_sealed, 'hex')
    from unnest(
      ${returns.map(({ line }) => String(line))}::text[],
      ${returns.map(({ platformId }) => platformId)}::uuid[],
      ${returns.map(({ legId }) => legId)}::uuid[],
      ${returns.map(({ returnCode }) => returnCode)}::text[],
      ${returns.map(({ accountSealed }) => accountSealed?.toString('hex') ?? null)}::text[]
    ) as r (line, platform_id, leg_id, return_code, account_sealed)
  `
}

export async function insertCorrection(
  sql: Sql,
  correction: {
    inboundFileId: string
    line: number
    platformId: string
    legId: string
    changeCode: string
    correctedSealed: Buffer
    isApplied: boolean
  },
): Promise<void> {
  await sql`
    insert into ach_corrections ${sql.values(correction)}
  `
}

export async function insertAcknowledgement(
  sql: Sql,
  acknowledgement: { inboundFileId: string; position: number; fileId: string } & Pick<
    NachaAcknowledgement,
    'outcome' | 'errors'
  >,
): Promise<void> {
  await sql`
    insert into ach_acknowledgements ${sql.values({ ...acknowledgement, errors: sql.json(acknowledgement.errors) })}
  `
}

/** Returns whether the bank acknowledged a file without reporting an error. */
export const wasAcceptedWhole = (sql: Sql, fileId: string): Promise<boolean> =>
  sql`
    select
    from ach_acknowledgements
    where file_id = ${fileId} and outcome = 'accepted'
    limit 1
  `.anyRow()

/** Lists the platforms with a leg that an entry of a file of the bank concerns. */
export async function listPlatformsOfInbound(sql: Sql, inboundFileId: string): Promise<string[]> {
  const rows = await sql<{ platformId: string }[]>`
    select platform_id
    from ach_returns
    where inbound_file_id = ${inboundFileId}
    union
    select platform_id
    from ach_corrections
    where inbound_file_id = ${inboundFileId}
    order by platform_id
  `
  return rows.map(({ platformId }) => platformId)
}
