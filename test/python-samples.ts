import { execFile } from 'node:child_process'
import { chmod, glob, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SERVICE_ROLE, startEmbeddedPostgres } from '#embedded-postgres'
import { createDatabaseIfMissing } from '../src/foundation/db/schema/create-database.ts'
import { migrate } from '../src/foundation/db/schema/migrate.ts'
import { createLog } from '../src/foundation/lib/log.ts'
import { generatePythonClient } from './clients/generate-clients.ts'
import { environmentOf, newWebhook, sampleRuns } from './support/guide-samples.ts'
import { startTestService } from './support/service.ts'

// Generates the Python client from openapi.json, as the guide describes, and runs every Python sample of the guides on
// a service.
//
//   npm run python-samples
//
// It needs Python and PyPI.

const root = fileURLToPath(new URL('..', import.meta.url))
const { python, folder } = await generatePythonClient()
const dataDir = await mkdtemp(join(tmpdir(), 'remit-python-samples-'))
await chmod(dataDir, 0o711) // so that the user who runs PostgreSQL for root can pass through
const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn') })
const ends: (() => unknown)[] = [() => postgres.stop(), () => rm(dataDir, { recursive: true, force: true })]
const lifetime = { after: (end: () => unknown) => void ends.unshift(end) } as never

const run = async (args: string[], env: Record<string, string>): Promise<string> => {
  const PYTHONPATH = [folder, `${root}examples/guides`].join(':')
  const options = { cwd: dataDir, env: { ...env, PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' }, timeout: 60_000 }
  return (await promisify(execFile)(python, args, options)).stdout
}

const failures: string[] = []
try {
  const databaseUrl = postgres.url('python_samples')
  await createDatabaseIfMissing(databaseUrl)
  await migrate(databaseUrl, { name: SERVICE_ROLE, environment: 'sandbox' })
  const service = await startTestService(lifetime, { databaseUrl, roles: ['http', 'worker'] })
  const files = await Array.fromAsync(glob('examples/{quickstart,guides/*/*}.py', { cwd: root }))
  for (const file of files.sort()) {
    const name = file.replace('examples/', '').replace('.py', '')
    const prepared = await sampleRuns[name]?.(service)
    if (!prepared) continue
    const output = await run([root + file], environmentOf(service, prepared)).catch(({ message }) => message)
    if (prepared.shows.test(output)) console.log(file)
    else failures.push(`${file} printed ${output}`)
  }
  await receiveWebhook(service)
  if (failures.length > 0) throw new Error(failures.join('\n'))
} finally {
  for (const end of ends) await end()
}

/** The sample of a receiver is a function. */
async function receiveWebhook(service: Awaited<ReturnType<typeof startTestService>>): Promise<void> {
  const { body, headers, key } = await newWebhook(service, lifetime)
  const program =
    'import json, os, receive; print(receive.handle(os.environ["BODY"].encode(), json.loads(os.environ["HEADERS"])))'
  const file = 'examples/guides/webhooks/receive.py'
  for (const [given, expected] of [
    [body, '204'],
    [body.replace('PENDING', 'VERIFIED'), '401'],
  ] as const) {
    const env = { BODY: given, HEADERS: JSON.stringify(headers), WEBHOOK_KEY: key }
    const output = await run(['-c', `import sys; sys.path.append("${root}examples/guides/webhooks"); ${program}`], env)
    if (output.trim() !== expected) throw new Error(`${file} answered ${output} instead of ${expected}`)
  }
  console.log(file)
}
