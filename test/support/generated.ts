import { eventTypesFile, resourcesFile, typesFile } from '../../packages/sdk/printer/print-client.ts'
import { schemaText } from '../../src/connections/config/connections-schema-rules.ts'
import { layoutSchemaText } from '../../src/connections/config/layout-schema-rules.ts'
import { environmentDefaults } from '../../src/foundation/core/environment.ts'
import { createOneAtATime } from '../../src/foundation/http/idempotency/idempotency.ts'
import { createServer } from '../../src/foundation/http/server.ts'
import { createWakeups } from '../../src/foundation/lib/concurrency/wakeups.ts'
import { CONSEQUENCES } from '../../src/money/rail/ach-return-rules.ts'
import { accountConsequence, RETURN_CODES, returnCodes } from '../../src/money/rail/return-code-rules.ts'
import { allRoutes } from '../../src/operation/app/all-routes.ts'
import { readApiExamples } from '../../src/operation/app/api-examples.ts'
import { envExample } from '../../src/operation/app/env-example.ts'
import { VERSION } from '../../src/operation/app/version.ts'
import { webhookDocument } from '../../src/operation/app/webhook-document.ts'
import type { AcceptDeps } from '../../src/payments/payment/accept/accept-actions.ts'
import { allowsScope } from '../../src/people/oauth/scope-rules.ts'
import { refusesStopped } from '../../src/people/user/stopped-rules.ts'
import { requireActive } from '../../src/people/user/user-lock-actions.ts'
import { createLines } from '../../src/webhook/delivery/webhook-post-actions.ts'
import { operationTypes } from '../../web/operation-types.ts'
import { connectionsReference } from './connections-reference.ts'

export type MakeFile = (databaseUrl: string) => Promise<string>

/** Files generated from the program. `npm run generate` writes them, test/generated.test.ts compares them. */
export const generatedFiles: Record<string, MakeFile> = {
  '.env.example': async () => envExample(),
  'docs/api-examples.json': async (databaseUrl) => {
    // Imported late, because it reads openapi.json when it is loaded and checks each answer against it.
    const { recordApiExamples } = await import('./api-story.ts')
    return `${JSON.stringify(await recordApiExamples(databaseUrl), null, 2)}\n`
  },
  'openapi.json': openApi,
  'schemas/connections.schema.json': async () => schemaText(),
  'schemas/check-layout.schema.json': async () => layoutSchemaText(),
  'docs/connections-reference.md': async () => connectionsReference(),
  'docs/return-codes.md': async () => returnCodePage(),
  'docs/webhook-events.md': async (databaseUrl) => {
    // Imported late, for the same reason as the story above.
    const { webhookEventsPage } = await import('./webhook-events-page.ts')
    return webhookEventsPage(databaseUrl)
  },
  'packages/sdk/src/generated/types.ts': typesFile,
  'packages/sdk/src/generated/event-types.ts': eventTypesFile,
  'packages/sdk/src/generated/resources.ts': resourcesFile,
  'web/src/paths.ts': async () => operationTypes(sandboxRoutes()),
}

const deps = { settings: environmentDefaults.sandbox } as AcceptDeps
const oneAtATime = createOneAtATime()

/** The sandbox has every route. The routes are created without a database. */
export const sandboxRoutes = () =>
  allRoutes(deps, {
    apiKeys: { forget: () => {} },
    oneAtATime,
    provider: () => null as never,
    lines: createLines(deps.settings),
    wakeups: createWakeups(),
    streams: null as never,
    context: { version: VERSION, environments: () => [] },
    baseUrl: () => '',
  })

/** Returns the document that the service serves, created without a request. */
async function openApi(): Promise<string> {
  const app = await createServer(deps, {
    authenticate: async () => {
      throw new Error('no request is made')
    },
    allowsScope,
    stoppedGuard: { refuses: refusesStopped, requireActive },
    oneAtATime,
    routes: sandboxRoutes(),
    parts: [],
    missingPage: null,
    apiReference: { version: VERSION, baseUrl: null, examples: readApiExamples(), webhooks: webhookDocument },
    isReady: async () => true,
  })
  await app.ready()
  return `${documentText(app.swagger())}\n`
}

const MAX_LINE_LENGTH = 160
const MAX_DEPTH = 5

/** Formats JSON with a line for each property of a schema and each response, so that changes can be reviewed. */
function documentText(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  const isShort = indent.length + line.length <= MAX_LINE_LENGTH || indent.length === MAX_DEPTH
  if (typeof value !== 'object' || value === null || isShort) return line
  const inner = `${indent} `
  const lines = Array.isArray(value)
    ? value.map((item) => inner + documentText(item, inner))
    : Object.entries(value).map(([name, member]) => `${inner}${JSON.stringify(name)}: ${documentText(member, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** Returns the page with every return code of payments. */
function returnCodePage(): string {
  const rows = RETURN_CODES.map((code) => {
    const { name, reason, action } = returnCodes[code]
    const [ofDebit, ofCredit] = [accountConsequence(code, 'debit'), accountConsequence(code, 'credit')]
    const consequence = ofDebit === ofCredit ? ofDebit : `${ofDebit}; of a credit: ${ofCredit}`
    return `| ${code} | ${name} | ${reason} | ${action} | ${consequence} |`
  })
  return [
    '# Return codes',
    '',
    'This page lists the codes that explain why a payment was returned: the return codes of Nacha, then those of paper, cards and',
    'reviews, and those of ISO 20022 for wires and real-time payments. `GET /v3/check/{id}/fail` returns a code, and `GET /v3/return_code/{code}` explains it. `npm run generate` writes',
    'this page from `src/money/rail/ach-return-rules.ts`, `src/money/rail/return-code-rules.ts` and `src/money/rail/iso-reason-rules.ts`.',
    '',
    'The consequence is the effect of a return on the bank account that it comes from. For some codes it depends on whether a debit or a',
    'credit came back. A debit that came back with a code that blocks the account is never made again, even if the operator',
    'lifts the block: the sender has to agree to a new payment.',
    '',
    '| Consequence | Meaning |',
    '|---|---|',
    ...Object.entries(CONSEQUENCES).map(([consequence, meaning]) => `| ${consequence} | ${meaning} |`),
    '',
    '| Code | Name | Meaning | What to do | Consequence |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
