import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { accountDigestOf } from '../src/money/bank/bank-account-actions.ts'
import { sweep } from '../src/operation/scheduler/sweep-table.ts'
import { fakeClock } from './support/clock.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { sendPayment } from './support/payments.ts'
import { allRows, insertRow, rowCounts, webhookBodies } from './support/rows.ts'
import { startTestService, type TestUser } from './support/service.ts'

// Users confirm their accounts at simulated institutions.

const realClock = fakeClock()
const service = await startTestService({ after }, { realClock })
const { deps, newUser, owner } = service
const [bank, creditUnion] = (await owner.get('/v3/bank/institutions')).body.institutions
const CHECKING = { account: '480022003301', routing: '110000000', name: 'Simulated Checking' }
const SAVINGS = { account: '480022003302', routing: '110000000', name: 'Simulated Savings' }
const HOUR = 3_600

const logIn = (user: TestUser, username: string, password = 'pass_good') =>
  user.post('/v3/bank/iav', { institution_id: bank.id, username, password })

const answer = (user: TestUser, mfa: string, values: object) => user.post('/v3/bank/iav', { mfa_id: mfa, ...values })

const addBank = async (user: TestUser, { account, routing }: { account: string; routing: string }) => {
  const { body, status, text } = await user.post('/v3/bank', { routing, account, type: 'CHECKING' })
  assert.equal(status, 201, text)
  return body
}

test('institutions are listed with the fields of their login forms, in pages on request', async () => {
  assert.deepEqual(bank.login_form, [
    { name: 'username', type: 'TEXT', description: 'Your username' },
    { name: 'password', type: 'PASSWORD', description: 'Your password' },
  ])
  const url = '/v3/account/bank/institutions'
  assert.deepEqual((await owner.get(url)).body, { institutions: [bank, creditUnion] })
  const paged = (await owner.get(`${url}?per_page=10&page=2`)).body
  assert.deepEqual(paged, { institutions: [], page: 2, pages: 1, total: 2 })
})

suite('a login', () => {
  for (const [username, password, expected] of [
    ['user_good', 'pass_good', [CHECKING, SAVINGS]],
    ['user_empty', 'pass_good', []],
    ['user_good', 'pass_wrong', 'institution_login_refused'],
    ['user_unknown', 'pass_good', 'institution_login_refused'],
    ['__proto__', 'pass_good', 'institution_login_refused'],
    ['user_locked', 'pass_good', 'institution_login_locked'],
    ['user_down', 'pass_good', 'institution_unavailable'],
  ] as const) {
    test(`of ${username} with ${password} has its outcome`, async () => {
      const user = await newUser()
      const before = await rowCounts(deps.sql)
      const { status, body } = await logIn(user, username, password)
      if (typeof expected === 'string') {
        assert.deepEqual([status, body.code], [400, expected])
        if (expected === 'institution_login_refused') assert.deepEqual(Object.keys(body.errors), ['password'])
        assert.deepEqual(await rowCounts(deps.sql), before)
      } else {
        assert.deepEqual([status, body], [201, { accounts: expected }])
      }
    })
  }

  test('has the fields of the institution, and a missing, unknown or malformed field causes a 400 that names it', async () => {
    const user = await newUser()
    const member = { institution_id: creditUnion.id, member_number: 'user_good', passcode: 'pass_good' }
    assert.equal((await user.post('/v3/account/bank/iav', member)).body.accounts[0].name, 'Simulated Share Draft')
    const before = await allRows(deps.sql)
    const whole = { institution_id: bank.id, username: 'user_good', password: 'pass_good' }
    for (const [change, field] of [
      [{ institution_id: undefined }, 'institution_id'],
      [{ institution_id: 'bank' }, 'institution_id'],
      [{ institution_id: bank.id, mfa_id: bank.id }, 'mfa_id'],
      [{ username: undefined }, 'username'],
      [{ username: '' }, 'username'],
      [{ password: 7 }, 'password'],
      [{ password: 'x'.repeat(257) }, 'password'],
      [{ member_number: '1' }, 'member_number'],
      [{ constructor: '1' }, 'constructor'],
      [{ institution_id: '0'.repeat(32) }, 'institution_id'],
    ] as const) {
      const { status, body, text } = await user.post('/v3/bank/iav', { ...whole, ...change })
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [status, [field]], text)
      assert.equal(status, body.code === 'institution_not_found' ? 404 : 400)
    }
    assert.deepEqual(await allRows(deps.sql), before)
  })

  test('leaves no credentials and no account number behind', async () => {
    const user = await newUser()
    const { body } = await logIn(user, 'user_question')
    await answer(user, body.mfa.id, { answer: 'blue-ish' })
    await answer(user, body.mfa.id, { answer: 'blue' })
    const rows = [...(await allRows(deps.sql))].join('\n')
    for (const secret of ['user_question', 'pass_good', 'blue', CHECKING.account]) {
      assert.ok(!rows.includes(secret), secret)
    }
  })

  test('with the same Idempotency-Key gives the same answer, which is sealed', async () => {
    const user = await newUser()
    const body = { institution_id: bank.id, username: 'user_good', password: 'pass_good' }
    const send = (password: string) => user.post('/v3/bank/iav', { ...body, password }, { idempotencyKey: 'login' })
    const first = await send('pass_good')
    const again = await send('pass_good')
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true'])
    assert.equal((await send('pass_wrong')).status, 422)
  })
})

