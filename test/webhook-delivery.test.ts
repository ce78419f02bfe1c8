import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { after, suite, type TestContext, test } from 'node:test'
import { freePort } from '../packages/embedded-postgres/src/embedded-port.ts'
import { createCourier, deliverDueWebhooks, endCourier } from '../src/webhook/delivery/webhook-worker.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { startTestService } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'
import {
  attemptsOf,
  deliveryStatuses,
  isAuthentic,
  newSender,
  readWebhookKey,
  type Sender,
  setWebhook,
  startTcpReceiver,
} from './support/webhooks.ts'

// The retries of a webhook, and the answers that count as success (specification.md 7.2).

const service = await startTestService({ after })
const { sql } = service.deps

/** A sender with one event that is due for a URL. */
async function newEventFor(url: string): Promise<Sender> {
  const sender = await newSender(service)
  await setWebhook(sender, url)
  await triggerStatus(sender, (await sendPayment(sender)).id, 'IN_PROCESS')
  return sender
}

async function onlyAttemptOf(sender: Sender) {
  const [attempt, ...others] = await attemptsOf(sql, sender.id)
  assert.ok(attempt)
  assert.equal(others.length, 0)
  return attempt
}

suite('retries', () => {
  const ATTEMPTS_AT = [0, 30, 90, 210, 450, 930, 1_890, 3_810, 7_650, 15_330, 30_690, 61_410]

  test('a late retry has the smaller number and the time of its event, so that receivers can recognize an old status', async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer = 500
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    const { id } = await sendPayment(sender)
    await triggerStatus(sender, id, 'IN_PROCESS')
    await service.deliverWebhooks()
    const begin = service.clock.now()
    receiver.answer = 200
    service.clock.advance(10)
    await triggerStatus(sender, id, 'PAID')
    await service.deliverWebhooks()
    service.clock.advance(30)
    await service.deliverWebhooks()
    const seen = receiver.received.map(({ headers, body }) => ({
      status: JSON.parse(body).status,
      time: headers['webhook-event-time'],
      sequence: Number(headers['webhook-sequence']),
    }))
    assert.deepEqual(
      seen.map(({ status }) => status),
      ['IN_PROCESS', 'PAID', 'IN_PROCESS'],
    )
    const [first, newer, late] = seen as [(typeof seen)[0], (typeof seen)[0], (typeof seen)[0]]
    assert.deepEqual(late, first)
    assert.ok(first.sequence < newer.sequence, JSON.stringify(seen))
    assert.equal(first.time, `${begin.toISOString().slice(0, 19)}Z`)
  })

  test('a receiver that always answers 500 sees twelve POSTs, at 0, 30, 90, 210, 450 … 61,410 s, and no more', async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer = 500
    const begin = service.clock.now().getTime()
    const sender = await newEventFor(receiver.url)
    for (const [index, seconds] of ATTEMPTS_AT.entries()) {
      const elapsed = (service.clock.now().getTime() - begin) / 1000
      if (seconds > 0) {
        service.clock.advance(seconds - elapsed - 1)
        await service.deliverWebhooks()
        assert.equal(receiver.received.length, index, `one second before ${seconds} s`)
        service.clock.advance(1)
      }
      assert.deepEqual(await deliveryStatuses(sql, sender.id), ['PENDING'])
      await service.deliverWebhooks()
      assert.equal(receiver.received.length, index + 1, `at ${seconds} s`)
    }
    assert.deepEqual(await deliveryStatuses(sql, sender.id), ['FAILED'])
    service.clock.advance(60 * 24 * 60 * 60)
    await service.deliverWebhooks()
    assert.equal(receiver.received.length, 12)

    const attempts = await attemptsOf(sql, sender.id)
    assert.deepEqual(
      attempts.map(({ number, startedAt }) => [number, (startedAt.getTime() - begin) / 1000]),
      ATTEMPTS_AT.map((seconds, index) => [index + 1, seconds]),
    )
    for (const { outcome, httpStatus, durationMs, error } of attempts) {
      assert.deepEqual([outcome, httpStatus, error], ['rejected', 500, null])
      assert.ok(durationMs >= 0)
    }
    const key = await readWebhookKey(sender)
    assert.ok(receiver.received.every((received) => isAuthentic(received, key)))
  })

  test('a receiver that accepts the last attempt has received the webhook', async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer = 503
    const sender = await newEventFor(receiver.url)
    await service.deliverWebhooks()
    for (const [index, seconds] of ATTEMPTS_AT.slice(1).entries()) {
      if (seconds === ATTEMPTS_AT.at(-1)) receiver.answer = 204
      service.clock.advance(seconds - (ATTEMPTS_AT[index] as number))
      await service.deliverWebhooks()
    }
    assert.equal(receiver.received.length, 12)
    assert.deepEqual(await deliveryStatuses(sql, sender.id), ['DELIVERED'])
    const attempts = await attemptsOf(sql, sender.id)
    assert.deepEqual([attempts.at(-1)?.outcome, attempts.at(-1)?.httpStatus], ['acknowledged', 204])
  })

  test('a late worker counts the next delay from the start of the attempt, and skips no delay', async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer = 500
    const sender = await newEventFor(receiver.url)
    await service.deliverWebhooks()
    service.clock.advance(10_000)
    await service.deliverWebhooks()
    await service.deliverWebhooks()
    service.clock.advance(59)
    await service.deliverWebhooks()
    assert.equal(receiver.received.length, 2)
    service.clock.advance(1)
    await service.deliverWebhooks()
    assert.equal(receiver.received.length, 3)
    await setWebhook(sender, null)
  })
})

