import { permissionsOf, ROLES, type Role } from '../../src/foundation/core/permission-rules.ts'
import { SCOPES, type Scope } from '../../src/foundation/core/scope.ts'
import { addressPattern, type Route } from '../../src/foundation/http/route.ts'
import { scopedRoutes } from '../../src/people/oauth/scope-rules.ts'
import type { Answer, Api } from './api.ts'
import { type Browser, signIn } from './browser.ts'
import type { ForeignWrites } from './foreign-writes.ts'
import { obtainTokens, registerApplication } from './oauth.ts'
import type { TestService } from './service.ts'
import { newMember } from './team.ts'

// Calls every operation with every kind of caller, using ids of another platform. The declared access, permission and
// scopes of a route decide the answer of each caller.

type Client = Pick<Api, 'get' | 'post' | 'put' | 'del'>

type Credential =
  | { kind: 'none' }
  | { kind: 'wrong secret' }
  | { kind: 'owner key' }
  /** A caller that is another user of the same platform. */
  | { kind: 'user key' }
  | { kind: 'token'; scope: Scope }
  | { kind: 'session'; role: Role }

/** `tries`: which calls it makes, if not all. */
export type MatrixCaller = {
  name: string
  credential: Credential
  client: Client
  tries?: (call: MatrixCall) => boolean
}

/** A request with ids of the attacked platform. */
export type MatrixCall = { route: Route; path: string; body?: unknown }

export const routeName = ({ method, url }: Pick<Route, 'method' | 'url'>): string => `${method} ${url}`

/** The error that the declared access of a route gives a caller, or null if the caller may reach its handler. */
export function refusalOf(route: Route, credential: Credential): [status: number, code: string] | null {
  const { access, permission } = route.spec
  if (access === 'anyone') return null
  if (credential.kind === 'none' && access === 'session') return [401, 'not_signed_in']
  if (credential.kind === 'none' || credential.kind === 'wrong secret') return [401, 'unauthorized']
  if (credential.kind === 'token' && !scopesOf(route).includes(credential.scope)) return [403, 'insufficient_scope']
  if (access === 'session' && credential.kind !== 'session') return [401, 'not_signed_in']
  if (access === 'owner' && credential.kind === 'user key') return [403, 'owner_only']
  if (credential.kind !== 'session' || permission === 'self') return null
  return permissionsOf(credential.role, 'sandbox').has(permission) ? null : [403, 'permission_denied']
}

const scopesOf = ({ method, url }: Route): readonly Scope[] =>
  scopedRoutes.find(([scopedMethod, scopedUrl]) => scopedMethod === method && scopedUrl === url)?.[2] ?? []

/**
 * Anonymous callers, callers of other platforms, and callers of the same platform that do not own the objects of its
 * users.
 */
export async function openCallers(service: TestService, { owner, platformId }: { owner: Api; platformId: string }) {
  const other = await service.newOwner()
  const user = await service.newUser(undefined, owner)
  const [key] = owner.credential.split(':')
  // Without a bank account it can pay nothing, so a payment does not use up the token `single-use`.
  const stranger = await signIn(service, await service.newOwner())
  const callers: MatrixCaller[] = [
    { name: 'nobody', credential: { kind: 'none' }, client: service.as('') },
    { name: 'a wrong secret', credential: { kind: 'wrong secret' }, client: service.as(`${key}:${'x'.repeat(40)}`) },
    { name: 'the owner of another platform', credential: { kind: 'owner key' }, client: other.api },
    { name: 'another user', credential: { kind: 'user key' }, client: user },
    ...(await openTokens(service, stranger)),
    ...(await openSessions(service, other.id)),
    ...(await openTokensOfPlatform(service, platformId)),
  ]
  return { callers, otherPlatformId: other.id, user }
}

/**
 * Tokens of the platform itself, which see only payments that they created. The member who gave the grant has left,
 * because the story needs a platform with one member. The grant then has no creator.
 */
async function openTokensOfPlatform(service: TestService, platformId: string): Promise<MatrixCaller[]> {
  const { browser, loginId } = await newMember(service, platformId, 'owner')
  const tokens = await openTokens(service, browser)
  await service.ownerSql`update grants set created_by = null, permissions = null where platform_id = ${platformId}`
  await service.ownerSql`delete from members where platform_id = ${platformId} and login_id = ${loginId}`
  return tokens.map((caller) => ({ ...caller, name: `${caller.name} of the platform`, tries: callsWithId }))
}

/** Another member of the platform, who does not own the sessions and views of the others. */
export async function openColleague(service: TestService, platformId: string): Promise<MatrixCaller> {
  const { browser, role } = await newMember(service, platformId, 'owner')
  const tries = (call: MatrixCall) => isPersonal(call.route) && callsWithId(call)
  return { name: 'a colleague', credential: { kind: 'session', role }, client: browser, tries }
}

