import { type Adapter, type AdapterPayload, errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { Deps } from '../../foundation/db/deps.ts'
import { shareStatements, shareStatementsOfPlatform } from '../../foundation/db/shared-statements.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { isId } from '../../foundation/lib/ids.ts'
import { hashSecret } from '../../foundation/lib/secret.ts'
import { findOAuthClients } from './application-store.ts'
import {
  deleteAuthorizationRequest,
  findAuthorizationRequest,
  upsertAuthorizationRequest,
} from './authorization-request-store.ts'
import { endGrant } from './grant-actions.ts'
import { findLiveGrants, type GrantKey, type GrantRow } from './grant-store.ts'
import {
  consumeToken,
  deleteToken,
  findTokens,
  insertTokens,
  type NewToken,
  type TokenKind,
  type TokenRow,
} from './token-store.ts'

/** The lifetime of a refresh token (specification.md 2.4). A used code is also kept for this time, to detect its reuse. */
export const REFRESH_TOKEN_SECONDS = 180 * 24 * 60 * 60

/** The seconds for which an exchanged refresh token is kept. If it is used again in this time, the grant is revoked. */
const REUSE_WATCHED_SECONDS = 30 * 24 * 60 * 60

const MAX_PER_STATEMENT = 100

type AdapterDeps = Deps & {
  findGrant(deps: Deps, grant: GrantKey): Promise<GrantRow | null>
  /** Returns the current request as oidc-provider sees it. */
  exchange(): Exchange | null
}

type Exchange = KoaContextWithOIDC['oidc']

/**
 * Creates the storage of oidc-provider's models in our tables. Models are stored by the hash of their value, without the value.
 * Simultaneous reads, and simultaneous writes, share one statement.
 */
export function createAdapterFactory(given: Deps, exchange: () => Exchange | null): (model: string) => Adapter {
  const findGrant = shareStatementsOfPlatform(
    ({ sql }: Deps, platformId: string, keys: GrantKey[]) => findLiveGrants(sql, platformId, keys),
    { maxSize: MAX_PER_STATEMENT },
  )
  const deps = { ...given, findGrant, exchange }
  return (model) => adapters[model]?.(deps, model) ?? storesNothing
}

/** The adapter for models that we do not use. oidc-provider's browser session is one of them, because the owner's session replaces it. */
const storesNothing: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
}

const adapters: Record<string, (deps: AdapterDeps, model: string) => Adapter> = {
  Client: clients,
  Grant: grants,
  AuthorizationCode: tokens,
  AccessToken: tokens,
  RefreshToken: tokens,
  Interaction: authorizationRequests,
}

function clients(deps: Deps): Adapter {
  const findClient = shareStatements(
    ({ sql, realClock }: Deps, ids: string[]) => findOAuthClients(sql, ids, realClock.now()),
    { maxSize: MAX_PER_STATEMENT },
  )
  return {
    ...storesNothing,
    find: async (id) => {
      const client = isId(id) ? await findClient(deps, id) : null
      if (!client) return undefined
      const secretHashes = [client.secretHash, client.previousSecretHash].filter((hash) => hash !== null)
      return {
        client_id: client.id,
        // `compareClientSecret` in provider-actions.ts reads this.
        client_secret: secretHashes.map((hash) => hash.toString('hex')).join(' '),
        client_name: client.name,
        redirect_uris: client.redirectUris,
        requires_pkce: client.requiresPkce,
        rotates_refresh_tokens: client.rotatesRefreshTokens,
      }
    },
  }
}

/** Returns the identifier of a grant: the platform's id and the grant's id, because both are needed to find it. */
export const grantId = ({ platformId, id }: GrantKey): string => `${platformId}.${id}`

function parseGrantId(text: string): GrantKey | null {
  const [platformId, id] = text.split('.')
  return platformId && id && isId(platformId) && isId(id) ? { platformId, id } : null
}

function grants(deps: AdapterDeps): Adapter {
  return {
    ...storesNothing,
    find: async (text) => {
      const key = parseGrantId(text)
      const grant = key && (await deps.findGrant(deps, key))
      if (!grant) return undefined
      return {
        jti: text,
        kind: 'Grant',
        accountId: grant.platformId,
        clientId: grant.applicationId,
        openid: { scope: grant.scope },
        iat: seconds(grant.createdAt),
      }
    },
    destroy: (text) => revokeByGrantId(deps, text),
  }
}

