import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { generateSync } from 'otplib'
import {
  PERMISSIONS,
  type Permission,
  permissionsOf,
  ROLES,
  type Role,
} from '../src/foundation/core/permission-rules.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import type { Route } from '../src/foundation/http/route.ts'
import { allRoutes } from '../src/operation/app/all-routes.ts'
import type { AcceptDeps } from '../src/payments/payment/accept/accept-actions.ts'
import { deleteMember, updateRole, updateTwoFactorRule } from '../src/people/auth/team/member-store.ts'
import type { Answer } from './support/api.ts'
import { type Browser, openBrowser } from './support/browser.ts'
import { fakeClock } from './support/clock.ts'
import { obtainTokens, registerApplication } from './support/oauth.ts'
import { addVerifiedBank, PASSWORD, startTestService } from './support/service.ts'
import { type Member, newMember } from './support/team.ts'
import { waitUntil } from './support/wait-until.ts'

// The routes that each role may call (docs/adr/0023-people.md).

const realClock = fakeClock()
const service = await startTestService({ after }, { realClock })
const { deps, newOwner } = service

const platform = await newOwner()
const members = Object.fromEntries(
  await Promise.all(ROLES.map(async (role) => [role, await newMember(service, platform.id, role)])),
) as Record<Role, Member>

/** The table of the specification: ● always, s in the sandbox, – never. */
const specified: Record<Permission, string> = {
  //          owner admin preparer approver developer viewer
  read: '●●●●●●',
  export: '●●●●–●',
  prepare: '●●●–––',
  release: '●●–●––',
  send: '●●––––',
  accounts: '●●––––',
  users: '●●––s–',
  keys: '●●––s–',
  developers: '●●––●–',
  audit: '●●–●●●',
  team: '●●––––',
  policy: '●–––––',
  simulate: '●●●●●–',
  operate: '––––––',
}

suite('the permission table', () => {
  for (const permission of PERMISSIONS) {
    test(`has the specified row of ${permission}`, () => {
      const row = ROLES.map((role) => {
        const [sandbox, production] = [permissionsOf(role, 'sandbox'), permissionsOf(role, 'production')]
        if (production.has(permission)) return '●'
        return sandbox.has(permission) ? 's' : '–'
      })
      assert.equal(row.join(''), specified[permission])
    })
  }
})

const X = '0'.repeat(32)
const routes = allRoutes(deps as AcceptDeps, {
  apiKeys: { forget: () => {} },
  oneAtATime: (_claim, run) => run(),
  provider: () => null as never,
  lines: null as never,
  wakeups: null as never,
  streams: null as never,
  context: { version: '', environments: () => [] },
  baseUrl: () => '',
})
// Routes that end the session of the test come last.
const called = routes
  .filter(({ spec }) => spec.access !== 'anyone')
  .sort((a, b) => Number(endsSession(a)) - Number(endsSession(b)))

function endsSession({ method, url }: Route): boolean {
  return ['DELETE /web/v1/sessions', 'POST /web/v1/team/leave'].includes(`${method} ${url}`)
}

/** Calls a route with nonexistent ids and an empty body. */
function call(browser: Browser, { method, url }: Route): Promise<Answer> {
  const path = url.replace(/:\w+/g, (name) => (name === ':uid' ? 'unknown-request' : X))
  if (method === 'GET') return browser.get(path)
  if (method === 'DELETE') return browser.del(path)
  return method === 'PUT' ? browser.put(path, {}) : browser.post(path, {})
}

suite('a session', () => {
  for (const role of ROLES) {
    test(`of a member with the role ${role} is refused on each route that the role does not include, with the permission’s name`, async () => {
      const allowed = permissionsOf(role, 'sandbox')
      for (const route of called) {
        const { permission } = route.spec
        const name = `${route.method} ${route.url}`
        const { status, body } = await call(members[role].browser, route)
        if (permission === 'self' || allowed.has(permission as Permission)) {
          assert.notEqual(body?.code, 'permission_denied', name)
        } else {
          assert.deepEqual([status, body.code], [403, 'permission_denied'], name)
          assert.match(
            body.message,
            permission === 'operate'
              ? /^Only the operator of this installation can do this\./
              : new RegExp(`^Your role, ${role}, does not include the permission "${permission}"\\.`),
          )
        }
      }
    })
  }

  test('names a permission for each route, and each permission of existing pages has a route', () => {
    const used = new Set(called.map(({ spec }) => spec.permission))
    assert.ok(!used.has(undefined))
    for (const permission of [
      'read',
      'send',
      'accounts',
      'users',
      'keys',
      'developers',
      'audit',
      'simulate',
    ] as const) {
      assert.ok(used.has(permission), permission)
    }
  })
})