const callsWithId = ({ route }: MatrixCall): boolean => namesObject(route)

/** A member's own views of the payments. */
export const OWN_VIEWS = ['POST /web/v1/views', 'PUT /web/v1/views/:id', 'DELETE /web/v1/views/:id']

const isPersonal = (route: Route): boolean => route.spec.permission === 'self' || OWN_VIEWS.includes(routeName(route))

async function openTokens(service: TestService, browser: Browser): Promise<MatrixCaller[]> {
  const application = await registerApplication(browser)
  const tokens: MatrixCaller[] = []
  for (const scope of SCOPES) {
    const { access_token } = await obtainTokens(service, browser, application, scope)
    const client = service.as(`Bearer ${access_token}`)
    tokens.push({ name: `a token with the scope ${scope}`, credential: { kind: 'token', scope }, client })
  }
  return tokens
}

/** A session of each role of a platform. */
export function openSessions(service: TestService, platformId: string): Promise<MatrixCaller[]> {
  return Promise.all(
    ROLES.map(async (role): Promise<MatrixCaller> => {
      const { browser } = await newMember(service, platformId, role, { name: `Somebody with the role ${role}` })
      return { name: `a session of ${role}`, credential: { kind: 'session', role }, client: browser }
    }),
  )
}

/**
 * The people and accounts of the story. Other callers send different ones, so an answer to them with one of these is a
 * leak.
 */
const PRIVATE = [
  /\b(?:Alice|Bob|Carol|Dana|Erin|Olive|Adam)\b/g,
  /\b(?:alice|bob|dana|olive|adam|rent)[.\w]*@[\w.]+/g,
  /"(?:account|number)":"74(?:65|73)"/g,
]

const disguised = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll(PRIVATE[0] as RegExp, 'Somebody')
      .replaceAll(PRIVATE[1] as RegExp, 'somebody@example.org')
      .replaceAll(/64019382(?=7465|7473)\d{4}/g, '640193829911'),
  )

/** In the sandbox, every caller may read all mail, because it is not sent. */
const SANDBOX_MAIL = 'GET /web/v1/mail'

