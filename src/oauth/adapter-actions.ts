import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Deps } from '../db/deps.ts'
import { shareStatements } from '../db/shared-statements.ts'
import { inTransaction } from '../db/transaction.ts'
import { isId } from '../lib/ids.ts'
import { hashSecret } from '../lib/secret.ts'
import { findOAuthClient } from './application-store.ts'
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

/** How long a refresh token lives (specification.md 2.4), and so how long it must be known that a code was used. */
export const REFRESH_TOKEN_SECONDS = 180 * 24 * 60 * 60

/** How long a refresh token that was exchanged is known: its reuse then ends the grant. */
const REUSE_WATCHED_SECONDS = 30 * 24 * 60 * 60

/** How long it works once more, for an application that did not get the answer. */
const LOST_ANSWER_MS = 60_000

const MAX_PER_STATEMENT = 100

type AdapterDeps = Deps & {
  findGrant(deps: Deps, grant: GrantKey): Promise<GrantRow | null>
  /** The exchange that asks. */
  exchange(): object | null
}

/**
 * What oidc-provider keeps, in our tables: under the hash of its value, without the value. What is asked for at the same
 * time is read, and written, by one statement.
 *
 * @param exchange tells apart what is exchanged at the same time: see `successorKeyOf`
 */
export function createAdapterFactory(given: Deps, exchange: () => object | null): (model: string) => Adapter {
  const findGrant = shareStatements(({ sql }: Deps, keys: GrantKey[]) => findLiveGrants(sql, keys), {
    maxSize: MAX_PER_STATEMENT,
  })
  const deps = { ...given, findGrant, exchange }
  return (model) => adapters[model]?.(deps, model) ?? forgetful
}

/** Models that are not used, and its browser session: that of the owner is the only one. */
const forgetful: Adapter = {
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
  return {
    ...forgetful,
    find: async (id) => {
      const client = isId(id) ? await findOAuthClient(deps.sql, id, deps.realClock.now()) : null
      if (!client) return undefined
      const secretHashes = [client.secretHash, client.previousSecretHash].filter((hash) => hash !== null)
      return {
        client_id: client.id,
        // Read by `compareClientSecret`, see provider-actions.ts.
        client_secret: secretHashes.map((hash) => hash.toString('hex')).join(' '),
        client_name: client.name,
        redirect_uris: client.redirectUris,
        requires_pkce: client.requiresPkce,
        rotates_refresh_tokens: client.rotatesRefreshTokens,
      }
    },
  }
}

/** A grant is named by its platform and its id, both of which are needed to find it. */
export const grantId = ({ platformId, id }: GrantKey): string => `${platformId}.${id}`

function parseGrantId(text: string): GrantKey | null {
  const [platformId, id] = text.split('.')
  return platformId && id && isId(platformId) && isId(id) ? { platformId, id } : null
}

function grants(deps: AdapterDeps): Adapter {
  return {
    ...forgetful,
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
  /** Whether a refresh token that was exchanged may be exchanged again: nobody has used what it was exchanged for. */
  async function isAnswerLost(value: string, consumedAt: Date): Promise<boolean> {
    if (deps.realClock.now().getTime() - consumedAt.getTime() > LOST_ANSWER_MS) return false
    for (const keyId of deps.keyRing.ids) {
      const successor = await find(deps, hashSecret(successorOf(deps, value, keyId)))
      if (!successor) continue
      const exchange = deps.exchange()
      if (exchange) successorKeys.set(exchange, keyId)
      return successor.consumedAt === null
    }
    return false
  }

  const insert = shareStatements<Deps, NewToken, undefined>(insertTogether, { maxSize: MAX_PER_STATEMENT })
  return {
    ...forgetful,
    upsert: async (value, { jti: _value, ...payload }, expiresIn) => {
      const grant = parseGrantId(payload.grantId ?? '')
      if (!grant) throw new Error(`a ${kind} without a grant`)
      const expiresAt = inSeconds(deps, expiresIn)
      await insert(deps, { tokenHash: hashSecret(value), kind, grant, payload, expiresAt })
    },
    find: async (value) => {
      const token = await find(deps, hashSecret(value))
      if (!token) return undefined
      // A code is found whatever became of its grant: its second use has to be seen.
      if (kind !== 'AuthorizationCode' && !(await deps.findGrant(deps, token.grant))) return undefined
      const isUsed = token.consumedAt && !(kind === 'RefreshToken' && (await isAnswerLost(value, token.consumedAt)))
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
      if (code) await revokeByGrantId(deps, grantId(code.grant))
      const { errors } = await import('oidc-provider')
      throw new errors.InvalidGrant('authorization code already consumed')
    },
    destroy: (value) => deleteToken(deps.sql, hashSecret(value)),
    revokeByGrantId: (text) => revokeByGrantId(deps, text),
  }
}

/**
 * The refresh token that another one is exchanged for. It is made of it, so that an application which did not get the answer
 * gets the same one again: two that go on side by side would hide a theft.
 */
export const successorOf = ({ keyRing }: Pick<Deps, 'keyRing'>, value: string, keyId: string): string =>
  keyRing.hmac(value, 'refresh token', keyId).toString('base64url')

const successorKeys = new WeakMap<object, string>()

/** The key that makes the successor in an exchange: for a lost answer the one that made it before, else the first. */
export const successorKeyOf = ({ keyRing }: Pick<Deps, 'keyRing'>, exchange: object): string =>
  successorKeys.get(exchange) ?? keyRing.ids[0]

async function insertTogether({ sql }: Deps, tokens: NewToken[]): Promise<undefined[]> {
  await insertTokens(sql, tokens)
  return []
}

/** Tokens live and die with their grant: nothing else has to be deleted. */
export async function revokeByGrantId(deps: Deps, text: string): Promise<void> {
  const grant = parseGrantId(text)
  if (!grant) return
  const by = { platformId: grant.platformId, userId: null, credential: { kind: 'client' }, origin: null } as const
  await inTransaction(deps, (tx) => endGrant(tx, grant, by))
}

/** Sealed: they hold what the browser proves itself with. */
function authorizationRequests(deps: Deps): Adapter {
  return {
    ...forgetful,
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
