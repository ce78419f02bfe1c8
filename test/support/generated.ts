import { allRoutes } from '../../src/all-routes.ts'
import { envExample } from '../../src/config.ts'
import { connect } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createOneAtATime } from '../../src/http/idempotency.ts'
import { createServer } from '../../src/http/server.ts'
import { environmentDefaults } from '../../src/lib/environment.ts'
import { allowsScope } from '../../src/oauth/scope-rules.ts'
import type { AcceptDeps } from '../../src/payment/accept-actions.ts'
import { VERSION } from '../../src/version.ts'
import { createLines } from '../../src/webhook/webhook-post-actions.ts'
import { dumpSchema } from './schema-dump.ts'

/** Files that are made from the program. `npm run generate` writes them, test/generated.test.ts compares them. */
export const generatedFiles: Record<string, (emptyDatabaseUrl: string) => Promise<string>> = {
  '.env.example': async () => envExample(),
  'openapi.json': openApi,
  'migrations/schema.sql': schema,
}

/** The document of the sandbox, which has every route. It is made without a request and without the database. */
async function openApi(): Promise<string> {
  const deps = { settings: environmentDefaults.sandbox } as AcceptDeps
  const oneAtATime = createOneAtATime()
  const app = await createServer(deps, {
    authenticate: async () => {
      throw new Error('no request is made')
    },
    allowsScope,
    oneAtATime,
    routes: allRoutes(deps, {
      apiKeys: { authenticate: async () => null as never, forget: () => {} },
      oneAtATime,
      provider: () => null as never,
      lines: createLines(deps.settings),
      context: { version: VERSION, environments: () => [] },
    }),
    parts: [],
    apiReference: { version: VERSION, baseUrl: null },
    isReady: async () => true,
  })
  await app.ready()
  return `${JSON.stringify(app.swagger(), null, 2)}\n`
}

async function schema(emptyDatabaseUrl: string): Promise<string> {
  await migrate(emptyDatabaseUrl)
  const sql = connect(emptyDatabaseUrl, { max: 1, applicationName: 'generate' })
  try {
    return await dumpSchema(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
