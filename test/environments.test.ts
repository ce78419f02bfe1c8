import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { suite, type TestContext, test } from 'node:test'
import { publishedOwner } from '../src/foundation/core/demo-rules.ts'
import type { Sql } from '../src/foundation/db/connect.ts'
import { resetDemoWhenDue } from '../src/operation/sandbox/demo-worker.ts'
import { openBrowser, signIn } from './support/browser.ts'
import { fakeClock } from './support/clock.ts'
import { waitUntilWaiting } from './support/locks.ts'
import { mailedCode, newEmail } from './support/login.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { addBank, addVerifiedBank, newAccountNumber, startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'
import { isAuthentic, setWebhook } from './support/webhooks.ts'

const { apiKey, webhookKey } = publishedOwner.published

suite('demo', () => {
  async function startDemo(t: TestContext) {
    const realClock = fakeClock('2026-03-02T23:59:00.000Z')
    const service = await startTestService(t, { environment: 'demo', realClock })
    await resetDemoWhenDue(service.deps)
    return { ...service, realClock, published: service.as(`${apiKey.key}:${apiKey.secret}`) }
  }

  test('has an owner whose keys are public, including the webhook key', async (t) => {
    const { published, deliverWebhooks } = await startDemo(t)
    const receiver = await startReceiver(t)
    await addVerifiedBank(published)
    await setWebhook(published, receiver.url)
    await triggerStatus(published, (await sendPayment(published)).id, 'PAID')
    await deliverWebhooks()
    assert.equal(receiver.received.length, 2)
    assert.ok(receiver.received.every((received) => isAuthentic(received, webhookKey)))
    const { deps } = await startTestService(t)
    assert.equal(deps.settings.firstOwner, 'in_data_directory')
  })

  test('has an owner that cannot be suspended or closed, but its users can', async (t) => {
    const { published, newUser } = await startDemo(t)
    for (const status of ['SUSPENDED', 'CLOSED']) {
      const refused = await published.put('/v3/user/webhook', { status })
      assert.deepEqual([refused.status, refused.body.code], [400, 'status_not_reachable'])
      assert.equal((await (await newUser(undefined, published)).put('/v3/user/webhook', { status })).status, 204)
    }
    assert.equal((await published.put('/v3/user/webhook', { status: 'PENDING' })).status, 204)
    assert.equal((await published.get('/v3/user')).body.user.status, 'PENDING')
  })

  test('has an owner whose password, team and published key cannot be changed, so that no visitor is locked out', async (t) => {
    const service = await startDemo(t)
    const { email, password } = publishedOwner
    const browser = await signIn(service, { email, password })
    const [{ id }] = (await browser.get('/web/v1/team')).body.members
    const second = await newMember(service, publishedOwner.published.id, 'owner')
    const newPassword = 'a-password-of-one-visitor-27'
    assert.equal((await openBrowser(service).post('/web/v1/password/forgot', { email })).status, 201)
    await assert.rejects(mailedCode(openBrowser(service), email), /there is a mail/)
    for (const [what, { status, body }] of Object.entries({
      password: await browser.put('/web/v1/password', { current: password, password: newPassword }),
      email: await browser.post('/web/v1/email', { email: newEmail(), password }),
      'two-factor': await browser.post('/web/v1/two-factor', { password }),
      role: await second.browser.put(`/web/v1/team/${id}`, { role: 'viewer' }),
      removal: await second.browser.del(`/web/v1/team/${id}`),
      leaving: await browser.post('/web/v1/team/leave', {}),
      'published key': await browser.del(`/v3/user/api_key/${apiKey.key}`),
      'published key, by its owner’s id': await browser.del(
        `/v3/user/${publishedOwner.published.id}/api_key/${apiKey.key}`,
      ),
    }))
      assert.deepEqual([status, body.code], [403, 'shared_by_all'], what)
    assert.equal((await service.published.get('/v3/user')).status, 200)
    await signIn(service, { email, password })
  })

  test('deletes all data on a new day, and its owner works afterward', async (t) => {
    const { deps, published, newUser, realClock, deliverWebhooks, clock } = await startDemo(t)
    const receiver = await startReceiver(t)
    receiver.answer = 500
    const user = await newUser('of-today', published)
    await addVerifiedBank(published)
    await setWebhook(published, receiver.url)
    await triggerStatus(published, (await sendPayment(published)).id, 'IN_PROCESS')
    await deliverWebhooks()

    assert.equal(await resetDemoWhenDue(deps), 0, 'it is the same day')
    assert.equal((await published.get('/v3/check')).body.checks.length, 1)
    realClock.advance(60)
    assert.equal(await resetDemoWhenDue(deps), 1)
    assert.equal(await resetDemoWhenDue(deps), 0)

    assert.equal((await user.get('/v3/user')).status, 401)
    assert.deepEqual((await published.get('/v3/user/list')).body.users, [])
    assert.deepEqual((await published.get('/v3/bank')).body.banks, [])
    assert.deepEqual((await published.get('/v3/check')).body.checks, [])
    clock.advance(30)
    assert.equal(await deliverWebhooks(), 0)
    await addVerifiedBank(published)
    assert.equal((await sendPayment(published)).number, 1)
    assert.equal((await newUser('of-today', published)).userId, 'of-today')
  })

  test('is reset once by two concurrent processes, and a concurrent request gets a documented answer', async (t) => {
    const { deps, published, realClock } = await startDemo(t)
    await addVerifiedBank(published)
    realClock.advance(60)
    const requests = Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 3 === 0
          ? published.post('/v3/check/digital', { amount: 1, name: 'Somebody', recipient: 'a@example.com' })
          : index % 3 === 1
            ? published.post('/v3/bank', { routing: '021000021', account: newAccountNumber(), type: 'CHECKING' })
            : published.get('/v3/check'),
      ),
    )
    const resets = await Promise.all([resetDemoWhenDue(deps), resetDemoWhenDue(deps), resetDemoWhenDue(deps)])
    assert.deepEqual(resets.sort(), [0, 0, 1])
    const statuses = new Set((await requests).map(({ status }) => status))
    // 503: a payment waits for a lock only briefly.
    assert.deepEqual(statuses.difference(new Set([200, 201, 400, 401, 503])), new Set())
    assert.equal((await published.get('/v3/user')).status, 200)
  })

  test('lets waiting transactions finish before its reset, and is reset after them', async (t) => {
    const { deps, realClock } = await startDemo(t)
    const tables = await deps.sql<{ tablename: string }[]>`
      select tablename from pg_tables where schemaname = current_schema() and tablename <> 'settings'
    `
    // One statement: the reset gives way for some seconds, which reading a hundred tables one by one can exceed on a busy machine.
    const names = tables.map(({ tablename }) => `"${tablename}"`).join(', ')
    const open = async () => {
      const [opened, over] = [Promise.withResolvers<Sql>(), Promise.withResolvers<void>()]
      const ended = deps.sql.begin(async (tx) => {
        await tx`select from payments limit 1`
        opened.resolve(tx)
        await over.promise
      })
      return { tx: await opened.promise, ended, end: over.resolve }
    }
    const transactions = [await open(), await open(), await open(), await open()]
    realClock.advance(60)
    const reset = resetDemoWhenDue(deps)
    for (const { tx, end, ended } of transactions) {
      await waitUntilWaiting(deps.sql, 1)
      await tx.unsafe(`lock table ${names} in access share mode`)
      end()
      await ended
    }
    assert.equal(await reset, 1)
  })

  test('is the only environment that deletes its data', async (t) => {
    const realClock = fakeClock()
    const { deps, owner, newUser } = await startTestService(t, { realClock })
    await newUser()
    realClock.advance(100 * 24 * 60 * 60)
    assert.equal(await resetDemoWhenDue(deps), 0)
    assert.equal((await owner.get('/v3/user/list')).body.total, 1)
  })
})

