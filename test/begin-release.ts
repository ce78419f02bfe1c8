import { writeFile } from 'node:fs/promises'
import { readMigrations } from '../src/foundation/db/schema/migrate.ts'
import { SCHEMA } from '../src/foundation/db/schema/schema-release.ts'
import { readSqlFunctions } from '../src/foundation/db/schema/sql-functions.ts'
import { releaseAfter } from './support/next-release.ts'

// Run once after a release. The next release must keep everything that its program uses.

const next = releaseAfter(SCHEMA, { migrations: await readMigrations(), functions: await readSqlFunctions() })
await writeFile(new URL('../migrations/release.json', import.meta.url), `${JSON.stringify(next, null, 2)}\n`)