/** The complete account number of a wallet, or the number of a card. */
const NUMBER = /(?:"numbers":\{.*?"account"|"card_number"):"\d{9,}"/g

const idsIn = (text: string): string[] => text.match(/\b[0-9a-f]{32}\b/g) ?? []

/** A parameter that names an object with an owner. A return code has none. */
const namesObject = ({ url }: Route): boolean => /:(?!code\b)\w/.test(url)

export type Matrix = {
  /** Passes calls on after every other caller has tried them. */
  through(api: Api): Api
  /** Lets every caller try a call. */
  attack(call: MatrixCall, callers?: readonly MatrixCaller[]): Promise<void>
  /** Collects private values from answers to authorized callers. */
  learn(text: string): void
  attacked: Set<string>
  problems: string[]
  /**
   * The number of calls that were refused by the declared access, that reached a handler, and those of them with an
   * object of another owner.
   */
  count: { refused: number; reached: number; foreign: number }
  /**
   * The patterns of private values that appeared in no answer to authorized callers. Searching for them proves nothing.
   */
  unseen(): RegExp[]
}

export function createMatrix(
  routes: readonly Route[],
  {
    callers,
    writes,
    publicIds,
  }: { callers: readonly MatrixCaller[]; writes: ForeignWrites; publicIds: ReadonlySet<string> },
): Matrix {
  const foreignIds = new Set<string>()
  const foreignNumbers = new Set<string>()
  const seen = new Set<RegExp>()
  const attacked = new Set<string>()
  const problems: string[] = []
  const count = { refused: 0, reached: 0, foreign: 0 }

  function learn(text: string): void {
    for (const id of idsIn(text)) if (!publicIds.has(id)) foreignIds.add(id)
    for (const [number] of text.matchAll(NUMBER)) foreignNumbers.add(number)
    for (const pattern of [...PRIVATE, NUMBER]) if (text.search(pattern) >= 0) seen.add(pattern)
  }

  /** Returns values of the attacked platform that an answer shows and its caller did not send. */
  function leaksOf({ text }: Answer, sent: string): string[] {
    const ids = idsIn(text).filter((id) => foreignIds.has(id) && !sent.includes(id))
    const numbers = [...text.matchAll(NUMBER)].map(([number]) => number).filter((number) => foreignNumbers.has(number))
    const values = PRIVATE.flatMap((pattern) => text.match(pattern) ?? [])
    return [...new Set([...ids, ...numbers, ...values])]
  }

  async function tryCall({ route, path, body }: MatrixCall, { name, credential, client }: MatrixCaller): Promise<void> {
    const sentBody = body === undefined ? undefined : disguised(body)
    const answer = await send(client, route, { path, body: sentBody })
    const note = (problem: string) => problems.push(`${routeName(route)} by ${name}: ${problem}`)
    const { status } = answer
    const given = `${status} ${answer.body?.code ?? ''}`.trim()
    const refusal = refusalOf(route, credential)
    count[refusal ? 'refused' : 'reached']++
    if (refusal && given !== refusal.join(' ')) note(`${given} instead of ${refusal.join(' ')}`)
    if (!refusal && isRefusedByAccess(answer, route)) note(`${given}, although its access allows it`)
    if (status >= 500) note(`${given}: ${answer.text}`)
    const sent = `${path} ${JSON.stringify(body)}`
    if (!refusal && (namesObject(route) || idsIn(sent).some((id) => foreignIds.has(id)))) {
      count.foreign++
      if (!isNotFound(answer)) note(`${given} for an object of another`)
    }
    if (routeName(route) === SANDBOX_MAIL) return
    for (const leak of leaksOf(answer, sent)) note(`the answer ${given} shows ${leak}`)
  }

  async function attack(call: MatrixCall, by = callers): Promise<void> {
    attacked.add(routeName(call.route))
    await writes.take()
    await Promise.all(by.filter((caller) => isCalledBy(call, caller, publicIds)).map((caller) => tryCall(call, caller)))
    for (const { table, operation, row } of await writes.take()) {
      problems.push(`${routeName(call.route)}: ${operation} in ${table}: ${JSON.stringify(row).slice(0, 300)}`)
    }
  }

  async function passOn(method: string, path: string, { body, send }: { body?: unknown; send: () => Promise<Answer> }) {
    const route = findRoute(routes, method, path)
    if (!attacked.has(routeName(route))) await attack({ route, path, body })
    const answer = await send()
    if (!path.endsWith('/institutions')) learn(answer.text)
    return answer
  }

  return {
    through: (api) => ({
      ...api,
      get: (path, options) => passOn('GET', path, { send: () => api.get(path, options) }),
      post: (path, body, options) => passOn('POST', path, { body, send: () => api.post(path, body, options) }),
      put: (path, body, options) => passOn('PUT', path, { body, send: () => api.put(path, body, options) }),
      del: (path, options) => passOn('DELETE', path, { send: () => api.del(path, options) }),
    }),
    attack,
    learn,
    attacked,
    problems,
    count,
    unseen: () => [...PRIVATE, NUMBER].filter((pattern) => !seen.has(pattern)),
  }
}

/**
 * A user of the same platform may do everything with its own objects, so it tries reads and calls that name objects of
 * another user.
 */
function isCalledBy(
  { route, path, body }: MatrixCall,
  { credential, tries }: MatrixCaller,
  publicIds: ReadonlySet<string>,
): boolean {
  if (tries && !tries({ route, path, body })) return false
  if (route.spec.access === 'anyone') return credential.kind !== 'session' // signing out would end the session
  if (credential.kind !== 'user key' || refusalOf(route, credential)) return true
  return route.method === 'GET' || idsIn(`${path} ${JSON.stringify(body)}`).some((id) => !publicIds.has(id))
}

/** Some handlers refuse more with `permission_denied` and another message. */
function isRefusedByAccess({ body }: Answer, { spec }: Route): boolean {
  if (body?.code === 'permission_denied') return body.message.includes(`the permission "${spec.permission}"`)
  return ['unauthorized', 'invalid_token', 'not_signed_in', 'insufficient_scope', 'owner_only'].includes(body?.code)
}

/**
 * An authorization request belongs to a browser, the stream to the platform that a page shows, and a PIN is read with a
 * key.
 */
const isNotFound = ({ status, body }: Answer): boolean =>
  status === 404 ||
  ['authorization_expired', 'owner_changed', 'platform_changed', 'foreign_origin'].includes(body?.code)

function send(client: Client, { method }: Route, { path, body }: { path: string; body: unknown }): Promise<Answer> {
  if (method === 'GET') return client.get(path)
  if (method === 'DELETE') return client.del(path)
  return method === 'PUT' ? client.put(path, body) : client.post(path, body)
}

/** `/v3/user/list` is not a user. */
function findRoute(routes: readonly Route[], method: string, path: string): Route {
  const address = path.split('?', 1)[0] as string
  const found = routes.filter((route) => route.method === method && addressPattern(route.url).test(address))
  const route = found.find(({ url }) => url === address) ?? found[0]
  if (!route) throw new Error(`no route is ${method} ${path}`)
  return route
}
