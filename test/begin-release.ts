import { writeFile } from 'node:fs/promises'
import { readMigrations } from '../src/foundation/db/schema/migrate.ts'
import { SCHEMA, type SchemaRelease } from '../src/foundation/db/schema/schema-release.ts'
import { readSqlFunctions } from '../src/foundation/db/schema/sql-functions.ts'

// Run once a release is out: what the schema has now is what its program uses, and the next release must keep it.

const functions = await readSqlFunctions()
const next: SchemaRelease = {
  release: SCHEMA.release + 1,
  servesFrom: SCHEMA.release,
  previous: {
    release: SCHEMA.release,
    lastMigration: (await readMigrations()).at(-1)?.number ?? 0,
    functions: Object.fromEntries(functions.map(({ name, signature }) => [name, signature])),
  },
}
await writeFile(new URL('../migrations/release.json', import.meta.url), `${JSON.stringify(next, null, 2)}\n`)
