import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { generateSync } from 'otplib'
import { type Browser, signIn } from './support/browser.ts'
import { fakeClock } from './support/clock.ts'
import { auditActions, tenTimes } from './support/login.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { PASSWORD, startTestService } from './support/service.ts'

// Calls that create or show a secret require a recent confirmation with the password or a code.

const realClock = fakeClock()
const service = await startTestService({ after }, { realClock })
const { deps, newOwner, newUser } = service

const TEN_MINUTES = 600

const application = {
  name: 'Bookkeeper',
  site: 'https://bookkeeper.example.com',
  redirect_uris: ['https://bookkeeper.example.com/callback'],
}

const confirm = (browser: Browser, proof: object) => browser.post('/web/v1/step-up', proof)
const show = (browser: Browser, id: string) => browser.post(`/web/v1/applications/${id}/secret/show`)

suite('a secret', () => {
  test('is created and shown within ten minutes of the sign-in, and later only after the password', async () => {
    const owner = await newOwner()
    const browser = await signIn(service, owner)
    const user = await newUser(undefined, owner.api)
    const { id } = await registerApplication(browser)
    const calls: [path: string, body?: object][] = [
      ['/v3/user/api_key', {}],
      [`/v3/user/${user.id}/api_key`, {}],
      ['/web/v1/applications', application],
      [`/web/v1/applications/${id}/secret/show`],
      [`/web/v1/applications/${id}/secret`],
      ['/v3/webhook/key', {}],
      ['/v3/user', { name: 'Somebody New' }],
    ]
    let round = 0
    const outcomes = () =>
      Promise.all(
        calls.map(async ([path, given]) => {
          const body = path === '/v3/user' ? { ...given, user_id: `new-${++round}` } : given
          const { status, body: answer } = await browser.post(path, body)
          assert.equal((answer.secret ?? answer.webhook_key) === undefined, status !== 201)
          return answer.code ?? status
        }),
      )
    const all = (outcome: number | string) => calls.map(() => outcome)
    realClock.advance(TEN_MINUTES)
    assert.deepEqual(await outcomes(), all(201))
    realClock.advance(1)
    assert.deepEqual(await outcomes(), all('confirmation_needed'))
    assert.equal((await browser.get('/web/v1/applications')).status, 200, 'all other calls work')
    assert.equal((await owner.api.post('/v3/user/api_key', {})).status, 201, 'a key needs no confirmation')

    const confirmed = await confirm(browser, { password: PASSWORD })
    assert.deepEqual([confirmed.status, confirmed.body], [201, {}])
    realClock.advance(TEN_MINUTES)
    assert.deepEqual(await outcomes(), all(201))
    realClock.advance(1)
    assert.deepEqual(await outcomes(), all('confirmation_needed'))
  })

  test('is not shown for an Idempotency-Key that was used within the ten minutes', async () => {
    const browser = await signIn(service, await newOwner())
    const make = () => browser.post('/v3/user/api_key', {}, { 'idempotency-key': 'one key' })
    assert.equal((await make()).status, 201)
    realClock.advance(TEN_MINUTES + 1)
    assert.equal((await make()).body.code, 'confirmation_needed')
  })
})

