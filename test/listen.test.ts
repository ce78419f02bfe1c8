import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, suite, type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { freePort } from '../packages/embedded-postgres/src/embedded-port.ts'
import type { Permission } from '../src/foundation/core/permission-rules.ts'
import { connect, type Pool } from '../src/foundation/db/connect.ts'
import type { Caller } from '../src/foundation/http/caller.ts'
import type { Clock } from '../src/foundation/lib/clock.ts'
import { createWakeups } from '../src/foundation/lib/concurrency/wakeups.ts'
import { main } from '../src/main.ts'
import { type FirstOwnerFile, writeFirstOwner } from '../src/operation/app/first-owner.ts'
import { runTrigger } from '../src/operation/cli/trigger-command.ts'
import { pollListener } from '../src/webhook/listener/listener-actions.ts'
import { SILENCE_MS } from '../src/webhook/listener/listener-rules.ts'
import { sweepListeners } from '../src/webhook/listener/listener-worker.ts'
import { type Api, createApi } from './support/api.ts'
import { startCommand } from './support/command.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import {
  missingDatabase,
  type RemitProcess,
  readFirstOwner,
  runRemit,
  startProcess,
  temporaryFolder,
} from './support/process.ts'
import { startReceiver } from './support/receiver.ts'
import { rowCounts } from './support/rows.ts'
import { collectSecrets } from './support/secrets.ts'
import { startTestService, type TestService } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'
import { isAuthentic, newSender, setWebhook } from './support/webhooks.ts'

const lifetime = { after }

/** A sandbox as created by `npm start`, in its own folder, on a port that stays the same. */
async function startSandbox() {
  const home = await temporaryFolder(lifetime)
  const database = missingDatabase(lifetime)
  const port = await freePort()
  const args = ['start', '--environments', 'sandbox', '--port', String(port)]
  const start = () =>
    startProcess(lifetime, args, { home, env: { DATABASE_URL: database, REMIT_ALLOW_LOCAL_WEBHOOKS: 'true' } })
  let remit: RemitProcess = await start()
  const first = await readFirstOwner(join(home, '.remit'))
  const sql = connect(database, { max: 2, applicationName: 'test' })
  after(() => sql.end({ timeout: 5 }))
  return {
    home,
    sql,
    first,
    owner: createApi(first.base_url, `${first.key}:${first.secret}`, collectSecrets()),
    stop: (signal?: NodeJS.Signals) => remit.end(signal),
    start: async () => {
      remit = await start()
    },
    run: (...words: string[]) => runRemit(words, { home }),
  }
}

/** Triggers an event. @returns the printed id */
async function trigger({ run }: { run: (...words: string[]) => ReturnType<typeof runRemit> }, ...words: string[]) {
  const { code, stdout, stderr } = await run('trigger', ...words)
  assert.equal(code, 0, stderr)
  const [, id] = new RegExp(`^${words[0]} {2}([0-9a-f]{32})\\n$`).exec(stdout) ?? []
  assert.ok(id, stdout)
  return id
}

const standardWebhook = ({ webhook_key }: FirstOwnerFile) =>
  new Webhook(`whsec_${Buffer.from(webhook_key).toString('base64')}`)

const until = (isTrue: () => Promise<boolean>): Promise<void> => waitUntil(`${isTrue}`, isTrue)

const openListeners = async (sql: Pool): Promise<number> => {
  const rows = await sql`select id from endpoints where kind = 'listener' and removed_at is null`
  return rows.length
}

