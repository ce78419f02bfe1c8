import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { brotliDecompressSync } from 'node:zlib'
import type { Sql } from '../../src/foundation/db/connect.ts'

type Migration = { number: number; name: string; sql: string; checksum: string }

/**
 * The migrations before the baseline, byte for byte, because their checksums identify a database: 1 to 9 of version 0.1, then
 * 10 to 29 of the unreleased version. A shallow clone has no other copy. In the file, each follows a line "-- FILE name".
 */
export const formerMigrations: Migration[] = brotliDecompressSync(
  await readFile(new URL('../fixtures/former-migrations.sql.br', import.meta.url)),
)
  .toString()
  .split(/^-- FILE /m)
  .slice(1)
  .map((part) => {
    const [name, sql] = [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]
    return { number: Number(name.slice(0, 4)), name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })

/** Migrates an empty database up to a former migration. */
export async function applyFormerMigrations(sql: Sql, last: number): Promise<void> {
  await sql`
    create table migrations (
      number     integer primary key,
      name       text not null,
      checksum   text not null,
      applied_at timestamptz not null default now()
    )
  `
  for (const { number, name, sql: text, checksum } of formerMigrations.filter(
    (migration) => migration.number <= last,
  )) {
    await sql.unsafe(text)
    await sql`insert into migrations (number, name, checksum) values (${number}, ${name}, ${checksum})`
  }
}