suite('a person', () => {
  test('of a removed member is ended at once, and the person cannot sign in until invited again', async () => {
    const { id } = await newOwner()
    const { browser, loginId, email } = await newMember(service, id, 'viewer')
    await inTransaction(deps, ({ sql }) => deleteMember(sql, { platformId: id, loginId, role: 'viewer' }))
    assert.equal((await browser.get('/v3/bank')).body.code, 'not_signed_in')
    const refused = await openBrowser(service).post('/web/v1/sign-in', { email, password: PASSWORD })
    assert.deepEqual([refused.status, refused.body.code], [403, 'no_platform'])
  })

  test('without a second factor can only set one up on a platform that requires it', async () => {
    const { id } = await newOwner()
    const { browser } = await newMember(service, id, 'admin')
    await updateTwoFactorRule(deps.sql as never, id, true)
    for (const route of called.filter((each) => !endsSession(each))) {
      const { body } = await call(browser, route)
      const isRefused = body?.code === 'two_factor_required'
      assert.equal(isRefused, route.spec.permission !== 'self', `${route.method} ${route.url}`)
    }
    const { secret } = (await browser.post('/web/v1/two-factor', { password: PASSWORD })).body
    const code = generateSync({ secret, epoch: Math.floor(realClock.now().getTime() / 1000) })
    assert.equal((await browser.post('/web/v1/two-factor/confirm', { code })).status, 201)
    assert.equal((await browser.get('/v3/bank')).status, 200)
  })
})

suite('authentication within ten minutes', () => {
  /** Direct sends, deposits and prints, changes of accounts, the signature, keys, the team and its policy. */
  const expected = [
    'POST /v3/check/digital',
    'POST /v3/check/physical',
    'POST /v3/check/direct',
    'POST /v3/approval/release',
    'POST /v3/approval/:id/approve',
    'POST /v3/batch/:id/release',
    'POST /v3/batch/:id/approve',
    'PUT /v3/approval/policy',
    'POST /v3/approval/policy/confirm',
    'POST /v3/invoice/payment',
    'POST /v3/check/csv',
    'POST /v3/subscription/check',
    'POST /v3/check/multi',
    'POST /v3/check/deposit/:id',
    'POST /v3/check/print/:id',
    ...['/v3/bank', '/v3/account/bank'].flatMap((bank) => [
      `POST ${bank}`,
      `PUT ${bank}/:id`,
      `DELETE ${bank}/:id`,
      `POST ${bank}/release`,
      `POST ${bank}/verify`,
    ]),
    ...['card', 'paypal', 'venmo', 'interac', 'wire'].flatMap((kind) => [
      `POST /v3/account/${kind}`,
      `PUT /v3/account/${kind}/:id`,
      `DELETE /v3/account/${kind}/:id`,
    ]),
    'PUT /v3/account/vcc/:id',
    'DELETE /v3/account/vcc/:id',
    'POST /v3/checkbook',
    'PUT /v3/directory/:id', // its email, address and name decide where a payment goes
    'DELETE /v3/directory/:id', // with its accounts
    'POST /v3/directory/:id/account/bank',
    'POST /v3/directory/:id/account/card',
    'DELETE /v3/directory/:id/account/:account',
    'POST /v3/user/signature',
    'DELETE /v3/user/api_key/:id',
    'DELETE /v3/user/:id/api_key/:key',
    'PUT /web/v1/team/:id',
    'DELETE /web/v1/team/:id',
    'POST /web/v1/team/leave',
    'PUT /web/v1/team/policy',
    'POST /web/v1/invitation',
    'DELETE /web/v1/invitation/:id',
    'POST /oauth/consent/:uid/authorize',
  ]

  test('is required to choose another bank or dual control in the profile, and for no other change of the profile', async () => {
    const { id } = await newOwner()
    const { browser } = await newMember(service, id, 'owner')
    realClock.advance(601)
    const { body } = await browser.put('/v3/user', { bank: { default: id } })
    assert.equal(body.code, 'confirmation_needed')
    const control = await browser.put('/v3/user', { payment: { dual_control: true } })
    assert.equal(control.body.code, 'confirmation_needed')
    assert.equal((await browser.put('/v3/user', { payment: { expiration: 20 } })).status, 200)
  })

  test('is required of a session by these routes, by routes that answer with a secret, and by no others', async () => {
    const { id } = await newOwner()
    const { browser } = await newMember(service, id, 'owner')
    realClock.advance(601)
    const asking: string[] = []
    for (const route of called.filter((each) => !endsSession(each) || each.url === '/web/v1/team/leave')) {
      const { body } = await call(browser, route)
      if (body?.code === 'confirmation_needed') asking.push(`${route.method} ${route.url}`)
    }
    const secret = called.filter(({ spec }) => spec.answersSecret).map(({ method, url }) => `${method} ${url}`)
    assert.deepEqual(asking.sort(), [...expected, ...secret].sort())
  })
})