suite('remit listen', async () => {
  const sandbox = await startSandbox()
  const { home, sql, first, owner } = sandbox

  const listenTo = async (t: TestContext, url: string, ...more: string[]) => {
    const listening = startCommand(t, ['listen', '--forward-to', url, ...more], { cwd: home })
    await listening.waitFor('Ready: ')
    return listening
  }

  test('a triggered event arrives as at a URL of the settings, in order, and a line reports it', async (t) => {
    const [receiver, settings] = [await startReceiver(t), await startReceiver(t)]
    await setWebhook(owner, settings.url)
    const listening = await listenTo(t, receiver.url)
    const id = await trigger(sandbox, 'payment.paid')
    await listening.waitFor('  PAID  ')
    await settings.waitFor(2)
    await setWebhook(owner, null)

    const received = receiver.received.filter(({ body }) => body.includes(id))
    const asUsual = settings.received.filter(({ body }) => body.includes(id))
    assert.deepEqual(
      received.map(({ body }) => body),
      ['IN_PROCESS', 'PAID'].map((status) => JSON.stringify({ id, status, type: 'CHECK', deposit_option: 'ACH' })),
    )
    assert.deepEqual(
      received.map(({ body }) => body),
      asUsual.map(({ body }) => body),
    )
    for (const [index, { headers, body }] of received.entries()) {
      assert.deepEqual(Object.keys(headers).sort(), Object.keys(asUsual[index]?.headers ?? {}).sort())
      for (const name of ['content-type', 'user-agent', 'webhook-id', 'content-length']) {
        assert.equal(headers[name], asUsual[index]?.headers[name], name)
      }
      assert.ok(isAuthentic({ headers, body }, first.webhook_key))
      assert.ok(standardWebhook(first).verify(body, headers as Record<string, string>))
    }

    const lines = listening.lines().filter((line) => line.includes(id))
    assert.equal(lines.length, 2)
    assert.match(
      lines[0] as string,
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}CHECK {2}IN_PROCESS +${id} {2}→ 200 {2}\\d+ ms$`),
    )
    assert.match(lines[1] as string, new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}CHECK {2}PAID +${id} {2}→ 200 {2}\\d+ ms$`))
    assert.equal(
      listening.stderr(),
      `Ready: events of ${first.base_url} go to ${receiver.url}. Press Ctrl-C to stop.\n` +
        'Events are signed with the webhook_key in .remit/sandbox.json.\n',
    )
    assert.equal(await listening.end('SIGINT'), 0)
  })

  test('SIGTERM removes the listener, also if the terminal sends another signal at the same time', async (t) => {
    const receiver = await startReceiver(t)
    const before = await openListeners(sql)
    const listening = await listenTo(t, receiver.url)
    assert.equal(await openListeners(sql), before + 1)
    void listening.end('SIGINT')
    assert.equal(await listening.end(), 0)
    assert.equal(await openListeners(sql), before)
  })

  test('while no server listens at the local address, the output reports it, and the retry arrives', async (t) => {
    const port = await freePort()
    const listening = await listenTo(t, `localhost:${port}/hook`, '--events', 'CHECK')
    const id = await trigger(sandbox, 'payment.void')
    await listening.waitFor(`${id}  → connection refused: nothing listens there, again in 30 s\n`)
    await until(async () => (await sql`select from delivery_attempts where outcome = 'unreachable'`).length === 1)

    const bodies: string[] = []
    const server = createServer((request, response) => {
      request.on('data', (chunk) => bodies.push(String(chunk))).on('end', () => response.end('thank you'))
    }).listen(port, 'localhost')
    t.after(() => server.close())
    assert.equal((await owner.put('/v3/sandbox/clock', { advance: 'PT30S' })).status, 200)
    await listening.waitFor(`${id}  → 200`)
    assert.deepEqual(
      bodies.map((body) => JSON.parse(body)),
      [{ id, status: 'VOID', type: 'CHECK' }],
    )
    await until(
      async () => (await sql`select from deliveries where subject_id = ${id} and attempt_count = 2`).length === 1,
    )
    const attempts = await sql`
      select number, outcome, http_status, error, request_headers::json ->> 'content-type' as type, response_body
      from delivery_attempts
      where event_id = (select id from events where subject_id = ${id})
      order by number
    `
    const type = 'application/json'
    const refused = 'connection refused: nothing listens there'
    assert.deepEqual(
      [...attempts],
      [
        { number: 1, outcome: 'unreachable', httpStatus: null, error: refused, type, responseBody: Buffer.alloc(0) },
        {
          number: 2,
          outcome: 'acknowledged',
          httpStatus: 200,
          error: null,
          type,
          responseBody: Buffer.from('thank you'),
        },
      ],
    )
    assert.equal(await listening.end(), 0)
  })

  test('while the service is unreachable, the command reports it once and continues with the same listener', async (t) => {
    const receiver = await startReceiver(t)
    const listening = await listenTo(t, receiver.url)
    const listeners = await sql`select id from endpoints where kind = 'listener' and removed_at is null`
    const { code, stderr } = await sandbox.stop()
    assert.equal(code, 0, stderr)
    await listening.waitFor('does not respond')
    await sandbox.start()
    const id = await trigger(sandbox, 'payment.mailed')
    await listening.waitFor(`Reconnected to ${first.base_url}.`)
    await listening.waitFor(`  MAILED  `)
    assert.deepEqual(await sql`select id from endpoints where kind = 'listener' and removed_at is null`, listeners)

    await sandbox.stop('SIGKILL')
    await listening.waitFor('does not respond', 2)
    await sandbox.start()
    const later = await trigger(sandbox, 'payment.expired')
    await listening.waitFor('  EXPIRED  ')
    const told = receiver.events().filter((event) => event.id === id || event.id === later)
    assert.deepEqual(
      told.map(({ status }) => status),
      ['IN_PROCESS', 'MAILED', 'EXPIRED'],
    )
    assert.equal(listening.stderr().match(/does not respond \(\w+\)\. Retrying\.\n/g)?.length, 2)
    assert.equal(await listening.end(), 0)
  })

  test('in CI: JSON lines, and exit code 0 after the given number of events, or 1 if it was ended earlier', async (t) => {
    const receiver = await startReceiver(t)
    const args = ['--events', 'CHECK', '--json', '--limit', '2']
    const [listening, waiting] = [await listenTo(t, receiver.url, ...args), await listenTo(t, receiver.url, ...args)]
    await waiting.end()
    assert.equal(await waiting.exited, 1)
    const id = await trigger(sandbox, 'payment.failed', '--return-code', 'R03')
    assert.equal(await listening.exited, 0)
    const events = listening.lines().map((line) => JSON.parse(line))
    assert.deepEqual(
      events.map(({ date, event, duration_ms, headers, ...rest }) => rest),
      ['IN_PROCESS', 'FAILED'].map((status) => ({
        attempt: 1,
        outcome: 'acknowledged',
        status: 200,
        error: null,
        retry_seconds: null,
        body: JSON.stringify({ id, status, type: 'CHECK', deposit_option: 'ACH' }),
      })),
    )
    for (const { body, headers } of events) assert.ok(isAuthentic({ headers, body }, first.webhook_key))
    const deliveries = await sql`select status from deliveries where subject_id = ${id}`
    assert.deepEqual([...deliveries], [{ status: 'DELIVERED' }, { status: 'DELIVERED' }])
  })

  test('a receiver that does not answer one event still gets the others', async (t) => {
    const receiver = await startReceiver(t)
    const listening = await listenTo(t, receiver.url, '--events', 'CHECK')
    receiver.answer = null
    const unanswered = await trigger(sandbox, 'payment.paid')
    await receiver.waitFor(1)
    receiver.answer = 200
    const answered = await trigger(sandbox, 'payment.void')
    await listening.waitFor(`${answered}  → 200`)
    // On a busy machine, the first one has its time-out before. Then the next event of its payment follows.
    assert.deepEqual(
      receiver
        .events()
        .filter(({ status }) => status !== 'PAID')
        .map(({ id, status }) => [id, status]),
      [
        [unanswered, 'IN_PROCESS'],
        [answered, 'VOID'],
      ],
    )
    await until(
      async () =>
        (await sql`select from deliveries where subject_id = ${answered} and status = 'DELIVERED'`).length === 1,
    )
    assert.equal(await listening.end(), 0)
  })

  test('an answer that is not 2xx is printed with its status; --quiet prints nothing else', async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer = 500
    const before = await openListeners(sql)
    const listening = startCommand(t, ['listen', '--forward-to', receiver.url, '--quiet'], { cwd: home })
    await until(async () => (await openListeners(sql)) === before + 1)
    const id = await trigger(sandbox, 'payment.printed')
    await listening.waitFor(/→ 500 {2}\d+ ms, again in 30 s\n/)
    receiver.answer = 204
    await trigger(sandbox, 'user.verified')
    await receiver.waitFor(2)
    assert.equal(await listening.end(), 0)
    assert.deepEqual(
      listening.lines().map((line) => line.includes(id)),
      [true],
    )
    assert.equal(listening.stderr(), '')
  })

  const dataDir = join(home, '.remit')
  const url = 'http://localhost:3000/hook'
  const refused: Record<string, [args: string[], says: string | RegExp]> = {
    'listening for nobody': [['listen'], 'remit listen needs --forward-to http://localhost:PORT/PATH.'],
    'a URL that is not of the web': [
      ['listen', '--forward-to', 'ftp://localhost/'],
      '--forward-to must be an http or https URL without a username.',
    ],
    'a URL with a password': [
      ['listen', '--forward-to', 'http://me:mine@localhost:3000/'],
      '--forward-to must be an http or https URL without a username.',
    ],
    'an unknown type of event': [
      ['listen', '--forward-to', url, '--events', 'CHECK,PAYMENT'],
      '--events must be a list of CHECK, INVOICE, BANK, USER, PREFUND_ACCOUNT, CHECKBOOK, SUBSCRIPTION, MAIL.',
    ],
    'a limit of nothing': [
      ['listen', '--forward-to', url, '--limit', '0'],
      '--limit must be a whole number of at least 1.',
    ],
    'an unknown flag': [
      ['listen', '--forward-to', url, '--foward-to'],
      /^error: unknown option '--foward-to'\n\(Did you mean --forward-to\?\)\nRun remit listen --help/,
    ],
    'a folder without a sandbox': [
      ['listen', '--forward-to', url, '--data-dir', '/nowhere'],
      'There is no sandbox in this folder (/nowhere/sandbox.json). Start one with "npm start", run remit login, or set --base-url, REMIT_KEY and REMIT_SECRET.',
    ],
    'another service than the one in the file, which does not get the key': [
      ['listen', '--forward-to', url, '--data-dir', dataDir, '--base-url', 'http://localhost:3000'],
      `${dataDir}/sandbox.json belongs to ${first.base_url}. For http://localhost:3000, set REMIT_KEY and REMIT_SECRET.`,
    ],
    'a base URL with a path': [
      ['listen', '--forward-to', url, '--base-url', 'http://localhost:4000/v3'],
      '--base-url must be http://HOST or https://HOST, without a path.',
    ],
    'an unknown event': [
      ['trigger', 'payment.late'],
      /^Unknown event "payment\.late"\. Choose one of these:\n\n {2}payment\.in_process /,
    ],
    'an unknown return code': [
      ['trigger', 'payment.failed', '--return-code', 'R99'],
      /^--return-code must be one of R01, /,
    ],
    'a return code without a failure': [
      ['trigger', 'payment.paid', '--return-code', 'R01'],
      '--return-code works only with payment.failed and payment.refunded.',
    ],
  }
  for (const [what, [args, says]] of Object.entries(refused)) {
    test(`${what} is refused with a sentence and exit code 1`, async (t) => {
      const print = t.mock.method(console, 'error', () => {})
      assert.equal(await main(args), 1)
      const line = print.mock.calls.map((call) => call.arguments[0]).join('\n')
      if (typeof says === 'string') assert.equal(line, says)
      else assert.match(line, says)
    })
  }

  test('a wrong secret, half a credential and an unreachable service: a sentence, and exit code 1', async () => {
    const listen = (env: Record<string, string>, ...more: string[]) =>
      runRemit(['listen', '--forward-to', url, ...more], { home, env })
    const credential = { REMIT_KEY: first.key, REMIT_SECRET: first.secret }
    const nobody = `http://localhost:${await freePort()}`
    const exits = await Promise.all([
      listen({ ...credential, REMIT_SECRET: 'A'.repeat(40) }),
      listen({ REMIT_KEY: first.key }),
      listen(credential, '--base-url', nobody),
    ])
    assert.deepEqual(
      exits.map(({ code, stdout, stderr }) => [code, stdout, stderr]),
      [
        [1, '', `${first.base_url} does not accept REMIT_KEY and REMIT_SECRET. Check the key and its secret.\n`],
        [1, '', 'REMIT_KEY and REMIT_SECRET must be set together.\n'],
        [1, '', `${nobody} does not respond (ECONNREFUSED). Start the service with "npm start".\n`],
      ],
    )
  })

  test('remit trigger without a name lists all triggers', async (t) => {
    const print = t.mock.method(console, 'log', () => {})
    assert.equal(await main(['trigger']), 0)
    const names = String(print.mock.calls[0]?.arguments[0]).matchAll(/^ {2}(\w+\.\w+) {2,}\S/gm)
    assert.deepEqual(
      [...names].map(([, name]) => name),
      Object.keys(triggered),
    )
  })
})

