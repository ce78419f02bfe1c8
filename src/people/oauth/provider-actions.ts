import { createPrivateKey } from 'node:crypto'
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { SCOPES } from '../../foundation/core/scope.ts'
import type { KeyRing } from '../../foundation/core/seal.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { classifyDatabaseError } from '../../foundation/db/trouble.ts'
import type { ErrorPage } from '../../foundation/http/pages.ts'
import { isSecretOf } from '../../foundation/lib/secret.ts'
import { createAdapterFactory, REFRESH_TOKEN_SECONDS, successorIn } from './adapter-actions.ts'
import { isRedirectUriOf } from './application-rules.ts'
import { consentAddress, oauthAddresses } from './oauth-address-rules.ts'

const CODE_SECONDS = 60
const AUTHORIZATION_REQUEST_SECONDS = 60 * 60

/** Creates the authorization server: oidc-provider, restricted to specification.md 2.3 and 2.4. `issuer` is the public URL. */
export function createProvider(deps: Deps, { issuer, errorPage }: { issuer: string; errorPage: ErrorPage }): Provider {
  const provider = new Provider(issuer, configurationOf(deps, errorPage))
  provider.proxy = true // authorization-routes.ts sets the forwarding headers
  compareHashedSecrets(provider)
  compareRedirectUris(provider)
  explainRefusals(provider)
  adjustAnswers(provider, deps)
  reportServerErrors(provider, deps)
  return provider
}