suite('a bank', () => {
  test('that is added from a confirmed account is VERIFIED at once, can send, and has an event', async () => {
    const user = await newUser()
    await logIn(user, 'user_good')
    await owner.post('/v3/webhook/endpoint', { url: 'https://hooks.example.com/', event_types: ['BANK'] })
    const added = await addBank(user, SAVINGS)
    assert.deepEqual([added.status, added.default], ['VERIFIED', true])
    assert.equal((await user.get(`/v3/bank/${added.id}`)).body.status, 'VERIFIED')
    assert.equal((await sendPayment(user, { recipient: 'payee@example.com' })).status, 'UNPAID')
    assert.deepEqual(await webhookBodies(deps.sql, added.id), [{ id: added.id, type: 'BANK', status: 'VERIFIED' }])
    const { audit } = (await owner.get(`/v3/audit?q=${added.id}`)).body
    assert.deepEqual(audit.map(({ action }: { action: string }) => action).sort(), ['bank_added', 'bank_verified'])
  })

  test('is VERIFIED once, for one user and for an hour', async () => {
    const [user, other] = [await newUser(), await newUser()]
    await logIn(user, 'user_good')
    await logIn(user, 'user_good')
    assert.equal((await addBank(other, CHECKING)).status, 'DEPOSIT_ONLY')
    const { id, status } = await addBank(user, CHECKING)
    assert.equal(status, 'VERIFIED')
    await user.del(`/v3/bank/${id}`)
    assert.equal((await addBank(user, CHECKING)).status, 'DEPOSIT_ONLY')
    realClock.advance(HOUR)
    assert.equal((await addBank(user, SAVINGS)).status, 'DEPOSIT_ONLY')
  })

  test('of a blocked account stays DEPOSIT_ONLY', async () => {
    const user = await newUser()
    await logIn(user, 'user_good')
    const [row] = await deps.sql<{ platformId: string }[]>`select platform_id from users where id = ${user.id}`
    const platformId = row?.platformId as string
    const digest = await inTransaction(deps, (tx) => accountDigestOf(tx, { platformId, ...CHECKING }))
    await insertRow(deps.sql, 'account_blocks', {
      platform_id: platformId,
      holder_id: user.id,
      account_digest: digest,
      routing: CHECKING.routing,
      account_sealed: deps.keyRing.seal(CHECKING.account, 'bank account'),
      return_code: 'R02',
      leg_id: user.id,
      blocks_credits: true,
      created_at: deps.clock.now(),
    })
    assert.equal((await addBank(user, CHECKING)).status, 'DEPOSIT_ONLY')
  })
})

suite('a challenge', () => {
  const start = async (user: TestUser, username: string) => (await logIn(user, username)).body.mfa

  test('of each type is answered: a text, a password, an option', async () => {
    const user = await newUser()
    const field = (name: string, type: string, description: string, options: string[] = []) => ({
      name,
      type,
      description,
      options,
    })
    const code = field('code', 'TEXT', 'The code that we sent you')
    for (const [username, form, values] of [
      ['user_code', code, { code: '123123' }],
      ['user_question', field('answer', 'PASSWORD', 'Your favorite color'), { answer: 'blue' }],
    ] as const) {
      const { status, body } = await logIn(user, username)
      assert.deepEqual([status, body], [201, { accounts: [], mfa: { id: body.mfa.id, form: [form] } }])
      const answered = await answer(user, body.mfa.id, values)
      assert.deepEqual([answered.status, answered.body], [201, { accounts: [CHECKING, SAVINGS] }])
    }
    const chosen = await start(user, 'user_option')
    assert.deepEqual(chosen.form, [field('channel', 'OPTION', 'Where to send a code', ['text message', 'email'])])
    const wrong = await answer(user, chosen.id, { channel: 'pigeon' })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [400, ['channel']])
    const next = await answer(user, chosen.id, { channel: 'email' })
    assert.deepEqual(next.body.mfa.form, [code])
    assert.equal((await answer(user, next.body.mfa.id, { code: '123123' })).body.accounts.length, 2)
    assert.equal((await addBank(user, CHECKING)).status, 'VERIFIED')
  })

  test('ends with the third wrong answer, even with concurrent wrong answers', async () => {
    const user = await newUser()
    const { id } = await start(user, 'user_code')
    const wrong = () => answer(user, id, { code: '000000' })
    assert.deepEqual((await wrong()).body.errors, { code: ['was refused by the bank. Check your sign-in details'] })
    const answers = await Promise.all([wrong(), wrong(), wrong(), wrong()])
    const codes = answers.map(({ body }) => body.code)
    assert.equal(codes.filter((code) => code === 'institution_login_refused').length, 1, codes.join())
    assert.equal((await answer(user, id, { code: '123123' })).body.code, 'challenge_not_found')
    assert.equal((await addBank(user, CHECKING)).status, 'DEPOSIT_ONLY')
  })

  test('is answered once, even with concurrent right answers', async () => {
    const user = await newUser()
    const { id } = await start(user, 'user_code')
    const right = () => answer(user, id, { code: '123123' })
    const answers = await Promise.all([right(), right(), right()])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 404, 404])
  })

  test('belongs to one user and ends after ten minutes', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const { id } = await start(user, 'user_code')
    const foreign = await answer(other, id, { code: '123123' })
    assert.deepEqual([foreign.status, Object.keys(foreign.body.errors)], [404, ['mfa_id']])
    const unknown = await answer(other, '0'.repeat(32), { code: '123123' })
    assert.equal(unknown.text, foreign.text)
    realClock.advance(600)
    assert.equal((await answer(user, id, { code: '123123' })).body.code, 'challenge_not_found')
  })
})

