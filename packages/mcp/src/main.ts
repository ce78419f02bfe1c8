#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ConfigurationError, Remit } from '../../sdk/src/index.ts'
import { createServer } from './server.ts'
import { VERSION } from './version.ts'

const HELP = `remit-payments-mcp ${VERSION}: the MCP server of Remit, on standard input and output

REMIT_KEY, REMIT_SECRET  the API key that it reads with
REMIT_BASE_URL           the service (default: http://localhost:4000)

--base-url <url>  the service
--allow-writes    offer tools that prepare payments, which a person releases in Remit
--help, --version`

/** Standard output belongs to the protocol, so everything else goes to standard error. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string' },
      'allow-writes': { type: 'boolean', default: false },
      help: { type: 'boolean' },
      version: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(HELP)
  if (values.version) return console.log(VERSION)
  const baseUrl = values['base-url'] ?? process.env.REMIT_BASE_URL ?? 'http://localhost:4000'
  const server = createServer({ remit: new Remit({ baseUrl }), baseUrl, allowsWrites: values['allow-writes'] })
  await server.connect(new StdioServerTransport())
}

try {
  await main()
} catch (error) {
  const isMistake =
    error instanceof ConfigurationError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  if (!isMistake) throw error
  console.error((error as Error).message)
  process.exitCode = 1
}