/** The last event of each trigger. */
const triggered: Record<string, object> = {
  'payment.in_process': { type: 'CHECK', status: 'IN_PROCESS' },
  'payment.paid': { type: 'CHECK', status: 'PAID' },
  'payment.failed': { type: 'CHECK', status: 'FAILED' },
  'payment.refunded': { type: 'CHECK', status: 'REFUNDED' },
  'payment.printed': { type: 'CHECK', status: 'PRINTED' },
  'payment.mailed': { type: 'CHECK', status: 'MAILED' },
  'payment.void': { type: 'CHECK', status: 'VOID' },
  'payment.expired': { type: 'CHECK', status: 'EXPIRED' },
  'bank.pending': { type: 'BANK', status: 'PENDING' },
  'bank.verified': { type: 'BANK', status: 'VERIFIED' },
  'user.pending': { type: 'USER', status: 'PENDING' },
  'user.verified': { type: 'USER', status: 'VERIFIED' },
  'user.suspended': { type: 'USER', status: 'SUSPENDED' },
  'user.closed': { type: 'USER', status: 'CLOSED' },
  'wallet.funded': { type: 'PREFUND_ACCOUNT', balance: 100 },
}

type Handed = {
  event: string
  attempt: number
  retry_seconds: number | null
  headers: Record<string, string>
  body: string
}