test('a processor token has its outcome, and its account is VERIFIED when added', async () => {
  const user = await newUser()
  const read = (processor_token: string) => user.post('/v3/bank/iav/plaid', { processor_token })
  for (const [token, code] of [
    ['processor-sandbox-unknown', 'invalid_processor_token'],
    ['processor-sandbox-locked', 'institution_login_locked'],
    ['processor-sandbox-down', 'institution_unavailable'],
  ] as const) {
    const { status, body } = await read(token)
    assert.deepEqual([status, body.code], [400, code])
  }
  const { status, body } = await read('processor-sandbox-good')
  assert.deepEqual([status, body], [201, { accounts: [CHECKING] }])
  assert.equal((await addBank(user, CHECKING)).status, 'VERIFIED')
})

test('expired rows and those of a deleted user are deleted', async () => {
  const [user, deleted] = [await newUser(), await newUser()]
  const count = async () => {
    const counts = await rowCounts(deps.sql)
    return [counts.institution_logins, counts.confirmed_accounts]
  }
  realClock.advance(2 * HOUR)
  while ((await sweep(deps, 'sweep institution logins')) > 0);
  assert.deepEqual(await count(), [0, 0])
  for (const holder of [user, deleted]) {
    await logIn(holder, 'user_good')
    await logIn(holder, 'user_code')
  }
  assert.deepEqual(await count(), [2, 4])
  assert.equal((await owner.del(`/v3/user/${deleted.id}`)).status, 200)
  assert.deepEqual(await count(), [1, 2])
})

test('institutions need a credential, but not that of an application', async () => {
  const holder = await newAccountHolder(service)
  const application = await registerApplication(holder.browser)
  const { access_token } = await obtainTokens(service, holder.browser, application)
  for (const [credential, code] of [
    ['', 'unauthorized'],
    [`Bearer ${access_token}`, 'insufficient_scope'],
  ] as const) {
    const api = service.as(credential)
    for (const answer of [
      await api.get('/v3/bank/institutions'),
      await api.post('/v3/bank/iav', { institution_id: bank.id, username: 'user_good', password: 'pass_good' }),
      await api.post('/v3/bank/iav/plaid', { processor_token: 'processor-sandbox-good' }),
    ]) {
      assert.equal(answer.body.code, code, answer.text)
    }
  }
})

test('without a network of institutions, each call reports that it is not configured', async (t) => {
  const production = await startTestService(t, { environment: 'production' })
  const user = await production.newUser()
  for (const { status, body } of [
    await user.get('/v3/bank/institutions'),
    await user.post('/v3/bank/iav', { institution_id: bank.id, username: 'user_good', password: 'pass_good' }),
    await user.post('/v3/bank/iav', { mfa_id: bank.id, code: '123123' }),
    await user.post('/v3/bank/iav/plaid', { processor_token: 'processor-sandbox-good' }),
  ]) {
    assert.deepEqual([status, body.code], [400, 'not_configured'])
  }
})

test('a user can sign in at institutions 20 times at once and then twice a minute, and other users are not limited', async () => {
  const [user, other] = [await newUser(), await newUser()]
  const statuses = async (api: TestUser, count: number) => {
    const seen: number[] = []
    for (let n = 0; n < count; n++) seen.push((await logIn(api, 'user_empty')).status)
    return seen
  }
  assert.deepEqual(await statuses(user, 20), Array(20).fill(201))
  for (const [url, body] of [
    ['/v3/bank/iav', { institution_id: bank.id, username: 'user_empty', password: 'pass_good' }],
    ['/v3/account/bank/iav', { institution_id: bank.id, username: 'user_empty', password: 'pass_good' }],
    ['/v3/bank/iav/plaid', { processor_token: 'processor-sandbox-good' }],
  ] as const) {
    const refused = await user.post(url, body)
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
    assert.equal(refused.headers.get('retry-after'), '30')
  }
  assert.deepEqual(await statuses(other, 1), [201])
  realClock.advance(60)
  assert.deepEqual(await statuses(user, 3), [201, 201, 429])
})
