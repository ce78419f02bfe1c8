import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICE_ROLE, startEmbeddedPostgres } from '#embedded-postgres'
import { createDatabaseIfMissing } from '../src/foundation/db/schema/create-database.ts'
import { migrate } from '../src/foundation/db/schema/migrate.ts'
import { createLog } from '../src/foundation/lib/log.ts'
import { generatedFiles, type MakeFile } from './support/generated.ts'

// Writes the files that are generated from the program.

const dataDir = await mkdtemp(join(tmpdir(), 'remit-generate-'))
await chmod(dataDir, 0o711) // so that the user who runs PostgreSQL for root can pass through
const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn') })
try {
  // The examples are validated with the schemas of openapi.json and then added to it.
  const paths = ['openapi.json', ...Object.keys(generatedFiles)]
  for (const [index, path] of paths.entries()) {
    const url = postgres.url(`generate_${index}`)
    await createDatabaseIfMissing(url)
    await migrate(url, { name: SERVICE_ROLE, environment: 'sandbox' })
    await writeFile(new URL(`../${path}`, import.meta.url), await (generatedFiles[path] as MakeFile)(url))
    console.log(`wrote ${path}`)
  }
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
