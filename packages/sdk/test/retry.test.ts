import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pauseMs } from '../src/core/retry.ts'
import {
  ApiError,
  ConflictError,
  ConnectionError,
  RateLimitError,
  type RequestEvent,
  type ResponseEvent,
  ServerError,
  TimeoutError,
} from '../src/index.ts'
import { faults, startFaultServer } from './support/fault-server.ts'

const order = { amount: 125.5, name: 'Bob Recipient', recipient: 'bob@example.com' }
const ID = '0123456789abcdef0123456789abcdef'

const keysOf = (received: readonly { headers: NodeJS.Dict<string | string[]> }[]) =>
  new Set(received.map(({ headers }) => headers['idempotency-key']))

describe('faults', { concurrency: true }, () => {
  for (const [name, options] of [
    ['resetBeforeCommit', {}],
    ['resetAfterCommit', {}],
    ['stillRunning', {}],
    ['rateLimited', {}],
    ['overloaded', {}],
    ['halfJson', {}],
    ['html502', {}],
    ['slowBody', { timeoutMs: 1_000 }],
    ['silence', { timeoutMs: 1_000 }],
  ] as const) {
    test(`${name}: a payment is sent again with the same key and body, and made once`, async (t) => {
      const server = await startFaultServer(t, faults[name])
      const { data, response } = await server.client(options).payments.sendDigital(order).withResponse()
      assert.deepEqual([data.id, response.status], ['payment-1', 201])
      // On a busy machine, a second answer can be late as well.
      assert.ok('timeoutMs' in options ? response.tries >= 2 : response.tries === 2, `${response.tries} tries`)
      const [first] = server.received
      assert.ok(server.received.length >= 2)
      assert.equal(server.payments.size, 1)
      assert.equal(keysOf(server.received).size, 1)
      assert.match(String(first?.headers['idempotency-key']), /^[0-9a-f-]{36}$/)
      assert.deepEqual(new Set(server.received.map(({ body }) => body)), new Set([JSON.stringify(order)]))
      // The first answer is read completely.
      await first?.closed
    })
  }

  test('the last error is thrown when there is no try left, with the key', async (t) => {
    const server = await startFaultServer(t, faults.stillRunning, faults.stillRunning)
    const error = await server
      .client({ retries: 1 })
      .payments.sendDigital(order)
      .catch((error: unknown) => error)
    assert.ok(error instanceof ConflictError)
    assert.equal(error.code, 'idempotency_key_in_use')
    assert.equal(error.requestId, 'request-1')
    assert.equal(error.idempotencyKey, server.received[0]?.headers['idempotency-key'])
    const payment = await server
      .client()
      .payments.sendDigital(order, { idempotencyKey: error.idempotencyKey as string })
    assert.equal(payment.id, 'payment-1')
    assert.equal(keysOf(server.received).size, 1)
  })

  test('retries: 0 sends a request once, for the client or for one call', async (t) => {
    const server = await startFaultServer(t, faults.resetAfterCommit, faults.overloaded)
    await assert.rejects(server.client({ retries: 0 }).payments.sendDigital(order), ConnectionError)
    await assert.rejects(server.client().payments.sendDigital(order, { retries: 0 }), ServerError)
    assert.equal(server.received.length, 2)
  })

  test('the key of the caller is sent with each try', async (t) => {
    const server = await startFaultServer(t, faults.resetAfterCommit)
    await server.client().payments.sendDigital(order, { idempotencyKey: 'order-42' })
    assert.deepEqual([...keysOf(server.received)], ['order-42'])
  })

  test('only operations that openapi.json calls safe are sent again', async (t) => {
    const server = await startFaultServer(t, faults.resetAfterCommit, faults.resetAfterCommit, faults.resetAfterCommit)
    const remit = server.client()
    await assert.rejects(remit.payments.void(ID), ConnectionError)
    await assert.rejects(remit.webhookEndpoints.test(ID), ConnectionError)
    assert.deepEqual(
      server.received.map(({ method }) => method),
      ['DELETE', 'POST'],
    )
    assert.equal(server.received[1]?.headers['idempotency-key'], undefined)
    await remit.banks.update(ID, { name: 'Payroll' })
    assert.equal(server.received.length, 4)
  })

  test('a redirect is not followed, because it would send the credential to another host', async (t) => {
    const server = await startFaultServer(t, faults.redirect)
    await assert.rejects(
      server.client().payments.sendDigital(order),
      /^ConnectionError: .*localhost:9, which is not followed/,
    )
    assert.equal(server.received.length, 1)
  })

  test('an answer that is not from Remit causes an error without a code, and its body is canceled', async (t) => {
    const server = await startFaultServer(t, faults.html502)
    const error = await server
      .client({ retries: 0 })
      .payments.sendDigital(order)
      .catch((error: unknown) => error)
    assert.ok(error instanceof ServerError)
    assert.deepEqual([error.status, error.code], [502, null])
    assert.doesNotMatch(error.message, /Gateway/)
    await server.received[0]?.closed
  })

  test('unused bodies are canceled at once, not when memory is freed', async (t) => {
    const server = await startFaultServer(t)
    for (const [status, headers] of [
      [502, { 'content-type': 'text/html' }],
      [307, { location: 'http://localhost:9/' }],
      [200, { 'content-type': 'text/html' }],
    ] as const) {
      let isCanceled = false
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('<h1>')),
        cancel: () => {
          isCanceled = true
        },
      })
      const fetch = async () => new Response(body, { status, headers })
      await assert.rejects(server.client({ retries: 0, fetch }).payments.sendDigital(order))
      assert.ok(isCanceled, `${status}`)
    }
  })

  test('an answer that takes too long is a TimeoutError, for one try and over all', async (t) => {
    const server = await startFaultServer(t, faults.slowBody, faults.silence, faults.silence)
    await assert.rejects(server.client({ timeoutMs: 100, retries: 0 }).payments.sendDigital(order), TimeoutError)
    await assert.rejects(server.client({ totalTimeoutMs: 100 }).payments.sendDigital(order), TimeoutError)
  })

  test('the client gives up at once if the service requests a longer pause than the remaining time', async (t) => {
    const server = await startFaultServer(t, faults.limitedForAnHour)
    await assert.rejects(server.client().payments.sendDigital(order), RateLimitError)
    assert.equal(server.received.length, 1)
  })

  test('a signal ends a try and a pause, and its reason is thrown', async (t) => {
    const server = await startFaultServer(t, faults.silence, faults.overloaded)
    const stopped = new Error('stopped by the caller')
    const during = new AbortController()
    const silent = server.client({ hooks: { onRequest: () => setImmediate(() => during.abort(stopped)) } })
    await assert.rejects(silent.payments.sendDigital(order, { signal: during.signal }), stopped)
    const between = new AbortController()
    const pausing = server.client({ hooks: { onResponse: () => setImmediate(() => between.abort(stopped)) } })
    await assert.rejects(pausing.payments.sendDigital(order, { signal: between.signal }), stopped)
    await assert.rejects(server.client().payments.list({}, { signal: AbortSignal.abort(stopped) }), stopped)
  })

  test('hooks see each try, but no credential, key, id, query or body', async (t) => {
    const server = await startFaultServer(t, faults.overloaded, faults.none, faults.none)
    const events: (RequestEvent | ResponseEvent)[] = []
    const note = (event: RequestEvent | ResponseEvent) => void events.push(event)
    const remit = server.client({ hooks: { onRequest: note, onResponse: note } })
    await remit.payments.sendDigital(order, { idempotencyKey: 'order-42' })
    await remit.payments.get(ID)
    const written = JSON.stringify(events)
    for (const secret of ['key-1', 'secret-1', 'order-42', 'Bob', 'bob@', ID])
      assert.ok(!written.includes(secret), secret)
    const [request, response] = events as [RequestEvent, ResponseEvent]
    const about = { operation: 'sendDigitalPayment', method: 'POST', path: '/v3/check/digital', attempt: 1 }
    assert.deepEqual(request, about)
    const { durationMs, retryInMs, ...rest } = response
    assert.deepEqual(rest, { ...about, status: 503, error: 'overloaded', requestId: 'request-1' })
    assert.ok(durationMs >= 0 && (retryInMs as number) > 0)
    assert.equal(events.length, 6)
  })
})

test('the pause grows, has jitter, and is at least as long as the service requests', () => {
  const asking = (retryAfter: string) => {
    const response = { status: 503, headers: new Headers({ 'retry-after': retryAfter }), requestId: null, tries: 1 }
    return new ApiError({ message: '', code: null, fields: {} }, response)
  }
  const longest = [1, 2, 3, 9].map((attempt) => pauseMs(null, { attempt, random: () => 1 }))
  assert.deepEqual(longest, [500, 1_000, 2_000, 8_000])
  assert.equal(pauseMs(null, { attempt: 3, random: () => 0 }), 1_000)
  assert.equal(pauseMs(asking('7'), { attempt: 1 }), 7_000)
  assert.ok(pauseMs(asking(new Date(Date.now() + 60_000).toUTCString()), { attempt: 1 }) > 50_000)
  assert.equal(pauseMs(asking('soon'), { attempt: 1, random: () => 1 }), 500)
})
