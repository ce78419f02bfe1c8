import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICE_ROLE, startEmbeddedPostgres } from '#embedded-postgres'
import { createDatabaseIfMissing } from '../src/foundation/db/schema/create-database.ts'
import { migrate } from '../src/foundation/db/schema/migrate.ts'
import { createLog } from '../src/foundation/lib/log.ts'
import type { Call, GeneratedClient } from './clients/client.ts'
import { startPythonClient } from './clients/python-client.ts'
import { startTypescriptClient } from './clients/typescript-client.ts'
import { recordApiExamples, type Through } from './support/api-story.ts'
import { apiDocument, findCall } from './support/documented.ts'

// Generates strict clients from openapi.json and calls every operation with them three times: as in the API story,
// without a credential, and with an unknown id.
//
//   npm run generated-clients
//
// It needs npm, Python and their package registries.

const UNKNOWN_ID = '0'.repeat(32)

/** The API, called through a generated client. */
function through(client: GeneratedClient, met: Set<string>): Through {
  return (api, baseUrl) => {
    const send = (method: string) => async (path: string, body?: unknown) => {
      const { operationId, params, query } = findCall(method, path)
      met.add(operationId)
      const call = { operationId, baseUrl, path: params, query, body, credential: api.credential }
      const answer = await client.call(call)
      await expectError({ ...call, credential: `${UNKNOWN_ID}:${'0'.repeat(40)}` })
      const hasId = Object.values(params).some((value) => value.length === UNKNOWN_ID.length)
      if (hasId) await expectError({ ...call, path: withUnknownIds(params) })
      return { ...answer, text: JSON.stringify(answer.body), headers: new Headers() }
    }
    const expectError = async (call: Call) => {
      const { status, body } = await client.call(call)
      if (status < 400) throw new Error(`${call.operationId} answered ${status}: ${JSON.stringify(body)}`)
    }
    const [get, del] = [send('GET'), send('DELETE')]
    return { ...api, get: (path) => get(path), post: send('POST'), put: send('PUT'), del: (path) => del(path) }
  }
}

const withUnknownIds = (params: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value.length === UNKNOWN_ID.length ? UNKNOWN_ID : value]),
  )

const operationIds = Object.values(
  apiDocument.paths as Record<string, Record<string, { operationId: string }>>,
).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))

const dataDir = await mkdtemp(join(tmpdir(), 'remit-generated-clients-'))
await chmod(dataDir, 0o711) // so that the user who runs PostgreSQL for root can pass through
const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn') })
try {
  for (const start of [startTypescriptClient, startPythonClient]) {
    const client = await start()
    const url = postgres.url(client.name.toLowerCase())
    await createDatabaseIfMissing(url)
    await migrate(url, { name: SERVICE_ROLE, environment: 'sandbox' })
    const met = new Set<string>()
    try {
      await recordApiExamples(url, through(client, met))
    } finally {
      client.end()
    }
    const unmet = operationIds.filter((id) => !met.has(id))
    if (unmet.length > 0) throw new Error(`the story does not call ${unmet.join(', ')}`)
    console.log(`${client.name}: ${met.size} operations`)
  }
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