function tokens(deps: AdapterDeps, model: string): Adapter {
  const kind = model as TokenKind
  const find = shareStatements<Deps, Buffer, TokenRow | null>(({ sql }, hashes) => findTokens(sql, kind, hashes), {
    maxSize: MAX_PER_STATEMENT,
  })
  /**
   * Returns whether the client may not have received the answer to an exchange. It may then exchange the refresh token again until the next
   * token is used. If no next token is stored, the exchange is still running or was interrupted.
   */
  async function isAnswerLost(value: string): Promise<boolean> {
    for (const keyId of deps.keyRing.ids) {
      const successor = await find(deps, hashSecret(successorOf(deps, value, keyId)))
      if (!successor) continue
      const exchange = deps.exchange()
      if (exchange) successorKeys.set(exchange, keyId)
      return successor.consumedAt === null
    }
    return true
  }

  const insert = shareStatements<Deps, NewToken, undefined>(insertTogether, { maxSize: MAX_PER_STATEMENT })
  return {
    ...storesNothing,
    upsert: async (value, { jti: _value, ...payload }, expiresIn) => {
      const grant = parseGrantId(payload.grantId ?? '')
      if (!grant) throw new Error(`a ${kind} without a grant`)
      const expiresAt = inSeconds(deps, expiresIn)
      const successor = kind === 'RefreshToken' ? successorIn(deps, deps.exchange()) : null
      await insert(deps, { tokenHash: hashSecret(successor ?? value), kind, grant, payload, expiresAt })
    },
    find: async (value) => {
      const token = await find(deps, hashSecret(value))
      if (!token) return undefined
      if (kind === 'AuthorizationCode') await checkCodeExchange(deps, token)
      // A code is found even if its grant has ended, so that its second use is detected.
      if (kind !== 'AuthorizationCode' && !(await deps.findGrant(deps, token.grant))) return undefined
      const isUsed = token.consumedAt && !(kind === 'RefreshToken' && (await isAnswerLost(value)))
      if (isUsed && kind === 'RefreshToken' && isExchangedBy(deps, token)) {
        await endReplayedGrant(deps, token)
        throw new errors.InvalidGrant('refresh token already used')
      }
      return {
        ...token.payload,
        jti: value,
        ...(token.consumedAt && isUsed && { consumed: seconds(token.consumedAt) }),
      } as AdapterPayload
    },
    consume: async (value) => {
      const keptUntil = inSeconds(deps, kind === 'RefreshToken' ? REUSE_WATCHED_SECONDS : REFRESH_TOKEN_SECONDS)
      const isFirst = await consumeToken(deps.sql, hashSecret(value), { now: deps.realClock.now(), keptUntil })
      if (isFirst || kind === 'RefreshToken') return
      const code = await find(deps, hashSecret(value))
      if (code) await endReplayedGrant(deps, code)
      throw new errors.InvalidGrant('authorization code already consumed')
    },
    destroy: (value) => deleteToken(deps.sql, hashSecret(value)),
    revokeByGrantId: (text) => revokeByGrantId(deps, text),
  }
}

/**
 * Adds checks to the exchange of a code. Reuse is checked before expiry, so that even a late reuse revokes the grant. A scope in the form
 * must match the scope of the code (specification.md 2.4). An empty scope counts as omitted (RFC 6749, 3.2).
 */
async function checkCodeExchange(deps: AdapterDeps, code: TokenRow): Promise<void> {
  if (!isExchangedBy(deps, code)) return
  if (code.consumedAt) {
    await endReplayedGrant(deps, code)
    throw new errors.InvalidGrant('authorization code already consumed')
  }
  const scope = deps.exchange()?.body?.scope
  if (scope && scope !== code.payload.scope) {
    throw new errors.InvalidScope('scope is not the one that was granted', String(scope))
  }
}

/** Returns whether the current request exchanges a code or token, and comes from its own application. */
function isExchangedBy(deps: AdapterDeps, { payload }: TokenRow): boolean {
  const { client, route } = deps.exchange() ?? {}
  return route === 'token' && payload.clientId === client?.clientId
}

/** Ends the grant of a code or refresh token that was reused. One of its two senders has stolen it (RFC 9700, 4.14.2). */
const endReplayedGrant = (deps: AdapterDeps, { grant }: TokenRow): Promise<void> =>
  endGrantByClient(deps, grant, 'grant_replayed')

/** Returns the refresh token that replaces the current one, or null if this exchange does not replace it. */
export function successorIn(deps: Pick<Deps, 'keyRing'>, exchange: Exchange | null | undefined): string | null {
  const previous = exchange?.entities.RotatedRefreshToken
  return exchange && previous ? successorOf(deps, previous.jti, successorKeyOf(deps, exchange)) : null
}

/**
 * Derives the next refresh token from the previous one. An application that did not receive the answer gets the same token again, because
 * two valid successors would hide a theft.
 */
const successorOf = ({ keyRing }: Pick<Deps, 'keyRing'>, value: string, keyId: string): string =>
  keyRing.hmac(value, 'refresh token', keyId).toString('base64url')

const successorKeys = new WeakMap<object, string>()

/**
 * Returns the id of the key that derives the successor. A repeated exchange uses the key of the first one. Other exchanges use the
 * primary key.
 */
const successorKeyOf = ({ keyRing }: Pick<Deps, 'keyRing'>, exchange: object): string =>
  successorKeys.get(exchange) ?? keyRing.ids[0]

async function insertTogether({ sql }: Deps, tokens: NewToken[]): Promise<undefined[]> {
  await insertTokens(sql, tokens)
  return []
}

/** Ends a grant. Its tokens are valid only while the grant is, so they need no deletion. */
async function revokeByGrantId(deps: Deps, text: string): Promise<void> {
  const grant = parseGrantId(text)
  if (grant) await endGrantByClient(deps, grant, 'grant_revoked')
}

async function endGrantByClient(
  deps: Deps,
  grant: GrantKey,
  reason: 'grant_revoked' | 'grant_replayed',
): Promise<void> {
  const by = { platformId: grant.platformId, userId: null, credential: { kind: 'client' }, origin: null } as const
  await inTransaction(deps, (tx) => endGrant(tx, grant, by, reason))
}

/** Stores authorization requests. They are sealed, because they contain the proof of the browser. */
function authorizationRequests(deps: Deps): Adapter {
  return {
    ...storesNothing,
    upsert: (uid, payload, expiresIn) =>
      upsertAuthorizationRequest(deps.sql, {
        uidHash: hashSecret(uid),
        payloadSealed: deps.keyRing.seal(JSON.stringify(payload), 'authorization request'),
        expiresAt: inSeconds(deps, expiresIn),
      }),
    find: async (uid) => {
      const sealed = await findAuthorizationRequest(deps.sql, hashSecret(uid))
      return sealed ? JSON.parse(deps.keyRing.openText(sealed, 'authorization request')) : undefined
    },
    destroy: (uid) => deleteAuthorizationRequest(deps.sql, hashSecret(uid)),
  }
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

const inSeconds = (deps: Deps, count = 0): Date => new Date(deps.realClock.now().getTime() + count * 1000)
