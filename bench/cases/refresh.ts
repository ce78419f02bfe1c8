import type { Deps } from '../../src/foundation/db/deps.ts'
import { newId, newSecret } from '../../src/foundation/lib/ids.ts'
import { hashSecret } from '../../src/foundation/lib/secret.ts'
import { grantId, REFRESH_TOKEN_SECONDS } from '../../src/people/oauth/adapter-actions.ts'
import { insertApplication } from '../../src/people/oauth/application-store.ts'
import { insertGrant } from '../../src/people/oauth/grant-store.ts'
import { oauthAddresses } from '../../src/people/oauth/oauth-address-rules.ts'
import { insertTokens } from '../../src/people/oauth/token-store.ts'
import type { Target } from '../load/load-job.ts'
import { startHelper } from '../support/helper.ts'
import { measureHttp } from '../support/measure.ts'
import { install, startService, withDatabase } from '../support/service.ts'
import type { Comparison, Stage, StageContext, Subject } from '../support/stage.ts'
import { makeWorld } from '../support/world.ts'
import type { OidcMemory } from '../yardsticks/oidc-memory.ts'

// An application exchanges a refresh token for a new access token.

const CONNECTIONS = 64
// oidc-provider's memory adapter evicts old entries beyond a thousand.
const GRANTS = 100

const comparisons: Comparison[] = [
  { caseName: 'refresh', subject: 'refresh', yardstick: 'oidc-memory', of: 'rate', floor: 0.4, aim: 0.6 },
]

export const refreshCases = { cases: ['refresh'], prepare }

type Granted = { path: string; client: { id: string; secret: string }; refreshTokens: string[] }

async function prepare(context: StageContext): Promise<Stage> {
  const { server, say } = context
  say(`granting ${GRANTS} refresh tokens`)
  const settings = { ADDRESS_REQUESTS_PER_SECOND: '1000000', ADDRESS_REQUEST_BURST: '1000000' } // all requests come from one address
  const production = await install(server, { environment: 'production', database: 'refresh', settings })
  const granted = await withDatabase(production, grantTokens)
  const service = await startService(production)
  const memory = startHelper<OidcMemory>('yardsticks/oidc-memory.ts')
  const yardstick = await memory.call('listen', GRANTS)
  const subject = (
    name: string,
    title: string,
    { url, pid, ...rest }: Granted & { url: string; pid: number },
  ): Subject => {
    const given = { url, pid, targets: refreshTargets(rest), connections: CONNECTIONS, hasIdempotencyKeys: false }
    return { name, title, measure: (seconds) => measureHttp(context, { ...given, seconds }) }
  }
  const subjects = [
    subject('refresh', `refresh_token grant, ${CONNECTIONS} connections`, { ...service, ...granted }),
    subject('oidc-memory', 'oidc-provider with its adapter in memory', { pid: memory.pid, ...yardstick }),
  ]
  const end = async () => {
    await Promise.all([service.stop(), memory.end()])
  }
  return { subjects, comparisons, notes: [], end }
}

const refreshTargets = ({ path, client, refreshTokens }: Granted): Target[] =>
  refreshTokens.map((token) => ({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: client.id,
      client_secret: client.secret,
      refresh_token: token,
    }).toString(),
  }))

/** Creates an application with many grants. */
async function grantTokens(deps: Deps): Promise<Granted> {
  const { platformId } = await makeWorld(deps, { name: 'consenting', userCount: 0 })
  const client = { id: newId(deps), secret: newSecret(deps) }
  await insertApplication(deps.sql, {
    platformId,
    id: client.id,
    name: 'Bookkeeper',
    site: 'https://bookkeeper.example.com',
    redirectUris: ['https://bookkeeper.example.com/callback'],
    requiresPkce: false,
    rotatesRefreshTokens: false,
    secretHash: hashSecret(client.secret),
    secretSealed: deps.keyRing.seal(client.secret, 'client secret'),
    createdAt: deps.realClock.now(),
  })
  const refreshTokens: string[] = []
  for (let index = 0; index < GRANTS; index++) {
    refreshTokens.push(await grantToken(deps, { platformId, applicationId: client.id }))
  }
  return { path: oauthAddresses.token, client, refreshTokens }
}

async function grantToken(
  deps: Deps,
  { platformId, applicationId }: { platformId: string; applicationId: string },
): Promise<string> {
  const token = newSecret(deps).padEnd(43, 'x')
  const grant = { platformId, id: newId(deps) }
  const createdAt = deps.realClock.now()
  await insertGrant(deps.sql, {
    ...grant,
    applicationId,
    applicationPlatformId: platformId,
    scope: 'check',
    createdAt,
    createdBy: null,
    permissions: null,
  })
  const seconds = Math.floor(createdAt.getTime() / 1000)
  const payload = {
    iat: seconds,
    exp: seconds + REFRESH_TOKEN_SECONDS,
    accountId: platformId,
    clientId: applicationId,
    expiresWithSession: false,
    grantId: grantId(grant),
    gty: 'authorization_code',
    iiat: seconds,
    scope: 'check',
    rotations: 0,
    kind: 'RefreshToken',
  }
  const expiresAt = new Date(createdAt.getTime() + REFRESH_TOKEN_SECONDS * 1000)
  await insertTokens(deps.sql, [{ tokenHash: hashSecret(token), kind: 'RefreshToken', grant, payload, expiresAt }])
  return token
}
