import type { Sql } from '../db/connect.ts'
import type { SetAside } from './ach-inbound-rules.ts'
import type { NachaAcknowledgement } from './nacha-acknowledgement-rules.ts'

export type InboundFileRow = {
  id: string
  name: string
  contentHash: Buffer
  kind: 'nacha' | 'acknowledgement' | null
  isUsed: boolean
  report: string | null
  readAt: Date
}

/** What was read with this content before: under this name, else the one that was used. */
export async function findInboundFile(
  sql: Sql,
  { name, contentHash }: { name: string; contentHash: Buffer },
): Promise<InboundFileRow | null> {
  const [row] = await sql<InboundFileRow[]>`
    select id, name, content_hash, kind, is_used, report, read_at
    from ach_inbound_files
    where content_hash = ${contentHash} and (name = ${name} or is_used)
    order by name = ${name} desc
    limit 1
  `
  return row ?? null
}

/** The names of the files in which NACHA files of these contents were used, by content in hexadecimal. */
export async function listUsedContents(sql: Sql, contentHashes: readonly Buffer[]): Promise<Map<string, string>> {
  const rows = await sql<{ contentHash: Buffer; name: string }[]>`
    select p.content_hash, f.name
    from ach_inbound_parts p
    join ach_inbound_files f on f.id = p.inbound_file_id
    where p.content_hash in (
      select decode(hash, 'hex') from unnest(${contentHashes.map((hash) => hash.toString('hex'))}::text[]) hash
    )
  `
  return new Map(rows.map(({ contentHash, name }) => [contentHash.toString('hex'), name]))
}

/** Records that NACHA files of a file are used. */
export async function insertInboundParts(
  sql: Sql,
  inboundFileId: string,
  parts: readonly { line: number; contentHash: Buffer }[],
): Promise<void> {
  await sql`
    insert into ach_inbound_parts (inbound_file_id, line, content_hash)
    select ${inboundFileId}, p.line::integer, decode(p.content_hash, 'hex')
    from unnest(
      ${parts.map(({ line }) => String(line))}::text[], ${parts.map(({ contentHash }) => contentHash.toString('hex'))}::text[]
    ) as p (line, content_hash)
  `
}

export async function insertInboundFile(sql: Sql, file: InboundFileRow): Promise<void> {
  await sql`
    insert into ach_inbound_files (id, name, content_hash, kind, is_used, report, read_at)
    values (
      ${file.id}, ${file.name}, ${file.contentHash}, ${file.kind}, ${file.isUsed}, ${file.report}, ${file.readAt}
    )
  `
}

/** Known only when everything else of the file was tried. */
export async function updateReport(sql: Sql, id: string, report: string): Promise<void> {
  await sql`
    update ach_inbound_files
    set report = ${report}
    where id = ${id}
  `
}

export async function insertSetAside(sql: Sql, inboundFileId: string, setAside: readonly SetAside[]): Promise<void> {
  await sql`
    insert into ach_set_aside (inbound_file_id, line, trace_number, reason)
    select ${inboundFileId}, s.line::integer, s.trace_number, s.reason
    from unnest(
      ${setAside.map(({ line }) => String(line))}::text[],
      ${setAside.map(({ traceNumber }) => traceNumber)}::text[],
      ${setAside.map(({ reason }) => reason)}::text[]
    ) as s (line, trace_number, reason)
  `
}

export async function insertReturn(
  sql: Sql,
  one: {
    inboundFileId: string
    line: number
    platformId: string
    legId: string
    returnCode: string
    accountSealed: Buffer | null
  },
): Promise<void> {
  await sql`
    insert into ach_returns (inbound_file_id, line, platform_id, leg_id, return_code, account_sealed)
    values (
      ${one.inboundFileId}, ${one.line}, ${one.platformId}, ${one.legId}, ${one.returnCode}, ${one.accountSealed}
    )
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
    insert into ach_corrections (
      inbound_file_id, line, platform_id, leg_id, change_code, corrected_sealed, is_applied
    )
    values (
      ${correction.inboundFileId}, ${correction.line}, ${correction.platformId}, ${correction.legId},
      ${correction.changeCode}, ${correction.correctedSealed}, ${correction.isApplied}
    )
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
    insert into ach_acknowledgements (inbound_file_id, position, file_id, outcome, errors)
    values (
      ${acknowledgement.inboundFileId}, ${acknowledgement.position}, ${acknowledgement.fileId},
      ${acknowledgement.outcome}, ${acknowledgement.errors as never}
    )
  `
}
