import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { createLog } from '../src/foundation/lib/log.ts'
import { createLedgerCheck } from '../src/money/ledger/ledger-worker.ts'
import { createMetrics } from '../src/operation/app/metrics.ts'
import { serveMetrics } from '../src/operation/app/metrics-server.ts'
import { createApi } from './support/api.ts'
import { assertLedger, newWallet } from './support/money.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { missingDatabase, readFirstOwner, startProcess, temporaryFolder } from './support/process.ts'
import { startReceiver } from './support/receiver.ts'
import { collectSecrets } from './support/secrets.ts'
import { startTestService } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'
import { newPayee, newSender, setWebhook } from './support/webhooks.ts'

/** Samples by name and labels, in the order of their names: `name{a="1",b="2"}`. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? assert.fail(line)
      const sorted = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([label]) => label).sort()
      return [sorted.length > 0 ? `${name}{${sorted.join(',')}}` : (name as string), Number(value)]
    }),
  )
}

const offendingRows = (text: string): number[] =>
  [...samplesOf(text)].filter(([name]) => name.startsWith('remit_ledger_offending_rows')).map(([, count]) => count)

const scrape = async (url: string) => {
  const response = await fetch(url)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  return { text, samples: samplesOf(text) }
}

suite('metrics', () => {
  test('include requests, payments, legs, webhooks, backlog, pool and ledger, but no id, no name and no secret', async (t) => {
    const metrics = createMetrics(createLog('silent'))
    const service = await startTestService(t, { metrics: { metrics, verifyLedgerEveryMs: null } })
    const { deps, databaseUrl, baseUrl } = service
    const receiver = await startReceiver(t)
    const [sender, payee] = [await newSender(service), await newPayee(service)]
    await setWebhook(sender, receiver.url)
    const wallet = await newWallet(sender)
    const { id } = await sendPayment(sender)
    await triggerStatus(sender, id, 'PAID')
    await sendPayment(sender, { recipient: { id: payee.userId, account: payee.bankId } })
    await sendPayment(sender, { account: wallet })
    await service.deliverWebhooks()
    await sendPayment(sender, { amount: -1 }).catch(() => {})
    await fetch(`${baseUrl}/no/such/address`, { method: 'PROPFIND' })
    for (let nth = 0; nth < 50; nth++) await sender.get(`/v3/check/${id}`)

    for (const cents of [100, 200]) {
      await deps.sql`
        insert into exceptions (platform_id, id, kind, cents, note, created_at)
        select platform_id, gen_random_uuid(), 'mail_set_aside', ${cents}, 'x', ${deps.clock.now()}::timestamptz - interval '1 minute'
        from wallets
        where id = ${wallet}
      `
    }

    const server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 })
    t.after(() => server.stop())
    const check = createLedgerCheck(deps, { databaseUrl, applicationName: 'test', everyMs: 3_600_000 })
    assert.equal(await check.run(), 0)
    await assertLedger(service)
    const { text, samples } = await scrape(server.url)
    const of = (name: string, labels: Record<string, string | number> = {}) => {
      const given = Object.entries({ environment: 'sandbox', ...labels }).map(([label, value]) => `${label}="${value}"`)
      return samples.get(`remit_${name}{${given.sort().join(',')}}`)
    }
    assert.equal(of('http_requests_total', { method: 'POST', route: '/v3/check/digital', status: 201 }), 3)
    assert.equal(of('http_requests_total', { method: 'POST', route: '/v3/check/digital', status: 400 }), 1)
    assert.equal(of('http_requests_total', { method: 'GET', route: '/v3/check/:id', status: 200 }), 50)
    assert.equal(of('http_requests_total', { method: 'other', route: 'none', status: 404 }), 1)
    assert.equal(of('http_request_seconds_count', { method: 'GET', route: '/v3/check/:id' }), 50)
    assert.equal(of('payments_accepted_total'), 3)
    assert.equal(of('payment_changes_total', { status: 'IN_PROCESS' }), 2)
    assert.equal(of('payment_changes_total', { status: 'PAID' }), 1)
    assert.ok((of('leg_changes_total', { rail: 'ACH', direction: 'debit', status: 'WAITING' }) ?? 0) >= 1)
    assert.equal(of('webhook_attempts_total', { outcome: 'acknowledged' }), receiver.received.length)
    assert.ok(receiver.received.length > 0)
    assert.equal(of('commit_group_size_sum'), 3)
    assert.equal(of('database_up'), 1)
    assert.ok((of('backlog', { work: 'webhooks' }) ?? -1) >= 0)
    assert.ok((of('backlog', { work: 'legs' }) ?? -1) >= 0)
    assert.equal(of('exceptions_open', { kind: 'mail_set_aside' }), 2)
    assert.equal(of('exceptions_open_held_cents', { kind: 'mail_set_aside' }), 300)
    assert.ok((of('exceptions_open_oldest_seconds', { kind: 'mail_set_aside' }) ?? 0) > 0)
    assert.ok((of('database_connections', { pool: 'main', state: 'idle' }) ?? 0) > 0)
    assert.equal(of('ledger_offending_rows', { check: 'debits equal credits' }), 0)
    assert.ok((of('ledger_checked_rows', { check: 'debits equal credits' }) ?? 0) > 0)
    const age = deps.realClock.now().getTime() / 1000 - (of('ledger_verified_timestamp_seconds') ?? 0)
    assert.ok(age >= 0 && age < 60)
    assert.ok((samples.get('process_resident_memory_bytes') ?? 0) > 0)
    assert.doesNotMatch(text, /[0-9a-f]{32}/)
    for (const word of [sender.userId, id, wallet, 'PROPFIND', 'no/such']) assert.ok(!text.includes(word), word)
    const credentials = [sender, payee].flatMap(({ credential }) => credential.split(':'))
    for (const secret of credentials) assert.ok(!text.includes(secret))

    await deps.sql`update wallets set balance_cents = balance_cents + 1 where id = ${wallet}`
    assert.equal(await check.run(), 0)
    assert.ok(
      offendingRows(await metrics.text()).every((count) => count === 0),
      'not due yet',
    )
    const again = createLedgerCheck(deps, { databaseUrl, applicationName: 'test', everyMs: 3_600_000 })
    await again.run()
    const offending = offendingRows(await metrics.text())
    assert.deepEqual(
      offending.filter((count) => count > 0),
      [1],
    )
    await deps.sql`update wallets set balance_cents = balance_cents - 1 where id = ${wallet}`

    const { origin } = new URL(server.url)
    assert.equal((await fetch(`${origin}/`)).status, 404)
    assert.equal((await fetch(server.url, { method: 'POST' })).status, 405)
    assert.equal((await fetch(`${baseUrl}/metrics`)).status, 404, 'not on the port of the service')
  })

  test('are available without the database, and show that it is down', async () => {
    const metrics = createMetrics(createLog('silent'))
    const pools = { main: () => ({ busy: 1, idle: 2, waiting: 3 }) }
    let calls = 0
    const fail = () => Promise.reject(new Error(`no database ${++calls}`))
    metrics.watch('sandbox', { pools, backlog: fail, openCases: fail })
    await metrics.text()
    const samples = samplesOf(await metrics.text())
    assert.equal(calls, 1)
    assert.equal(samples.get('remit_database_up{environment="sandbox"}'), 0)
    assert.equal(samples.get('remit_database_connections{environment="sandbox",pool="main",state="waiting"}'), 3)
    assert.ok(![...samples.keys()].some((name) => name.startsWith('remit_backlog')))
  })

  test('are on a separate port if one is configured, with background steps and the ledger', async (t) => {
    const home = await temporaryFolder(t)
    const env = { DATABASE_URL: missingDatabase(t), REMIT_METRICS_PORT: '0' }
    const child = await startProcess(t, ['start', '--port', '0'], { home, env })
    const [, url = ''] = /^metrics (\S+)$/m.exec(child.stdout()) ?? []
    assert.match(url, /^http:\/\/localhost:\d+\/metrics$/)
    const owner = await readFirstOwner(join(home, '.remit'))
    await createApi(child.url(), `${owner.key}:${owner.secret}`, collectSecrets()).get('/v3/user')
    const isThere = async () => {
      const { samples } = await scrape(url)
      const names = [...samples.keys()]
      const hasSteps = names.some((name) => /^remit_step_runs_total\{.*step="run due work"/.test(name))
      return hasSteps && names.filter((name) => name.startsWith('remit_ledger_verified_timestamp')).length === 2
    }
    await waitUntil('sandbox and demo have run a step and verified their ledgers', isThere)
    const { text } = await scrape(url)
    for (const secret of [owner.secret, owner.key, owner.webhook_key, owner.password]) assert.ok(!text.includes(secret))
    assert.equal((await child.end()).code, 0)
  })
})