test('only members who may manage accounts see complete account numbers of wallets', async () => {
  const { api, id } = await newOwner()
  const { id: wallet, numbers } = (await api.post('/v3/account/wallet', { name: 'Cash' })).body
  const { account } = numbers.ACH
  const shown = async (browser: Browser) =>
    (await browser.get(`/v3/account/wallet/${wallet}`)).body.numbers.ACH.account as string
  assert.equal(await shown((await newMember(service, id, 'admin')).browser), account)
  for (const role of ['preparer', 'viewer'] as const) {
    assert.equal(await shown((await newMember(service, id, role)).browser), `*****${account.slice(-4)}`)
  }
})

test('an Idempotency-Key belongs to one member: another one cannot get the recorded secret with it', async () => {
  const { id } = await newOwner()
  const [admin, developer] = [await newMember(service, id, 'admin'), await newMember(service, id, 'developer')]
  const create = ({ browser }: Member) => browser.post('/v3/user/api_key', {}, { 'idempotency-key': 'the same' })
  const [first, again, other] = [await create(admin), await create(admin), await create(developer)]
  assert.equal(again.body.secret, first.body.secret)
  assert.notEqual(other.body.id, first.body.id)
})

suite('an API key', () => {
  test('of the API without a creator has every permission', async () => {
    const made = (await platform.api.post('/v3/user/api_key', {})).body
    const key = service.as(`${made.id}:${made.secret}`)
    assert.equal((await key.post('/v3/user/api_key', {})).status, 201)
    const [row] = await deps.sql`select created_by, permissions from api_keys where key = ${made.id}`
    assert.deepEqual({ ...row }, { createdBy: null, permissions: null })
  })

  test('that a member creates never has more permissions than the member, even after a change of role', async () => {
    const { id } = await newOwner()
    const developer = await newMember(service, id, 'developer')
    const made = (await developer.browser.post('/v3/user/api_key', {})).body
    const key = service.as(`${made.id}:${made.secret}`)
    const outcomes = async () => [
      (await key.get('/v3/user/api_key')).body.code ?? 'answered',
      (await key.get('/v3/webhook/endpoint')).body.code ?? 'answered',
      (await key.post('/v3/check/digital', {})).body.code,
    ]
    const createdWith = ['answered', 'answered', 'permission_denied']
    const denied = ['permission_denied', 'permission_denied', 'permission_denied']
    assert.deepEqual(await outcomes(), createdWith)
    const refused = await key.post('/v3/check/digital', {})
    assert.match(refused.body.message, /^This API key does not have the permission "send"\./)

    const member = { platformId: id, loginId: developer.loginId }
    await inTransaction(deps, (tx) => updateRole(tx.sql, { ...member, from: 'developer', to: 'viewer' }))
    await waitUntil('the key has fewer permissions', async () => isDeepStrictEqual(await outcomes(), denied))
    await inTransaction(deps, (tx) => updateRole(tx.sql, { ...member, from: 'viewer', to: 'admin' }))
    await waitUntil('the key has its original permissions', async () => !isDeepStrictEqual(await outcomes(), denied))
    assert.deepEqual(await outcomes(), createdWith)
  })

  test('that such a key creates has the same limit, even for the platform’s owner by its id', async () => {
    const { id } = await newOwner()
    const developer = await newMember(service, id, 'developer')
    const first = (await developer.browser.post('/v3/user/api_key', {})).body
    const limited = service.as(`${first.id}:${first.secret}`)
    for (const path of ['/v3/user/api_key', `/v3/user/${id}/api_key`]) {
      for (const creator of [limited, developer.browser]) {
        const made = (await creator.post(path, {})).body
        const key = service.as(`${made.id}:${made.secret}`)
        assert.equal((await key.post('/v3/check/digital', {})).body.code, 'permission_denied', path)
      }
    }
  })

  test('of a platform user belongs to the user, regardless of its creator', async () => {
    const { id, api } = await newOwner()
    const developer = await newMember(service, id, 'developer')
    const user = await service.newUser(undefined, api)
    const made = (await developer.browser.post(`/v3/user/${user.id}/api_key`, {})).body
    const answer = await service.as(`${made.id}:${made.secret}`).post('/v3/check/digital', {})
    assert.equal(answer.body.code, 'invalid_request')
  })

  test('whose creator is no longer a member has no permissions', async () => {
    const { id } = await newOwner()
    const admin = await newMember(service, id, 'admin')
    const made = (await admin.browser.post('/v3/user/api_key', {})).body
    const key = service.as(`${made.id}:${made.secret}`)
    assert.equal((await key.get('/v3/bank')).status, 200)
    await inTransaction(deps, ({ sql }) => deleteMember(sql, { platformId: id, loginId: admin.loginId, role: 'admin' }))
    const isDenied = async () => (await key.get('/v3/bank')).body.code === 'permission_denied'
    await waitUntil('the process receives the removal', isDenied)
  })
})

