import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rootSpanContext } from '../src/foundation/lib/trace/trace.ts'
import type { ReceivedSpan } from './support/otlp-receiver.ts'
import { runRemit, temporaryFolder } from './support/process.ts'
import { ACCOUNT, CALLER, payOnce, startTraced } from './support/traced.ts'

// Traces as a collector gets them from the program, from POST to the webhook.

const attribute = ({ attributes }: ReceivedSpan, name: string) =>
  attributes.find(({ key }) => key === name)?.value.stringValue

test('one payment is one trace from POST to its webhook, linked with shared work, without a value of a request', async (t) => {
  const traced = await startTraced(t)
  const { id, receiver } = await payOnce(t, traced)
  const refused = await traced.api.post('/v3/check/digital', { amount: -1 })
  assert.equal((await traced.remit.end()).code, 0, 'the last spans are sent before the process ends')
  const spans = traced.collector.spans()
  const context = rootSpanContext(id)
  const own = spans.filter(({ traceId }) => traceId === context.traceId)

  const [root] = own.filter(({ name }) => name === 'payment accepted')
  assert.equal(root?.spanId, context.spanId)
  assert.equal(root?.parentSpanId ?? '', '')
  for (const span of own) assert.ok(span === root || span.parentSpanId === context.spanId, span.name)
  const names = new Set(own.map(({ name }) => name))
  for (const name of ['leg send', 'leg settle', 'webhook']) assert.ok(names.has(name), `${name} in ${[...names]}`)

  const posts = spans.filter(({ name }) => name === 'POST /v3/check/digital')
  const post = posts.find(({ links }) => links?.some(({ traceId }) => traceId === context.traceId))
  assert.ok(post, 'the request links the payment that it made')
  assert.ok(
    post.links?.some(({ traceId }) => traceId === CALLER.traceId),
    'the caller is a link',
  )
  assert.ok(root?.links?.some(({ spanId }) => spanId === post.spanId))
  const group = spans.find(({ name, links }) => name === 'accept group' && links?.some((l) => l.spanId === post.spanId))
  assert.ok(group, 'the group links the requests in it')
  for (const span of own.filter(({ name }) => name.startsWith('leg '))) assert.ok(span.links?.length, span.name)

  const [delivery] = own.filter(({ name }) => name === 'webhook')
  assert.equal(receiver.received[0]?.headers.traceparent, `00-${context.traceId}-${delivery?.spanId}-01`)

  const failed = posts.find((span) => attribute(span, 'error.type') === 'invalid_request')
  assert.equal(refused.body.trace_id, failed?.traceId)
  assert.ok(traced.remit.stderr().includes(`"traceId":"${post.traceId}"`), 'log lines name the trace')

  const text = traced.collector.text()
  for (const secret of [ACCOUNT, 'Grace', 'grace@', traced.secret, traced.authorization, '125.5', 'select ']) {
    assert.ok(!text.includes(secret), `${secret} is in a span`)
  }
})

test('a share of 0 keeps no trace, and REMIT_TRACE_RECEIVERS=false sends no trace headers to receivers', async (t) => {
  const traced = await startTraced(t, { OTEL_TRACES_SAMPLER_ARG: '0', REMIT_TRACE_RECEIVERS: 'false' })
  const { receiver } = await payOnce(t, traced)
  assert.equal((await traced.remit.end()).code, 0)
  assert.deepEqual(traced.collector.spans(), [])
  assert.equal(receiver.received[0]?.headers.traceparent, undefined)
})

test('without an endpoint no answer has a trace, and an unreachable collector blocks nothing', async (t) => {
  const without = await startTraced(t, { OTEL_EXPORTER_OTLP_ENDPOINT: '' })
  assert.equal((await without.api.post('/v3/check/digital', { amount: -1 })).body.trace_id, undefined)
  await without.remit.end()
  assert.deepEqual(without.collector.spans(), [])
  const away = await startTraced(t, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  await payOnce(t, away)
  assert.equal((await away.remit.end()).code, 0)
})

test('invalid settings are reported', async (t) => {
  const home = await temporaryFolder(t)
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318', OTEL_TRACES_SAMPLER_ARG: '2' }
  const { code, stderr } = await runRemit(['start', '--port', '0'], { home, env })
  assert.equal(code, 1)
  assert.match(stderr, /OTEL_EXPORTER_OTLP_ENDPOINT must be/)
  assert.match(stderr, /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/)
})
