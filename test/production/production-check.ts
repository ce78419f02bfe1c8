import assert from 'node:assert/strict'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { startEmbeddedPostgres } from '#embedded-postgres'
import { newMasterKey } from '../../src/foundation/core/seal.ts'
import { connect } from '../../src/foundation/db/connect.ts'
import { createLog } from '../../src/foundation/lib/log.ts'
import { type Certificate, createAuthority } from '../support/certificates.ts'
import { startHttps } from '../support/https-server.ts'
import { temporaryFolder } from '../support/process.ts'
import { inContainer } from './container-installation.ts'
import type { Installation, Lifetime, Settings } from './installation.ts'
import { fromPackage } from './package-installation.ts'
import { bankFilesOf, runStory } from './story.ts'
import { withSystemd } from './systemd-installation.ts'

// npm run check-production, check-container, check-systemd: tests an installed production service. Needs a built clone
// and npm.

const INSTALLATIONS: Record<string, (t: Lifetime, settings: Settings) => Promise<Installation>> = {
  package: fromPackage,
  container: inContainer,
  systemd: withSystemd,
}

const [name = 'package'] = process.argv.slice(2)
const install =
  INSTALLATIONS[name] ?? assert.fail(`There is no installation ${name}: ${Object.keys(INSTALLATIONS).join(', ')}.`)

await using ends = new AsyncDisposableStack()
await checkProduction({ after: (end) => ends.defer(end) })

async function checkProduction(t: Lifetime): Promise<void> {
  const report = (line: string) => console.log(`${name}: ${line}`)
  const database = await startDatabase(t)
  const port = await freePort()
  const localUrl = `http://127.0.0.1:${port}`
  const authority = createAuthority()
  tls.setDefaultCACertificates([...tls.getCACertificates(), authority.cert])
  const validity = { to: new Date(Date.now() + 90 * 86_400_000) }
  const baseUrl = await startTlsProxy(t, { certificate: authority.issue(['127.0.0.1'], validity), to: port })

  const variables = {
    REMIT_ENVIRONMENTS: 'production',
    REMIT_HOST: '127.0.0.1',
    REMIT_PORT: String(port),
    REMIT_TRUST_PROXY: 'true',
    REMIT_PRODUCTION_BASE_URL: baseUrl,
  }
  const installation = await install(t, { ...database, variables, masterKeys: newMasterKey() })
  await installation.configure({ ...bankFilesOf(installation), 'authority.pem': authority.cert })
  await runStory({ installation, baseUrl, localUrl, ownerUrl: database.ownerUrl, report })
}

/** A PostgreSQL with two roles, like that of an operator. */
async function startDatabase(t: Lifetime): Promise<{ databaseUrl: string; ownerUrl: string }> {
  const dataDir = join(await temporaryFolder(t), 'postgres')
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('silent') })
  t.after(() => postgres.stop())
  const server = connect(postgres.url('postgres'), { max: 1, applicationName: 'test' })
  await server`create database remit_production`
  await server.end({ timeout: 5 })
  return { databaseUrl: postgres.serviceUrl('remit_production'), ownerUrl: postgres.url('remit_production') }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts the proxy with TLS in front of the service. @returns its URL */
async function startTlsProxy(
  t: Lifetime,
  { certificate, to }: { certificate: Certificate; to: number },
): Promise<string> {
  const { port } = await startHttps(t, {
    certificate,
    address: '127.0.0.1',
    answer: (incoming, outgoing) => {
      const { method, url, headers } = incoming
      const forwarded = request({ host: '127.0.0.1', port: to, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode as number, answer.headers)
        answer.pipe(outgoing)
      })
      forwarded.on('error', () => outgoing.destroy())
      incoming.pipe(forwarded)
    },
  })
  return `https://127.0.0.1:${port}`
}