const configurationOf = (deps: Deps, errorPage: ErrorPage): Configuration => ({
  adapter: createAdapterFactory(deps, () => Provider.ctx?.oidc ?? null),
  scopes: [...SCOPES],
  responseTypes: ['code'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
  clientDefaults: {
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic', // also accepts the secret in the form body
    id_token_signed_response_alg: 'EdDSA',
  },
  enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
  extraClientMetadata: { properties: ['requires_pkce', 'rotates_refresh_tokens'] },
  features: {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
    introspection: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
  },
  routes: oauthAddresses,
  ttl: {
    AuthorizationCode: CODE_SECONDS,
    AccessToken: deps.settings.accessTokenSeconds,
    RefreshToken: REFRESH_TOKEN_SECONDS,
    Interaction: AUTHORIZATION_REQUEST_SECONDS,
    Session: AUTHORIZATION_REQUEST_SECONDS,
    Grant: REFRESH_TOKEN_SECONDS,
    IdToken: CODE_SECONDS,
  },
  pkce: { required: (_ctx, client) => client.requires_pkce === true },
  allowOmittingSingleRegisteredRedirectUri: false, // specification.md 2.3
  issueRefreshToken: async () => true,
  rotateRefreshToken: ({ oidc }) => oidc.client?.rotates_refresh_tokens === true,
  expiresWithSession: async () => false, // a refresh token stays valid after the owner signs out (specification.md 2.4)
  findAccount: async (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
  interactions: { policy: promptEveryTime(), url: async (_ctx, { uid }) => consentAddress(uid) },
  loadExistingGrant: loadConsentGrant,
  renderError: async (ctx, { error, error_description: description }) => {
    const { html, headers } = errorPage({ error, description: description ?? '' })
    ctx.set(headers)
    ctx.type = 'html'
    ctx.body = html
  },
  cookies: {
    // The first key signs. The others verify cookies signed before a rotation.
    keys: deps.keyRing.ids.map((id) => deps.keyRing.hmac('1', 'oauth cookies', id).toString('base64url')),
    // The names include the environment, because cookies are shared between the ports of a host.
    names: {
      session: `remit_${deps.settings.name}_oauth_session`,
      interaction: `remit_${deps.settings.name}_oauth_interaction`,
      resume: `remit_${deps.settings.name}_oauth_resume`,
    },
    long: { signed: true },
    short: { signed: true },
  },
  jwks: { keys: [signingKey(deps.keyRing)] },
})

/** Returns a policy that requires a signed-in owner and a new consent for each authorization (specification.md 2.3). */
function promptEveryTime() {
  const { Check, Prompt } = interactionPolicy
  const policy = interactionPolicy.base()
  policy.clear()
  policy.add(
    new Prompt(
      { name: 'login', requestable: true },
      new Check('no_owner', 'the owner has to sign in', 'login_required', (ctx) => {
        requireOneScope(ctx)
        return ctx.oidc.result?.login === undefined
      }),
    ),
  )
  policy.add(
    new Prompt(
      { name: 'consent', requestable: true },
      new Check('no_consent', 'the owner has to consent', 'consent_required', (ctx) => {
        return ctx.oidc.result?.consent?.grantId === undefined
      }),
    ),
  )
  return policy
}

/**
 * Requires exactly one of the scopes `check` and `single-use` (specification.md 2.3). The client and the redirect_uri are already checked.
 * Reads the raw query, because oidc-provider has dropped unknown scopes from its own.
 */
function requireOneScope({ oidc, query }: KoaContextWithOIDC): void {
  const scope = oidc.route === 'authorization' ? query.scope : oidc.params?.scope
  const isOne = SCOPES.some((one) => one === scope)
  if (!isOne) throw new errors.InvalidScope('scope must be either check or single-use', String(scope ?? ''))
}

/**
 * Returns the grant of this consent, never an earlier one. Stores nothing for the browser, because the owner's session is its only
 * session.
 */
async function loadConsentGrant({ oidc }: KoaContextWithOIDC) {
  const id = oidc.result?.consent?.grantId
  const grant = id ? await oidc.provider.Grant.find(id) : undefined
  await oidc.session?.destroy()
  return grant
}

/**
 * Compares client secrets with their stored hashes, including the previous secret while it works. oidc-provider supports this by replacing
 * the method (panva/node-oidc-provider, discussion 1410).
 */
function compareHashedSecrets({ Client }: Provider): void {
  Client.prototype.compareClientSecret = async function compareClientSecret(secret: string) {
    const hashes = this.clientSecret?.split(' ') ?? []
    return hashes.some((hash) => isSecretOf(secret, Buffer.from(hash, 'hex')))
  }
}

/** Compares redirect URIs with `isRedirectUriOf`. oidc-provider supports this by replacing the method (its recipe for wildcards). */
function compareRedirectUris({ Client }: Provider): void {
  Client.prototype.redirectUriAllowed = function redirectUriAllowed(uri: string) {
    return isRedirectUriOf(this.redirectUris ?? [], uri)
  }
}

/** Internal error details of oidc-provider, and the descriptions that applications get for them. */
const REFUSAL_DESCRIPTIONS: [detail: RegExp, description: string][] = [
  [/^authorization code not found$/, 'the code is unknown: it may be that of another environment'],
  [/^authorization code is expired$/, `the code has expired: it is valid for ${CODE_SECONDS} seconds`],
  [/^authorization code already consumed$/, 'the code was used before, so what it gave is revoked'],
  [/redirect_uri mismatch$/, 'redirect_uri is not the one of the authorization request'],
  [/^code_verifier must be provided$/, 'code_verifier is missing: the authorization request had a code_challenge'],
  [
    /^code_verifier does not match|^unsupported code_challenge_method/,
    'code_verifier does not belong to the code_challenge',
  ],
  [/^refresh token not found$/, 'the refresh token is unknown, or its authorization was revoked'],
  [/^refresh token is expired$/, 'the refresh token has expired'],
  [/^refresh token already used$/, 'the refresh token was used before, so its authorization is revoked'],
  [/^client mismatch$/, 'it was issued to another application'],
  [/^grant (not found|is expired)$/, 'the authorization was revoked'],
]

/** Adds descriptions to refusals. oidc-provider itself answers only that the request is invalid, and gives the reason to listeners. */
function explainRefusals(provider: Provider): void {
  provider.on('grant.error', (ctx, error) => {
    const body = ctx.body as { error?: string } | null
    if (body?.error !== 'invalid_grant') return
    const { error_detail, cause } = error as { error_detail?: string; cause?: Error }
    const detail = error_detail ?? cause?.message ?? ''
    const [, description] = REFUSAL_DESCRIPTIONS.find(([pattern]) => pattern.test(detail)) ?? []
    if (description) Object.assign(body, { error_description: description })
  })
}

/** Changes answers of oidc-provider that differ from our specification. */
function adjustAnswers(provider: Provider, deps: Deps): void {
  provider.use(async (ctx, next) => {
    const isAuthorization = ctx.path === oauthAddresses.authorization
    if (isAuthorization) ctx.query = withoutIgnored(ctx.query)
    await next()
    if (isAuthorization) answerInQuery(ctx)
    // Each 401 needs this header (RFC 9110, 15.5.2). oidc-provider sets it only for requests with HTTP Basic.
    if (ctx.status === 401 && !ctx.response.get('www-authenticate')) {
      ctx.set('www-authenticate', `Basic realm="${provider.issuer}"`)
    }
    if (ctx.path === oauthAddresses.token) ctx.set('pragma', 'no-cache') // RFC 6749, 5.1
    // oidc-provider lists `openid` and every response mode, although we do not support them.
    const metadata = ctx.body as { scopes_supported?: string[] } | null
    if (metadata?.scopes_supported) {
      Object.assign(metadata, { scopes_supported: [...SCOPES], response_modes_supported: ['query'] })
    }
    // Some clients fail on an empty body (specification.md 1.4). RFC 7009, 2.2 leaves the body open.
    if (ctx.path === oauthAddresses.revocation && ctx.status === 200) ctx.body = {}
    // adapter-actions.ts stored this token instead of the one that oidc-provider created.
    const successor = ctx.path === oauthAddresses.token && ctx.status === 200 && successorIn(deps, ctx.oidc)
    if (successor) Object.assign(ctx.body as object, { refresh_token: successor })
  })
}

/**
 * Parameters that only OpenID Connect defines. Unknown parameters must be ignored (RFC 6749, 3.1), but oidc-provider checks these. The
 * code is always returned in the query (specification.md 2.3).
 */
const IGNORED_PARAMETERS = ['acr_values', 'id_token_hint', 'max_age', 'nonce', 'registration', 'response_mode']

const withoutIgnored = <Query extends object>(query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !IGNORED_PARAMETERS.includes(name))) as Query

/** Moves errors from the fragment of a redirect to its query, because every answer is in the query. */
function answerInQuery(ctx: Pick<KoaContextWithOIDC, 'response' | 'status' | 'redirect'>): void {
  const [address = '', fragment] = String(ctx.response.get('location') ?? '').split('#')
  if (fragment === undefined) return
  const { status } = ctx
  ctx.redirect(`${address}${address.includes('?') ? '&' : '?'}${fragment}`)
  ctx.status = status
}

/** Reports internal errors. Temporary database errors get the same answers as in the API (src/foundation/http/error-handler.ts). */
function reportServerErrors(provider: Provider, deps: Deps): void {
  provider.on('server_error', (ctx, error) => {
    const isPassing = classifyDatabaseError(error) !== 'other'
    if (isPassing) {
      ctx.status = 503
      ctx.set('retry-after', '1')
    }
    deps.log[isPassing ? 'warn' : 'error']({ err: error }, 'authorization server failed')
  })
}

/** The DER header of an Ed25519 private key, which precedes its 32 bytes (RFC 8410, 7). */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Returns the signing key that oidc-provider requires, although no scope uses it. It is derived from the key ring, so that all processes
 * have the same key.
 */
function signingKey(keyRing: KeyRing) {
  const seed = keyRing.hmac('1', 'oauth signing key', keyRing.ids[0])
  const key = createPrivateKey({ key: Buffer.concat([ED25519_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  return { ...key.export({ format: 'jwk' }), use: 'sig', alg: 'EdDSA' }
}