async function pathsOf(baseUrl: string): Promise<Set<string>> {
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: object }
  return new Set(Object.keys(paths))
}

suite('production', () => {
  const startProduction = (t: TestContext) => startTestService(t, { environment: 'production' })

  test('has no triggers: their URLs are unknown and not in its documents', async (t) => {
    const { owner, as, baseUrl } = await startProduction(t)
    for (const path of [`/v3/check/webhook/${'0'.repeat(32)}`, '/v3/user/webhook', '/v3/webhook/listener']) {
      for (const api of [owner, as('')]) {
        for (const method of ['PUT', 'POST']) {
          const { status, body } = await api.raw(method, path, '{"status":"PAID"}')
          assert.deepEqual([status, body.code], [404, 'not_found'], `${method} ${path}`)
        }
      }
    }
    const ofSandbox = await startTestService(t)
    const paths = await pathsOf(baseUrl)
    assert.ok(paths.has('/v3/check/digital') && paths.has('/v3/webhook/endpoint'))
    assert.deepEqual([...(await pathsOf(ofSandbox.baseUrl)).difference(paths)].sort(), [
      '/v3/check/webhook/{id}',
      '/v3/sandbox/clock',
      '/v3/sandbox/mailbox/{id}/mail',
      '/v3/sandbox/receivable/settle',
      '/v3/sandbox/vcc/{id}/spend',
      '/v3/sandbox/wallet/{id}/fund',
      '/v3/user/webhook',
      '/v3/webhook/listener',
      '/v3/webhook/listener/{id}',
    ])
  })

  test('micro-deposits are random, sealed, and verify the bank in either order', async (t) => {
    const { deps, newUser } = await startProduction(t)
    const logFile = process.env.TEST_RUN_LOG as string
    const { size: logBegin } = await stat(logFile) // elsewhere in the log of the run, two such numbers may stand by chance
    const pairs = []
    for (let count = 0; count < 12; count++) {
      const user = await newUser()
      const account = await addBank(user)
      const released = await user.post('/v3/bank/release', { account })
      assert.deepEqual([released.status, released.text], [201, '{}'])
      const [row] = await deps.sql<{ microDepositsSealed: Buffer; row: string }[]>`
        select micro_deposits_sealed, to_jsonb(b) - 'micro_deposits_sealed' as row
        from banks b
        where id = ${account}
      `
      assert.ok(row)
      const text = deps.keyRing.openText(row.microDepositsSealed, 'micro-deposits')
      const [first, second] = JSON.parse(text) as [number, number]
      for (const cents of [first, second]) assert.ok(Number.isInteger(cents) && cents >= 1 && cents <= 99)
      assert.notEqual(first, second)
      assert.ok(!row.microDepositsSealed.includes(text))
      assert.ok(!JSON.stringify(row.row).includes(`${first},${second}`))
      pairs.push(text)

      const wrong = await user.post('/v3/bank/verify', {
        account,
        amount_1: first / 100,
        amount_2: (first % 99) / 100 + 0.01,
      })
      const isWrong = (first % 99) + 1 !== second
      assert.equal(wrong.status, isWrong ? 400 : 200)
      if (!isWrong) continue
      assert.ok(!wrong.text.includes(String(second / 100)))
      const amounts = count % 2 === 0 ? [first, second] : [second, first]
      const [amount_1, amount_2] = amounts.map((cents) => cents / 100)
      assert.equal((await user.post('/v3/bank/verify', { account, amount_1, amount_2 })).status, 200)
      assert.equal((await user.get('/v3/bank')).body.banks[0].status, 'VERIFIED')
    }
    assert.ok(new Set(pairs).size > 6, 'they are not always the same')
    assert.ok(pairs.filter((pair) => pair === '[7,15]').length < 2)
    const log = (await readFile(logFile)).subarray(logBegin)
    for (const pair of pairs) assert.ok(!log.includes(pair), 'a pair of amounts is in the log')
  })

  test('has no owner at first, and allows local webhooks only if a test requests them', async (t) => {
    const { deps } = await startTestService(t, { environment: 'production', settings: { allowsLocalWebhooks: false } })
    assert.equal(deps.settings.firstOwner, 'none')
    assert.equal(deps.settings.microDepositCents, null)
  })
})

test('in the sandbox and the demo, micro-deposits are 0.07 and 0.15, and are also sealed', async (t) => {
  for (const environment of ['sandbox', 'demo'] as const) {
    const { deps, newUser } = await startTestService(t, { environment })
    const user = await newUser()
    const account = await addBank(user)
    await user.post('/v3/bank/release', { account })
    const [row] = await deps.sql<{ sealed: Buffer }[]>`select micro_deposits_sealed as sealed from banks`
    assert.equal(deps.keyRing.openText(row?.sealed as Buffer, 'micro-deposits'), '[7,15]')
  }
})
