import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { newMasterKey, parseMasterKeys } from '../src/foundation/core/seal.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { addMember } from '../src/people/auth/team/member-store.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import type { OperatorEvent } from '../src/people/user/operator-rules.ts'
import type { UserKey } from '../src/people/user/user-store.ts'
import type { Answer } from './support/api.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { sendPayment } from './support/payments.ts'
import { type Exit, missingDatabase, runRemit, temporaryFolder } from './support/process.ts'
import { allRows } from './support/rows.ts'
import { runCommand } from './support/run-command.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'
import { newPayee, newSender } from './support/webhooks.ts'

// The operator's decisions about users, on the command line and in a running service (specification.md 3.2).

const masterKey = newMasterKey()
const service = await startTestService({ after }, { keyRing: parseMasterKeys(masterKey) })
const { deps } = service
// The command line uses real time, so the service's clock moves there.
service.clock.advance((Date.now() - service.clock.now().getTime()) / 1_000)

/** Runs `remit user …` on the database of the running service. */
const remitUser = (...args: string[]) =>
  runCommand(['user', ...args], { DATABASE_URL: service.databaseUrl, REMIT_MASTER_KEYS: masterKey })

function printed({ code, stdout, stderr }: Omit<Exit, 'signal'>) {
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

const decide = (user: UserKey, event: OperatorEvent) => inTransaction(deps, (tx) => decideUser(tx, user, event))

const refusalOf = ({ status, body }: Answer) => [status, body.code]

suite('remit user', { concurrency: 2 }, () => {
  test('show, verify, suspend, verify again, close: each is effective at once in the running service and visible to the owner', async () => {
    const { api, id, email } = await service.newOwner()
    const user = await newSender(service, api)
    const at = ['--environment', 'sandbox', '--owner', email.toUpperCase(), '--user', user.userId]
    const statusNow = async () => (await user.get('/v3/user')).body.user.status

    const noLimits = { payment: null, day: null, month: null }
    await sendPayment(user, { amount: 12.34 })
    assert.deepEqual(printed(await remitUser('show', ...at)), {
      id: user.id,
      user_id: user.userId,
      name: `Name of ${user.userId}`,
      status: 'UNVERIFIED',
      limits: noLimits,
      own_limits: noLimits,
      sent_today: 12.34,
      sent_this_month: 12.34,
      debt: 0,
    })
    for (const [event, status, isAllowed] of [
      ['verify', 'VERIFIED', true],
      ['suspend', 'SUSPENDED', false],
      ['verify', 'VERIFIED', true],
      ['suspend', 'SUSPENDED', false],
      ['close', 'CLOSED', false],
    ] as const) {
      const state = printed(await remitUser(event, ...at))
      assert.deepEqual([state.status, await statusNow()], [status, status])
      const answer = await user.post('/v3/check/digital', { amount: 1, name: 'Somebody', recipient: 'a@example.com' })
      assert.deepEqual([answer.status, answer.body.code], isAllowed ? [201, undefined] : [403, 'user_not_active'])
    }
    const again = await remitUser('verify', ...at)
    assert.deepEqual([again.code, again.stderr.trim()], [1, 'The user is CLOSED, so nothing was changed.'])

    const { audit } = (await api.get('/v3/audit')).body
    const decided = audit.filter(({ actor }: { actor: string }) => actor === 'operator')
    assert.deepEqual(
      decided.map(({ action }: { action: string }) => action),
      ['user_closed', 'user_suspended', 'user_verified', 'user_suspended', 'user_verified'],
    )
    for (const entry of decided) {
      assert.deepEqual([entry.subject, entry.user_id, entry.actor_id, entry.address], [user.id, null, null, null])
    }
    assert.equal((await (await service.newOwner()).api.get('/v3/audit')).body.total, 0)
    assert.notEqual(id, user.id)
  })

  test('without --user applies to the owner itself, with its whole platform', async () => {
    const { api, id, email } = await service.newOwner()
    const user = await newSender(service, api)
    const state = printed(await remitUser('suspend', '--owner', email))
    assert.deepEqual([state.id, state.user_id, state.status], [id, null, 'SUSPENDED'])
    assert.equal((await api.get('/v3/user')).body.user.status, 'SUSPENDED')
    const order = { amount: 1, name: 'Somebody', recipient: 'a@example.com' }
    assert.deepEqual(refusalOf(await user.post('/v3/check/digital', order)), [403, 'user_not_active'])
    assert.equal((await user.get('/v3/user')).body.user.status, 'UNVERIFIED')
  })

  test('limits sets the given dollar amounts, keeps the others, and resets one with "default"', async () => {
    const { api, email } = await service.newOwner()
    const user = await newSender(service, api)
    const at = ['--owner', email, '--user', user.id]
    const all = printed(await remitUser('limits', ...at, '--payment', '5000', '--day', '5000.50', '--month', '20000'))
    assert.deepEqual(all.own_limits, { payment: 5_000, day: 5_000.5, month: 20_000 })
    const some = printed(await remitUser('limits', ...at, '--day', 'default', '--payment', '0.02'))
    assert.deepEqual(some.limits, { payment: 0.02, day: null, month: 20_000 })
    const order = { amount: 0.03, name: 'Somebody', recipient: 'a@example.com' }
    assert.equal((await user.post('/v3/check/digital', order)).body.code, 'payment_limit_reached')
    const { audit } = (await api.get('/v3/audit?q=limits')).body
    assert.deepEqual(
      audit.map(({ subject }: { subject: string }) => subject),
      [
        `${user.id} payment 0.02, day default, month 20000.00`,
        `${user.id} payment 5000.00, day 5000.50, month 20000.00`,
      ],
    )
  })

  test('accepts a platform by its id, and requires it if an email address owns several', async () => {
    const [first, second] = [await service.newOwner(), await service.newOwner()]
    const [login] = await deps.sql<{ loginId: string }[]>`
      select login_id from members where platform_id = ${first.id}
    `
    const { loginId } = login as { loginId: string }
    await inTransaction(deps, (tx) =>
      addMember(tx.sql, { platformId: second.id, loginId, role: 'owner', now: deps.realClock.now() }),
    )
    const { code, stderr } = await remitUser('suspend', '--owner', first.email)
    assert.equal(code, 1)
    assert.match(stderr, /owns several platforms\. Choose one:/)
    for (const { id } of [first, second]) {
      assert.match(stderr, new RegExp(`--owner ${id}  \\S`))
      assert.equal(printed(await remitUser('show', '--owner', id)).id, id)
    }
    assert.equal(printed(await remitUser('suspend', '--owner', second.id)).status, 'SUSPENDED')
    assert.notEqual(printed(await remitUser('show', '--owner', first.id)).status, 'SUSPENDED')
  })

  test('reports errors, exits with 1 and changes nothing', async () => {
    const { id, email } = await service.newOwner()
    const other = await service.newOwner()
    const foreign = await service.newUser(undefined, other.api)
    const deleted = await service.newUser(undefined, other.api)
    await other.api.del(`/v3/user/${deleted.id}`)
    const rows = await allRows(deps.sql)
    const dollars = (flag: string) => `${flag} must be an amount in dollars such as 5000 or 5000.50, or "default".`
    for (const [args, problem] of [
      [['show'], 'remit user needs --owner EMAIL, and --user USER_ID for a user of that owner.'],
      [['show', '--owner', 'nobody@example.com'], 'No owner has the email address nobody@example.com. Check --owner.'],
      [['show', '--owner', 'f'.repeat(32)], `No platform has the id ${'f'.repeat(32)}. Check --owner.`],
      [['verify', '--owner', email, '--user', 'nobody'], `The platform of ${email} has no user nobody. Check --user.`],
      [
        ['close', '--owner', email, '--user', foreign.id],
        `The platform of ${email} has no user ${foreign.id}. Check --user.`,
      ],
      [
        ['close', '--owner', other.email, '--user', deleted.id],
        `The platform of ${other.email} has no user ${deleted.id}. Check --user.`,
      ],
      [
        ['limits', '--owner', email],
        'remit user limits needs --payment, --day or --month, each in dollars or "default".',
      ],
      [['limits', '--owner', email, '--day', '0'], dollars('--day')],
      [['limits', '--owner', email, '--payment', '5,000'], dollars('--payment')],
      [['limits', '--owner', email, '--month=-1'], dollars('--month')],
      [['limits', '--owner', email, '--day', '1.005'], dollars('--day')],
      [['suspend', '--owner', email, '--environment', 'production'], '--environment must be one of sandbox, demo.'],
    ] as const) {
      const { code, stderr, stdout } = await remitUser(...args)
      assert.deepEqual([code, stderr.trim(), stdout], [1, problem, ''])
    }
    const unknown = await remitUser('delete', '--owner', email)
    assert.deepEqual([unknown.code, unknown.stderr.split('\n')[0]], [1, "error: unknown command 'delete'"])
    const isOurs = (row: string) => [id, other.id].some((platform) => row.replaceAll('-', '').includes(platform))
    assert.deepEqual([...(await allRows(deps.sql)).difference(rows)].filter(isOurs), [])
  })

  test('works without a running service, and its help names every command', async (t) => {
    const folder = await temporaryFolder(t)
    const options = { home: folder, env: { DATABASE_URL: missingDatabase(t) } }
    const made = await runRemit(['owner', 'create', '--email', 'me@example.com', '--name', 'My company'], options)
    assert.equal(made.code, 0, made.stderr)
    const state = printed(await runRemit(['user', 'verify', '--owner', 'me@example.com'], options))
    assert.deepEqual([state.name, state.status], ['My company', 'VERIFIED'])
    const trail = await runRemit(['verify-audit', '--owner', 'me@example.com'], options)
    assert.deepEqual(
      trail.stdout.match(/\((\w+)\)$/gm),
      ['(owner_created)', '(user_verified)'],
      'both actions are recorded, and wait to be sealed by a worker',
    )
    const { stdout } = await runRemit(['help', 'user'], options)
    for (const name of ['show', 'verify', 'suspend', 'close', 'limits'])
      assert.match(stdout, new RegExp(`^ {2}${name} {2}`, 'm'))
  })
})

suite('remit operator', () => {
  const remitOperator = (...args: string[]) =>
    runCommand(['operator', ...args], { DATABASE_URL: service.databaseUrl, REMIT_MASTER_KEYS: masterKey })

  test('add and remove give and take the permission of an open session, and each platform of the person records it', async () => {
    const { api, browser, email } = await newAccountHolder(service)
    const permissions = async () => (await browser.get('/web/v1/context')).body.owner.permissions as string[]
    assert.ok(!(await permissions()).includes('operate'))
    const added = await remitOperator('add', '--email', email.toUpperCase())
    assert.deepEqual([added.code, added.stdout.trim()], [0, `${email} sees the pages of the operator.`])
    assert.equal((await remitOperator('add', '--email', email)).code, 0, 'a second time changes nothing')
    assert.ok((await permissions()).includes('operate'))
    assert.match((await remitOperator('list')).stdout, new RegExp(`^${email}  .+  since \\S+`, 'm'))
    const removed = await remitOperator('remove', '--email', email)
    assert.deepEqual([removed.code, removed.stdout.trim()], [0, `${email} no longer sees the pages of the operator.`])
    assert.ok(!(await permissions()).includes('operate'))
    assert.doesNotMatch((await remitOperator('list')).stdout, new RegExp(email))
    const { audit } = (await api.get('/v3/audit')).body
    const recorded = audit.filter(({ actor }: { actor: string }) => actor === 'operator')
    assert.deepEqual(
      recorded.map(({ action, subject }: { action: string; subject: string }) => [action, subject]),
      [
        ['operator_removed', email],
        ['operator_added', email],
      ],
    )
  })

  test('refuses an email address without a login', async () => {
    for (const verb of ['add', 'remove']) {
      const { code, stderr } = await remitOperator(verb, '--email', 'nobody@example.com')
      assert.deepEqual(
        [code, stderr.trim()],
        [1, 'Nobody signs in as nobody@example.com. Check --email. "remit owner create" adds a person.'],
      )
      assert.equal((await remitOperator(verb)).stderr.trim(), `remit operator ${verb} needs --email EMAIL.`)
    }
  })
})

for (const [event, status] of [
  ['suspend', 'SUSPENDED'],
  ['close', 'CLOSED'],
] as const) {
  test(`a ${status} user can sign in and read, and all requests that send or receive are refused with 403`, async () => {
    const holder = await newAccountHolder(service)
    const application = await registerApplication(holder.browser)
    const bearer = service.as(`Bearer ${(await obtainTokens(service, holder.browser, application)).access_token}`)
    const [sender, payee] = [await newSender(service, holder.api), await newPayee(service, holder.api)]
    const outsider = await newSender(service)
    const [own, theirs] = [await newWallet(holder.api), await newWallet(payee)]
    const bank = await addBank(holder.api)
    const toUs = await sendPayment(sender, { recipient: holder.email })
    const fromWallet = await sendPayment(payee, { account: theirs, recipient: holder.email })
    const voidable = await sendPayment(holder.api, { account: own, recipient: payee.userId })
    await decide({ platformId: holder.id, userId: holder.id }, event)

    const order = { amount: 1, name: 'Somebody', recipient: payee.userId }
    const toWallet = { ...order, account: own, recipient: { id: payee.userId, account: theirs } }
    const rows = await allRows(deps.sql)
    for (const answer of [
      await holder.api.post('/v3/check/digital', order),
      await holder.api.post('/v3/check/digital', { ...order, account: own }),
      await holder.api.post('/v3/check/digital', toWallet),
      await bearer.post('/v3/check/digital', order),
      await bearer.post('/v3/check/digital', toWallet),
      await holder.browser.post('/v3/check/digital', order),
      await holder.api.post(`/v3/check/deposit/${toUs.id}`, { account: bank }),
      await holder.api.post(`/v3/check/deposit/${fromWallet.id}`, { account: own }),
      await holder.browser.post(`/v3/check/deposit/${toUs.id}`, { account: bank }),
    ]) {
      assert.deepEqual(refusalOf(answer as Answer), [403, 'user_not_active'], answer.text)
    }
    const answer = await outsider.post('/v3/check/digital', { ...order, recipient: holder.email })
    assert.deepEqual(refusalOf(answer), [403, 'recipient_not_active'], answer.text)
    // A session that is used lasts longer.
    const written = [...(await allRows(deps.sql)).difference(rows)]
    assert.deepEqual(
      written.filter((row) => !row.startsWith('sessions ')),
      [],
    )

    assert.equal((await holder.api.get('/v3/user')).body.user.status, status)
    assert.equal((await holder.api.get('/v3/check')).body.total, 3)
    assert.equal((await bearer.get('/v3/user')).status, 200)
    assert.equal((await holder.browser.get('/v3/check')).status, 200)
    // Earlier payments can be voided by either side.
    assert.equal((await holder.api.del(`/v3/check/${voidable.id}`)).status, 200)
    assert.equal((await sender.del(`/v3/check/${toUs.id}`)).status, 200)
    assert.deepEqual([await balanceOf(holder.api, own), await balanceOf(payee, theirs)], [100, 90])
    await assertLedger(service)
  })
}

test('after a suspension, payments in transit continue, and undeposited ones wait', async () => {
  const { api, id } = await service.newOwner()
  const [sender, payee] = [await newSender(service, api), await newPayee(service, api)]
  await addVerifiedBank(payee)
  const moving = await sendPayment(sender, { recipient: { id: payee.userId, account: payee.bankId } })
  const waiting = await sendPayment(sender, { recipient: payee.userId })
  await decide({ platformId: id, userId: sender.id }, 'suspend')
  const deposit = () => payee.post(`/v3/check/deposit/${waiting.id}`, { account: payee.bankId })
  assert.equal((await deposit()).body.code, 'not_depositable')
  await decide({ platformId: id, userId: sender.id }, 'verify')
  assert.equal((await deposit()).status, 201)
  for (let day = 0; day < 10; day++) {
    service.clock.advance(24 * 3_600)
    await service.doDueWork()
  }
  for (const payment of [moving, waiting]) {
    assert.equal((await sender.get(`/v3/check/${payment.id}`)).body.status, 'PAID')
  }
  await assertLedger(service)
})

test('when a suspension races with 20 payments, the accepted ones preceded it', async () => {
  const { api, id } = await service.newOwner()
  const sender = await newSender(service, api)
  const order = { amount: 1, name: 'Somebody', recipient: 'a@example.com' }
  const [answers] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, () => sender.post('/v3/check/digital', order))),
    decide({ platformId: id, userId: sender.id }, 'suspend'),
  ])
  for (const { status, body } of answers) assert.ok(status === 201 || body.code === 'user_not_active')
  const accepted = answers.filter(({ status }) => status === 201).length
  assert.equal((await sender.get('/v3/check')).body.total, accepted)
  assert.equal((await sender.post('/v3/check/digital', order)).body.code, 'user_not_active')
})