suite('a grant', () => {
  test('never has more permissions than the member who gave it, even after a change of role or a removal', async () => {
    const { id, api } = await newOwner()
    await addVerifiedBank(api)
    const [developer, admin] = [await newMember(service, id, 'developer'), await newMember(service, id, 'admin')]
    const application = await registerApplication(admin.browser)
    const tokenOf = async ({ browser }: Member) =>
      service.as(`Bearer ${(await obtainTokens(service, browser, application)).access_token}`)
    const outcome = async (token: typeof api) => {
      const order = { amount: 1, name: 'Recipient', recipient: 'recipient@example.com' }
      const { status, body } = await token.post('/v3/check/digital', order)
      return body.code ?? status
    }
    const [ofDeveloper, ofAdmin] = [await tokenOf(developer), await tokenOf(admin)]
    assert.deepEqual([await outcome(ofDeveloper), await outcome(ofAdmin)], ['permission_denied', 201])
    assert.equal((await ofDeveloper.get('/v3/bank')).status, 200)
    const refused = await ofDeveloper.post('/v3/check/digital', {})
    assert.match(
      refused.body.message,
      /^The member who authorized the application does not have the permission "send"\./,
    )

    await deps.sql`update members set role = 'admin' where login_id = ${developer.loginId}`
    assert.equal(await outcome(ofDeveloper), 'permission_denied', 'it keeps its original permissions')
    await deps.sql`update members set role = 'viewer' where login_id = ${admin.loginId}`
    assert.equal(await outcome(ofAdmin), 'permission_denied')
    await inTransaction(deps, ({ sql }) =>
      deleteMember(sql, { platformId: id, loginId: admin.loginId, role: 'viewer' }),
    )
    assert.equal((await ofAdmin.get('/v3/bank')).body.code, 'permission_denied')
  })

  test('from before grants had a creator does what it did', async () => {
    const { id, api } = await newOwner()
    const { browser } = await newMember(service, id, 'developer')
    await addVerifiedBank(api)
    const { access_token } = await obtainTokens(service, browser, await registerApplication(browser))
    await deps.sql`update grants set created_by = null, permissions = null where platform_id = ${id}`
    const answer = await service.as(`Bearer ${access_token}`).post('/v3/check/digital', {})
    assert.equal(answer.body.code, 'invalid_request')
  })
})