/** A listener as a program uses it. */
async function newListener(owner: Api, event_types?: string[]) {
  const { status, body, text } = await owner.post('/v3/webhook/listener', event_types ? { event_types } : {})
  assert.equal(status, 201, text)
  const path = `/v3/webhook/listener/${body.id}`
  return {
    path,
    poll: async (results: object[] = [], wait_seconds = 0, holding: string[] = []): Promise<Handed[]> => {
      const answer = await owner.post(path, { results, wait_seconds, holding })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.deliveries
    },
  }
}

const acknowledged = ({ event, attempt }: Handed) => ({ event, attempt, outcome: 'acknowledged', duration_ms: 1 })
const statuses = (handed: Handed[]) => handed.map(({ body }) => JSON.parse(body).status)

suite('/v3/webhook/listener', async () => {
  const realClock = { ms: Date.parse('2026-03-02T15:00:00Z') }
  const clock: Clock = { now: () => new Date(realClock.ms) }
  const service: TestService = await startTestService(lifetime, { realClock: clock })
  const { deps, newOwner, newUser } = service

  test('a listener gets events of its types from its creation on', async () => {
    const { api: owner } = await newOwner()
    const sender = await newSender(service, owner)
    await triggerStatus(sender, (await sendPayment(sender)).id, 'VOID')
    const [all, banks] = [await newListener(owner), await newListener(owner, ['BANK'])]
    assert.deepEqual([await all.poll(), await banks.poll()], [[], []])
    await triggerStatus(sender, (await sendPayment(sender)).id, 'EXPIRED')
    await newSender(service, owner)
    assert.deepEqual(statuses(await all.poll()), ['EXPIRED', 'PENDING'])
    assert.deepEqual(statuses(await banks.poll()), ['PENDING'])
  })

  test('the events of one payment are returned in order, and those of several payments at once', async () => {
    const { api: owner, webhookKey } = await newOwner()
    const sender = await newSender(service, owner)
    const listener = await newListener(owner)
    const ids = [(await sendPayment(sender)).id, (await sendPayment(sender)).id]
    for (const id of ids) await triggerStatus(sender, id, 'PAID')
    const first = await listener.poll()
    assert.deepEqual(
      first.map(({ body }) => JSON.parse(body)),
      ids.map((id) => ({ id, status: 'IN_PROCESS', type: 'CHECK', deposit_option: 'ACH' })),
    )
    for (const { headers, body, attempt, retry_seconds } of first) {
      assert.deepEqual([attempt, retry_seconds], [1, 30])
      assert.ok(isAuthentic({ headers, body }, webhookKey))
    }
    assert.deepEqual(statuses(await listener.poll()), ['IN_PROCESS', 'IN_PROCESS'], 'without a result: once more')
    const [one, other] = first as [Handed, Handed]
    const meanwhile = await listener.poll([acknowledged(other)], 0, [one.event])
    assert.deepEqual(statuses(meanwhile), ['PAID'], 'held events and their followers can wait')
    const second = await listener.poll([acknowledged(one)])
    assert.deepEqual(statuses(second), ['PAID', 'PAID'])
    assert.deepEqual(await listener.poll(second.map(acknowledged)), [])
  })

  test('a failed attempt is repeated on the schedule, and a duplicate result is recorded once', async () => {
    const { api: owner } = await newOwner()
    const sender = await newSender(service, owner)
    const listener = await newListener(owner)
    await triggerStatus(sender, (await sendPayment(sender)).id, 'VOID')
    const [handed] = (await listener.poll()) as [Handed]
    const failed = { event: handed.event, attempt: 1, outcome: 'timed_out', duration_ms: 10_000, error: 'too slow' }
    assert.deepEqual(await listener.poll([failed, failed]), [])
    assert.deepEqual(await listener.poll([failed]), [])
    service.clock.advance(19)
    assert.deepEqual(await listener.poll(), [], 'from the start of one attempt to the next')
    service.clock.advance(1)
    const [again] = (await listener.poll()) as [Handed]
    assert.deepEqual([again.event, again.attempt, again.retry_seconds], [handed.event, 2, 60])
    assert.deepEqual(
      await listener.poll([failed]).then(statuses),
      ['VOID'],
      'a result of the first attempt does not count for the second',
    )
    await listener.poll([{ ...acknowledged(again), status: 201, headers: again.headers, response_body: 'b2s=' }])
    const attempts = await deps.sql`
      select number, outcome, http_status, error, duration_ms, response_body
      from delivery_attempts
      where event_id = ${handed.event}
      order by number
    `
    assert.deepEqual(
      [...attempts],
      [
        {
          number: 1,
          outcome: 'timed_out',
          httpStatus: null,
          error: 'too slow',
          durationMs: 10_000,
          responseBody: Buffer.alloc(0),
        },
        {
          number: 2,
          outcome: 'acknowledged',
          httpStatus: 201,
          error: null,
          durationMs: 1,
          responseBody: Buffer.from('ok'),
        },
      ],
    )
  })

  test('a poll waits for an event, and ends when another poll begins', async () => {
    const { api: owner } = await newOwner()
    const sender = await newSender(service, owner)
    const listener = await newListener(owner)
    const replaced = listener.poll([], 30)
    await until(
      async () =>
        (
          await deps.sql`select from endpoints where ${listener.path} like '%' || replace(id::text, '-', '') and leased_by is not null`
        ).length === 1,
    )
    const waiting = listener.poll([], 30)
    assert.deepEqual(await replaced, [])
    await triggerStatus(sender, (await sendPayment(sender)).id, 'VOID')
    assert.deepEqual(statuses(await waiting), ['VOID'])
  })

  test('a waiting poll holds no database connection', async () => {
    const { id: platformId, api: owner } = await newOwner()
    const listeners = await Promise.all(Array.from({ length: 30 }, () => newListener(owner)))
    const waiting = listeners.map((listener) => listener.poll([], 30))
    const isWaiting = deps.sql`leased_by is not null and platform_id = ${platformId}`
    await until(async () => (await deps.sql`select from endpoints where ${isWaiting}`).length === 30)
    await Promise.all(
      Array.from({ length: 30 }, () => owner.get('/v3/user').then(({ status }) => assert.equal(status, 200))),
    )
    await Promise.all(listeners.map(({ path }) => owner.del(path).then(({ status }) => assert.equal(status, 200))))
    assert.deepEqual(
      await Promise.all(waiting),
      listeners.map(() => []),
    )
  })

  test('when a listener is removed, its pending deliveries fail and it no longer exists', async () => {
    const { api: owner } = await newOwner()
    const sender = await newSender(service, owner)
    const { path } = await newListener(owner)
    const { id } = await sendPayment(sender)
    await triggerStatus(sender, id, 'VOID')
    assert.deepEqual((await owner.del(path)).body, {})
    const deliveries = await deps.sql`select status from deliveries where subject_id = ${id}`
    assert.deepEqual([...deliveries], [{ status: 'FAILED' }])
    for (const answer of [await owner.post(path, { results: [] }), await owner.del(path)]) {
      assert.deepEqual([answer.status, answer.body.code], [404, 'listener_not_found'])
    }
  })

  test('a listener that has not polled for an hour is removed', async () => {
    const { api: owner } = await newOwner()
    const [silent, polling] = [await newListener(owner), await newListener(owner)]
    await sweepListeners(deps)
    realClock.ms += SILENCE_MS - 1_000
    await polling.poll()
    realClock.ms += 2_000
    assert.ok((await sweepListeners(deps)) > 0)
    assert.equal((await owner.post(silent.path, { results: [] })).body.code, 'listener_not_found')
    assert.deepEqual(await polling.poll(), [])
  })

  test('an owner has at most 50 listeners', async () => {
    const { api: owner } = await newOwner()
    for (let count = 0; count < 50; count++) await newListener(owner)
    const answer = await owner.post('/v3/webhook/listener', {})
    assert.deepEqual([answer.status, answer.body.code], [400, 'listener_limit_reached'])
  })

  test('only its owner can use a listener', async () => {
    const [{ api: owner }, { api: other }] = [await newOwner(), await newOwner()]
    const { path, poll } = await newListener(owner)
    const user = await newUser(undefined, owner)
    for (const ask of [(api: Api) => api.post(path, { results: [] }), (api: Api) => api.del(path)]) {
      assert.equal((await ask(other)).body.code, 'listener_not_found')
      assert.equal((await ask(user)).body.code, 'owner_only')
      assert.equal((await ask(service.as(''))).body.code, 'unauthorized')
    }
    assert.equal((await user.post('/v3/webhook/listener', {})).body.code, 'owner_only')
    assert.deepEqual(await poll(), [])
  })

  test('a caller who cannot read payments gets no full bodies', async () => {
    const { api: owner, id } = await newOwner()
    const caller: Caller = {
      ...{ platformId: id, userId: id, isOwner: true, permissions: new Set<Permission>(['developers']) },
      ...{ credential: { kind: 'api_key', id }, origin: { address: '127.0.0.1', userAgent: null } },
    }
    const ask = async (body_format: string) => {
      const listener = await owner.post('/v3/webhook/listener', { body_format })
      assert.equal(listener.status, 201, listener.text)
      const poll = { listenerId: listener.body.id, results: [], holding: [], waitSeconds: 0 }
      return pollListener(deps, caller, { ...poll, wakeups: createWakeups(), isGone: () => false })
    }
    assert.deepEqual(await ask('THIN'), [])
    await assert.rejects(ask('FULL'), { code: 'permission_denied' })
  })

  test('listeners do not exist in production', async (t) => {
    const production = await startTestService(t, { environment: 'production' })
    const answer = await production.owner.post('/v3/webhook/listener', {})
    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'])
  })

  for (const words of [
    ['trigger', 'payment.paid'],
    ['trigger', 'bank.verified'],
    ['listen', '--forward-to', 'http://localhost:3000/hook'],
  ]) {
    test(`remit ${words[0]} ${words.at(-1)} creates nothing in production, and explains it`, async (t) => {
      const production = await startTestService(t, { environment: 'production' })
      const [REMIT_KEY, REMIT_SECRET] = production.owner.credential.split(':') as [string, string]
      const home = await temporaryFolder(t)
      const before = await rowCounts(production.deps.sql)
      const { code, stdout, stderr } = await runRemit([...words, '--base-url', production.baseUrl], {
        home,
        env: { REMIT_KEY, REMIT_SECRET },
      })
      const says = `${production.baseUrl} is production, but remit ${words[0]} works only with sandbox and demo.\n`
      assert.deepEqual([code, stdout, stderr], [1, '', says])
      assert.deepEqual(await rowCounts(production.deps.sql), before)
    })
  }

  for (const [name, last] of Object.entries(triggered)) {
    test(`remit trigger ${name} creates that event, and reuses the same users`, async (t) => {
      const dataDir = await temporaryFolder(t)
      await writeFirstOwner(deps, { dataDir, baseUrl: service.baseUrl, databaseUrl: service.databaseUrl })
      const first = await readFirstOwner(dataDir)
      for (const secret of [first.secret, first.password, first.webhook_key]) service.secrets.add(secret)
      const listener = await newListener(service.as(`${first.key}:${first.secret}`))
      const print = t.mock.method(console, 'log', () => {})
      for (let round = 0; round < 2; round++) {
        assert.equal(await runTrigger({ dataDir: dataDir, json: true }, [name]), 0)
      }
      const ids = print.mock.calls.map(({ arguments: [line] }) => JSON.parse(line as string).id)
      const events: { id: string }[] = []
      for (
        let handed = await listener.poll();
        handed.length > 0;
        handed = await listener.poll(handed.map(acknowledged))
      ) {
        events.push(...handed.map(({ body }) => JSON.parse(body)))
      }
      for (const id of ids) {
        const { deposit_option, ...event } = events.findLast((one) => one.id === id) as Record<string, unknown>
        assert.deepEqual(event, { id, ...last })
      }
      const users =
        await deps.sql`select id from users where platform_id = (select platform_id from api_keys where key = ${first.key}) and external_id like 'trigger-%'`
      assert.equal(users.length, 2)
    })
  }
})
