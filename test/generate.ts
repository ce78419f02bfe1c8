import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICE_ROLE, startEmbeddedPostgres } from '#embedded-postgres'
import { createDatabaseIfMissing } from '../src/db/schema/create-database.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import { createLog } from '../src/lib/log.ts'
import { generatedFiles } from './support/generated.ts'

// Writes the files that are made from the program.

const dataDir = await mkdtemp(join(tmpdir(), 'remit-generate-'))
await chmod(dataDir, 0o711) // so that the user who runs PostgreSQL for root can pass through
const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn') })
try {
  for (const [index, [path, make]] of Object.entries(generatedFiles).entries()) {
    const url = postgres.url(`generate_${index}`)
    await createDatabaseIfMissing(url)
    await migrate(url, { name: SERVICE_ROLE, environment: 'sandbox' })
    await writeFile(new URL(`../${path}`, import.meta.url), await make(url))
    console.log(`wrote ${path}`)
  }
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
