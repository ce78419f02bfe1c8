import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { answerParent } from '../support/helper.ts'

// Unmodified oidc-provider with its memory adapter.

const methods = { listen }
export type OidcMemory = typeof methods
answerParent(methods)

const DAYS_180 = 180 * 24 * 60 * 60
const CLIENT = { id: 'client', secret: 's'.repeat(40) }

/** @returns the URL, and the refresh tokens it granted */
async function listen(tokenCount: number) {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = createProvider(url)
  server.on('request', provider.callback())
  const refreshTokens = await Promise.all(Array.from({ length: tokenCount }, () => grantRefreshToken(provider)))
  return { url, path: '/token', client: CLIENT, refreshTokens }
}

function createProvider(url: string): Provider {
  return new Provider(url, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: ['https://client.example.com/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    scopes: ['check', 'single-use'],
    ttl: { AccessToken: 3_600, Grant: DAYS_180, RefreshToken: DAYS_180 },
    features: { devInteractions: { enabled: false } },
    issueRefreshToken: async () => true,
    rotateRefreshToken: false,
    expiresWithSession: async () => false,
    findAccount: async (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
  })
}

async function grantRefreshToken(provider: Provider): Promise<string> {
  const grant = new provider.Grant({ clientId: CLIENT.id, accountId: 'account' })
  grant.addOIDCScope('check')
  const grantId = await grant.save()
  const client = await provider.Client.find(CLIENT.id)
  if (!client) throw new Error('there is no client')
  const token = new provider.RefreshToken({
    accountId: 'account',
    client,
    grantId,
    gty: 'authorization_code',
    scope: 'check',
    expiresWithSession: false,
    iiat: Math.floor(Date.now() / 1000),
  } as never)
  return token.save()
}