suite('the confirmation', () => {
  test('a confirmation applies to one session: another session of the same owner needs its own', async () => {
    const owner = await newOwner()
    const [one, other] = [await signIn(service, owner), await signIn(service, owner)]
    realClock.advance(TEN_MINUTES + 1)
    await confirm(one, { password: PASSWORD })
    assert.equal((await one.post('/v3/user/api_key', {})).status, 201)
    assert.equal((await other.post('/v3/user/api_key', {})).body.code, 'confirmation_needed')
  })

  test('accepts a code of the app or a recovery code, each once', async () => {
    const browser = await signIn(service, await newOwner())
    const { secret } = (await browser.post('/web/v1/two-factor', { password: PASSWORD })).body
    const appCode = () => generateSync({ secret, epoch: Math.floor(realClock.now().getTime() / 1000) })
    const { recovery_codes } = (await browser.post('/web/v1/two-factor/confirm', { code: appCode() })).body
    realClock.advance(TEN_MINUTES + 1)
    const code = appCode()
    for (const [proof, status] of [
      [code, 201],
      [code, 400],
      [recovery_codes[0], 201],
      [recovery_codes[0], 400],
    ]) {
      assert.equal((await confirm(browser, { code: proof })).status, status)
      if (status === 201) assert.equal((await browser.post('/v3/user/api_key', {})).status, 201)
      realClock.advance(status === 201 ? 0 : TEN_MINUTES + 1)
    }
    assert.equal((await browser.post('/v3/user/api_key', {})).body.code, 'confirmation_needed')
  })

  test('accepts no wrong code, and delays repeated wrong codes', async () => {
    const browser = await signIn(service, await newOwner())
    realClock.advance(TEN_MINUTES + 1)
    for (const [proof, code] of [
      [{}, 'invalid_request'],
      [{ password: PASSWORD, code: '123456' }, 'invalid_request'],
      [{ code: '123456' }, 'wrong_code'],
    ] as const) {
      const { status, body } = await confirm(browser, proof)
      assert.deepEqual([status, body.code], [400, code])
    }
    const wrong = () => confirm(browser, { password: 'not the password' })
    assert.deepEqual(await tenTimes(wrong), { '400 wrong_password': 5, '429 too_many_tries': 5 })
    assert.equal((await browser.post('/v3/user/api_key', {})).body.code, 'confirmation_needed')
    const stranger = await service.owner.post('/web/v1/step-up', { password: PASSWORD })
    assert.deepEqual([stranger.status, stranger.body.code], [401, 'not_signed_in'])
  })
})

suite('a client secret', () => {
  test('is shown again, and each display is recorded', async () => {
    const { browser, email } = await newAccountHolder(service)
    const { id, secret } = await registerApplication(browser)
    const shown = await show(browser, id)
    assert.deepEqual([shown.status, shown.body], [201, { secret }])
    const rotated = (await browser.post(`/web/v1/applications/${id}/secret`)).body.secret
    assert.deepEqual((await show(browser, id)).body, { secret: rotated })
    const actions = await auditActions(service, email)
    assert.equal(actions.filter((action) => action === 'client_secret_shown').length, 2)
    const [row] = await deps.sql<{ row: string }[]>`select a::text as row from applications a where id = ${id}`
    assert.ok(row && !row.row.includes(secret) && !row.row.includes(rotated))
  })

  test('that the page shows can be exchanged for tokens', async () => {
    const { browser } = await newAccountHolder(service)
    const registered = await registerApplication(browser)
    const { secret } = (await show(browser, registered.id)).body
    const tokens = await obtainTokens(service, browser, { ...registered, secret })
    assert.ok(tokens.access_token)
  })

  test('of an application whose secret was never sealed cannot be shown, the list indicates this, and a rotation fixes it', async () => {
    const { browser, email } = await newAccountHolder(service)
    const { id } = await registerApplication(browser)
    await deps.sql`update applications set secret_sealed = null where id = ${id}`
    const listed = async () => (await browser.get('/web/v1/applications')).body.applications[0].is_secret_kept
    const refused = await show(browser, id)
    assert.deepEqual([refused.status, refused.body.code, await listed()], [400, 'secret_not_kept', false])
    assert.ok(!(await auditActions(service, email)).includes('client_secret_shown'))
    const { secret } = (await browser.post(`/web/v1/applications/${id}/secret`)).body
    assert.deepEqual([(await show(browser, id)).body, await listed()], [{ secret }, true])
  })

  test('of another owner or a deleted application causes a 404', async () => {
    const { browser } = await newAccountHolder(service)
    const { id } = await registerApplication(browser)
    const foreign = await show(await signIn(service, await newOwner()), id)
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'application_not_found'])
    await browser.del(`/web/v1/applications/${id}`)
    assert.equal((await show(browser, id)).status, 404)
    const rows = await deps.sql`select secret_sealed from applications where id = ${id}`
    assert.deepEqual([...rows], [{ secretSealed: null }])
  })
})