suite('answers', () => {
  for (const status of [200, 201, 202, 204, 299]) {
    test(`${status} acknowledges`, async (t) => {
      const receiver = await startReceiver(t)
      receiver.answer = status
      const sender = await newEventFor(receiver.url)
      await service.deliverWebhooks()
      assert.deepEqual(await deliveryStatuses(sql, sender.id), ['DELIVERED'])
      const { outcome, httpStatus, number } = await onlyAttemptOf(sender)
      assert.deepEqual([outcome, httpStatus, number], ['acknowledged', status, 1])
    })
  }

  for (const status of [304, 400, 401, 404, 410, 429, 500, 503]) {
    test(`${status} is a failed attempt, which is repeated`, async (t) => {
      const receiver = await startReceiver(t)
      receiver.answer = status
      const sender = await newEventFor(receiver.url)
      await service.deliverWebhooks()
      const { outcome, httpStatus } = await onlyAttemptOf(sender)
      assert.deepEqual([outcome, httpStatus], ['rejected', status])
      receiver.answer = 200
      service.clock.advance(30)
      await service.deliverWebhooks()
      assert.deepEqual(await deliveryStatuses(sql, sender.id), ['DELIVERED'])
    })
  }

  for (const status of [301, 302, 303, 307, 308]) {
    test(`a redirect with ${status} is a failed attempt and is not followed`, async (t) => {
      const [receiver, target] = [await startReceiver(t), await startReceiver(t)]
      receiver.answer = (response) => response.writeHead(status, { location: target.url }).end()
      const sender = await newEventFor(receiver.url)
      await service.deliverWebhooks()
      const { outcome, httpStatus } = await onlyAttemptOf(sender)
      assert.deepEqual([outcome, httpStatus], ['rejected', status])
      assert.equal(target.received.length, 0)
      await setWebhook(sender, null)
    })
  }

  const OK = 'HTTP/1.1 200 OK\r\n'
  const raw: [name: string, bytes: string | null, outcome: string, httpStatus: number | null][] = [
    ['a connection that is closed at once', null, 'unreachable', null],
    ['a connection that is closed after half of the headers', `${OK}content-le`, 'unreachable', null],
    ['an answer that is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'unreachable', null],
    ['binary garbage', '\x16\x03\x01\0\0\xff\0', 'unreachable', null],
    ['a status that is not a number', 'HTTP/1.1 OK 200\r\n\r\n', 'unreachable', null],
    ['headers without end', `${OK}${'x: y\r\n'.repeat(20_000)}`, 'unreachable', null],
    ['a body that ends too early', `${OK}content-length: 100\r\n\r\nhalf`, 'acknowledged', 200],
    ['a body in broken chunks', `${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`, 'acknowledged', 200],
    [
      'a 200 after an early hint',
      `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}content-length: 0\r\n\r\n`,
      'acknowledged',
      200,
    ],
    ['HTTP/1.0 without a length', 'HTTP/1.0 200 OK\r\n\r\nthanks', 'acknowledged', 200],
  ]
  for (const [name, bytes, outcome, httpStatus] of raw) {
    test(`${name}: ${outcome}`, async (t) => {
      const url = await startTcpReceiver(t, (socket) => {
        if (bytes === null) socket.destroy()
        else socket.once('data', () => socket.end(bytes, 'latin1'))
      })
      const sender = await newEventFor(`http:${url}`)
      await service.deliverWebhooks()
      const attempt = await onlyAttemptOf(sender)
      assert.deepEqual([attempt.outcome, attempt.httpStatus], [outcome, httpStatus])
      assert.ok(outcome === 'acknowledged' ? attempt.error === null : attempt.error)
      await setWebhook(sender, null)
    })
  }

  test('a refused connection is a failed attempt, and a receiver that listens there later gets the webhook', async (t) => {
    const sender = await newEventFor(`http://127.0.0.1:${await freePort()}/hook`)
    await service.deliverWebhooks()
    const { outcome, error } = await onlyAttemptOf(sender)
    assert.deepEqual([outcome, error], ['unreachable', 'the connection was refused'])
    const receiver = await startReceiver(t)
    await setWebhook(sender, receiver.url)
    service.clock.advance(30)
    await service.deliverWebhooks()
    assert.deepEqual(await deliveryStatuses(sql, sender.id), ['DELIVERED'])
  })

  for (const [name, size] of [
    ['10 MB', 10_000_000],
    ['an endless stream', Number.POSITIVE_INFINITY],
  ] as const) {
    test(`an answer of ${name} causes no problem: the connection is closed after a little of it`, async (t) => {
      let sentBytes = 0
      const receiver = await startReceiver(t)
      receiver.answer = (response) => {
        response.writeHead(200)
        const chunk = Buffer.alloc(65_536)
        const send = () => {
          while (!response.destroyed && sentBytes < size) {
            sentBytes += chunk.length
            if (!response.write(chunk)) return response.once('drain', send)
          }
          return response.end()
        }
        send()
      }
      const sender = await newEventFor(receiver.url)
      await service.deliverWebhooks()
      assert.equal((await onlyAttemptOf(sender)).outcome, 'acknowledged')
      assert.ok(sentBytes < 8_000_000, `${sentBytes} bytes were taken`)
    })
  }

  test('a receiver without a valid certificate causes a failed attempt', async (t) => {
    const url = await startTcpReceiver(t, (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    const sender = await newEventFor(`https:${url}`)
    await service.deliverWebhooks()
    assert.equal((await onlyAttemptOf(sender)).outcome, 'unreachable')
    await setWebhook(sender, null)
  })
})

test('a host name with a private address gets nothing where webhooks may only go to public addresses', async (t) => {
  const connections: string[] = []
  const url = await startTcpReceiver(t, (socket) => connections.push(socket.remoteAddress ?? ''))
  const { port } = new URL(`https:${url}`)
  const settings = { ...service.deps.settings, allowsLocalWebhooks: false }
  const courier = createCourier('strict', settings)
  t.after(() => endCourier(courier))
  // The name of this machine is neither an IP address nor localhost. It has a private address or none.
  const sender = await newEventFor(`https://${hostname()}:${port}/hook`)
  await deliverDueWebhooks({ ...service.deps, settings }, courier)
  const attempt = await onlyAttemptOf(sender)
  assert.equal(attempt.outcome, 'unreachable')
  assert.equal(connections.length, 0)
  t.diagnostic(`${hostname()}: ${attempt.error}`)
  await setWebhook(sender, null)
})

suite('10 seconds', () => {
  test('is the time limit of a receiver, and other receivers do not wait for it', async (t) => {
    const drip = (text: string) => (socket: import('node:net').Socket) => {
      socket.once('data', () => {
        socket.write(text)
        const timer = setInterval(() => socket.write('x'), 200)
        socket.once('close', () => clearInterval(timer))
      })
    }
    const silent = () => {}
    let askedCount = 0
    const start = (treat: (socket: import('node:net').Socket) => void) =>
      startTcpReceiver(t, (socket) => {
        askedCount++
        treat(socket)
      })
    const urls = {
      neverAnswers: `http:${await start(silent)}`,
      neverFinishesHeaders: `http:${await start(drip('HTTP/1.1 200 OK\r\nx-slow: '))}`,
      neverShakesHands: `https:${await start(silent)}`,
      tricklesAfter200: `http:${await start(drip('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n'))}`,
      tricklesAfter500: `http:${await start(drip('HTTP/1.1 500 No\r\ncontent-length: 9999\r\n\r\n'))}`,
    }
    const expected: Record<keyof typeof urls, [outcome: string, httpStatus: number | null, status: string]> = {
      neverAnswers: ['timed_out', null, 'PENDING'],
      neverFinishesHeaders: ['timed_out', null, 'PENDING'],
      neverShakesHands: ['timed_out', null, 'PENDING'],
      tricklesAfter200: ['acknowledged', 200, 'DELIVERED'],
      tricklesAfter500: ['rejected', 500, 'PENDING'],
    }
    const senders = new Map<keyof typeof urls, Sender>()
    for (const [name, url] of Object.entries(urls) as [keyof typeof urls, string][]) {
      senders.set(name, await newEventFor(url))
    }
    const deliverBeside = await prepareBeside(t)
    let isOver = false
    const pass = service.deliverWebhooks().finally(() => {
      isOver = true
    })
    // Otherwise the other delivery could take some of these as well.
    await waitUntil('all receivers are asked', async () => askedCount === Object.keys(urls).length)
    await deliverBeside()
    assert.equal(isOver, false, 'others waited for those that do not answer')
    await pass
    for (const [name, sender] of senders) {
      const attempt = await onlyAttemptOf(sender)
      const [status] = await deliveryStatuses(sql, sender.id)
      assert.deepEqual([attempt.outcome, attempt.httpStatus, status], expected[name], name)
      t.diagnostic(`${name}: ${attempt.outcome} after ${attempt.durationMs} ms`)
      if (attempt.outcome === 'timed_out') {
        assert.match(attempt.error ?? '', /^no answer within 10 seconds \(.+\)$/)
      }
      await setWebhook(sender, null)
    }
  })

  /** Little is left to do within the 10 seconds. @returns delivers a webhook to another receiver */
  async function prepareBeside(t: TestContext) {
    const receiver: Receiver = await startReceiver(t)
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    const { id } = await sendPayment(sender)
    return async () => {
      await triggerStatus(sender, id, 'IN_PROCESS')
      await service.deliverWebhooks()
      assert.equal(receiver.received.length, 1)
    }
  }
})
