import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { changesSince, MAX_NAMED, toPollResult } from '../src/payments/payment/stream/stream-rules.ts'
import { type Browser, signIn } from './support/browser.ts'
import { newAccountHolder } from './support/oauth.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'

// GET /web/v1/stream: sends changes of payments to open pages.

const MAX_STREAMS = 4
const service = await startTestService({ after }, { settings: { maxStreams: MAX_STREAMS } })

type Event = { type: string; id: string | null }

const ask = ({ cookies }: Browser, platform: string, options: RequestInit = {}, { baseUrl } = service) =>
  fetch(`${baseUrl}/web/v1/stream?platform=${platform}`, {
    ...options,
    headers: { cookie: [...cookies].map(([name, { value }]) => `${name}=${value}`).join('; '), ...options.headers },
  })

/** Opens a stream. `next` waits for a message that is not a comment. It returns null if the stream has ended. */
async function open(browser: Browser, platform: string, at = service) {
  const canceled = new AbortController()
  const response = await ask(browser, platform, { signal: canceled.signal }, at)
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/event-stream'])
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const chunks = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function next(): Promise<string | null> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end === -1) {
        const { value, done } = await chunks.read()
        if (done) return null
        text += value
        continue
      }
      const message = text.slice(0, end)
      text = text.slice(end + 2)
      if (!message.startsWith(':')) return message
    }
  }
  return { next, cancel: () => canceled.abort() }
}

/** The next `count` events. */
async function events({ next }: { next(): Promise<string | null> }, count: number): Promise<Event[]> {
  const all: Event[] = []
  while (all.length < count) all.push(JSON.parse(((await next()) as string).replace(/^data: /, '')))
  return all
}

test('notifies only the members of the platform about new and changed payments', async () => {
  const [here, elsewhere] = [await newAccountHolder(service), await newAccountHolder(service)]
  const viewer = await newMember(service, here.id, 'viewer')
  const before = await sendPayment(here.api)
  const streams = [await open(here.browser, here.id), await open(viewer.browser, here.id)]
  const other = await open(elsewhere.browser, elsewhere.id)
  const theirs = await sendPayment(elsewhere.api)
  const { id } = await sendPayment(here.api)
  for (const stream of streams) {
    assert.deepEqual(await events(stream, 1), [{ type: 'payment.created', id }])
  }
  await triggerStatus(here.api, before.id, 'VOID')
  for (const stream of streams) {
    assert.deepEqual(await events(stream, 1), [{ type: 'payment.changed', id: before.id }])
  }
  assert.deepEqual(await events(other, 1), [{ type: 'payment.created', id: theirs.id }])
  for (const { cancel } of [...streams, other]) cancel()
})

test('notifies about payments from another platform and their changes', async () => {
  const [sender, recipient] = [await newAccountHolder(service), await newAccountHolder(service)]
  const stream = await open(recipient.browser, recipient.id)
  const { id } = await sendPayment(sender.api, { recipient: recipient.email })
  await service.applyOutbox()
  assert.deepEqual(await events(stream, 1), [{ type: 'payment.created', id }])
  await triggerStatus(sender.api, id, 'VOID')
  await service.applyOutbox()
  assert.deepEqual(await events(stream, 1), [{ type: 'payment.changed', id }])
  stream.cancel()
})

test('ends with its session, when the person leaves the platform, and when the browser opens another one', async () => {
  const { id, browser, email } = await newAccountHolder(service)
  const viewer = await newMember(service, id, 'viewer')
  const first = await open(browser, id)
  const second = await open(browser, id)
  assert.deepEqual([await first.next(), await first.next()], ['event: replaced\ndata: {}', null])
  const removed = await open(viewer.browser, id)
  assert.equal((await browser.del(`/web/v1/team/${viewer.loginId}`)).status, 200)
  assert.equal(await removed.next(), null)
  const elsewhere = await signIn(service, { email })
  const { sessions } = (await elsewhere.get('/web/v1/sessions')).body
  const { id: session } = sessions.find(({ is_this }: { is_this: boolean }) => !is_this)
  assert.equal((await elsewhere.del(`/web/v1/sessions/${session}`)).status, 200)
  assert.equal(await second.next(), null)
})

test('is refused to other websites, for another platform, and without a session', async () => {
  const { id, browser, api } = await newAccountHolder(service)
  const refusals: [expected: [number, string], answer: Promise<Response>][] = [
    [[403, 'foreign_origin'], ask(browser, id, { headers: { 'sec-fetch-site': 'same-site' } })],
    [[403, 'foreign_origin'], ask(browser, id, { headers: { origin: 'https://other.example' } })],
    [[409, 'platform_changed'], ask(browser, '0'.repeat(32))],
    [[400, 'invalid_request'], ask(browser, 'x')],
  ]
  for (const [expected, answer] of refusals) {
    const response = await answer
    assert.deepEqual([response.status, ((await response.json()) as { code: string }).code], expected)
  }
  const { status, body } = await api.get(`/web/v1/stream?platform=${id}`)
  assert.deepEqual([status, body.code], [401, 'not_signed_in'])
  const head = await ask(browser, id, { method: 'HEAD' })
  assert.equal(head.status, 200)
})

test('has as many readers as the process allows, and closed ones make room', async () => {
  const { id, browser } = await newAccountHolder(service)
  const roles = ['admin', 'viewer', 'developer', 'approver'] as const
  const members = await Promise.all(roles.map((role) => newMember(service, id, role)))
  /** Streams of earlier tests may end a little later. */
  const openWhenFree = async (reader: Browser) => {
    for (;;) {
      const response = await ask(reader, id, { method: 'HEAD' })
      if (response.status === 200) return open(reader, id)
    }
  }
  const streams: Awaited<ReturnType<typeof open>>[] = []
  for (const member of members) streams.push(await openWhenFree(member.browser))
  const refused = await ask(browser, id)
  assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [503, 'too_many_streams'])
  const replaced = await open((members[0] as (typeof members)[0]).browser, id)
  streams[1]?.cancel()
  const own = await openWhenFree(browser)
  for (const { cancel } of [...streams, replaced, own]) cancel()
})

test('ends when the service stops', async (t) => {
  const { id, email } = await newAccountHolder(service)
  const stopping = await startTestService(t, { databaseUrl: service.databaseUrl, keyRing: service.keyRing })
  const stream = await open(await signIn(stopping, { email }), id, stopping)
  t.after(async () => assert.equal(await stream.next(), null)) // after the service has stopped
})

test('names up to a hundred payments in one second, each once', () => {
  const row = (source: 'history' | 'payment', id: number, mark = '') => ({ source, id: String(id), mark })
  const old = [row('payment', 1), row('history', 1, '1')]
  const some = [...old, row('history', 1, '2'), row('history', 1, '3'), row('history', 2, '1'), row('payment', 2)]
  assert.deepEqual(changesSince(toPollResult(old), old), [])
  assert.deepEqual(changesSince(toPollResult(old), some), [
    { type: 'payment.changed', id: '1' },
    { type: 'payment.created', id: '2' },
  ])
  const many = Array.from({ length: MAX_NAMED + 1 }, (_, id) => row('payment', id + 2))
  assert.deepEqual(changesSince(toPollResult(old), many), [{ type: 'payments.changed', id: null }])
})
