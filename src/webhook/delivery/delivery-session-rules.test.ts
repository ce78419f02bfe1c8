import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptResult } from '../endpoint/webhook-health-rules.ts'
import {
  advanceSession,
  type DeliverySession,
  FIRST_WINDOW,
  LANES,
  MAX_SESSION_MS,
  newSession,
  QUEUE_SIZE,
  type SessionEffect,
  type SessionEvent,
  type Surroundings,
} from './delivery-session-rules.ts'
import { SESSION_STATUSES, type SessionStatus } from './delivery-session-status.ts'
import { EXCHANGE_TIMEOUT_MS } from './delivery-status.ts'
import type { DueDelivery, Lease } from './delivery-types.ts'

const NOW = 1_000_000
const startedAt = new Date('2026-03-02T15:00:00Z')

const leaseOf = (endpoint: Partial<Lease['endpoint']> = {}, endsAt = NOW + 30_000): Lease => ({
  endpoint: {
    platformId: 'platform',
    endpointId: 'endpoint',
    kind: 'endpoint',
    url: 'https://example.com/hook',
    bodyFormat: 'THIN',
    isSlow: false,
    failingSince: null,
    webhookKeySealed: Buffer.alloc(0),
    previousWebhookKeySealed: null,
    webhookKeyRotatedAt: null,
    ...endpoint,
  },
  endsAt,
})

/** Creates deliveries from names: `due('a', 'b:1', 'c:1')` creates three, the last two about payment 1. */
const due = (...names: string[]): DueDelivery[] =>
  names.map((name) => ({
    platformId: 'platform',
    endpointId: 'endpoint',
    eventId: name,
    subjectId: name.split(':')[1] ?? name,
    attemptCount: 0,
    attemptsBefore: 0,
    type: 'CHECK' as const,
    fullBodySealed: null,
    body: '{}',
    eventAt: new Date(0),
    sequence: 1,
    offsetMs: 0,
  }))

const inFlight = (...names: string[]) =>
  due(...names).map(({ eventId, subjectId }) => ({ eventId, subjectId, sentAt: NOW, isAnswered: false }))

const many = (count: number, first = 0) => due(...Array.from({ length: count }, (_, index) => `e${first + index}`))

const sessionWith = (given: Partial<DeliverySession> = {}): DeliverySession => ({
  ...newSession(leaseOf(), NOW),
  status: 'CAUGHT_UP',
  ...given,
})

const answer = (eventId: string, result: Partial<AttemptResult> = {}, url = 'https://example.com/hook') =>
  ({
    type: 'answered',
    eventId,
    learnsFrom: { url, outcome: 'acknowledged', httpStatus: 200, error: null, startedAt, durationMs: 20, ...result },
  }) satisfies SessionEvent

const advance = (session: DeliverySession, event: SessionEvent, given: Partial<Surroundings> = {}) =>
  advanceSession(session, event, { now: NOW, laneSizes: { quick: 1, slow: 1 }, ...given })

/** Describes effects in words: `send a`, `search except a,b`, `end`. */
const inWords = (effects: SessionEffect[]): string[] =>
  effects.map((effect) => {
    if (effect.type === 'send') return `send ${effect.delivery.eventId}`
    if (effect.type === 'search') return `search except ${effect.except.join()}`.trim()
    if (effect.type === 'moveToLane') return `move to ${effect.lane}`
    if (effect.type === 'saveHealth') return `save ${effect.health.isSlow ? 'slow' : 'quick'}`
    return effect.type
  })

// The effects of each event in each status. The session has an empty queue, no attempt in flight, and finds one delivery.
const EVENTS: Record<string, SessionEvent> = {
  woken: { type: 'woken' },
  found: { type: 'found', deliveries: due('a') },
  answered: { type: 'answered', eventId: 'x', learnsFrom: null },
  recorded: { type: 'recorded', eventId: 'x' },
  renewed: { type: 'renewed', lease: leaseOf() },
  checked: { type: 'checked' },
  stopped: { type: 'stopped' },
}

type Row = [event: string, leadsTo: SessionStatus, effects: string[]]

const EMPTY: Record<SessionStatus, Row[]> = {
  CAUGHT_UP: [
    ['woken', 'SEARCHING', ['search except']],
    ['found', 'CAUGHT_UP', ['send a']],
    ['answered', 'ENDED', ['end']],
    ['recorded', 'ENDED', ['end']],
    ['renewed', 'ENDED', ['end']],
    ['checked', 'ENDED', ['end']],
    ['stopped', 'ENDED', ['end']],
  ],
  WOKEN: [
    ['woken', 'SEARCHING', ['search except']],
    ['found', 'SEARCHING', ['send a', 'search except a']],
    ['answered', 'SEARCHING', ['search except']],
    ['recorded', 'SEARCHING', ['search except']],
    ['renewed', 'SEARCHING', ['search except']],
    ['checked', 'SEARCHING', ['search except']],
    ['stopped', 'ENDED', ['end']],
  ],
  BEHIND: [
    ['woken', 'SEARCHING', ['search except']],
    ['found', 'SEARCHING', ['send a', 'search except a']],
    ['answered', 'SEARCHING', ['search except']],
    ['recorded', 'SEARCHING', ['search except']],
    ['renewed', 'SEARCHING', ['search except']],
    ['checked', 'SEARCHING', ['search except']],
    ['stopped', 'ENDED', ['end']],
  ],
  SEARCHING: [
    ['woken', 'SEARCHING_WOKEN', []],
    ['found', 'CAUGHT_UP', ['send a']],
    ['answered', 'SEARCHING', []],
    ['recorded', 'SEARCHING', []],
    ['renewed', 'SEARCHING', []],
    ['checked', 'SEARCHING', []],
    ['stopped', 'STOPPING_SEARCH', []],
  ],
  SEARCHING_WOKEN: [
    ['woken', 'SEARCHING_WOKEN', []],
    ['found', 'SEARCHING', ['send a', 'search except a']],
    ['answered', 'SEARCHING_WOKEN', []],
    ['recorded', 'SEARCHING_WOKEN', []],
    ['renewed', 'SEARCHING_WOKEN', []],
    ['checked', 'SEARCHING_WOKEN', []],
    ['stopped', 'STOPPING_SEARCH', []],
  ],
  STOPPING: [
    ['woken', 'ENDED', ['end']],
    ['found', 'ENDED', ['end']],
    ['answered', 'ENDED', ['end']],
    ['recorded', 'ENDED', ['end']],
    ['renewed', 'ENDED', ['end']],
    ['checked', 'ENDED', ['end']],
    ['stopped', 'ENDED', ['end']],
  ],
  STOPPING_SEARCH: [
    ['woken', 'STOPPING_SEARCH', []],
    ['found', 'ENDED', ['end']],
    ['answered', 'STOPPING_SEARCH', []],
    ['recorded', 'STOPPING_SEARCH', []],
    ['renewed', 'STOPPING_SEARCH', []],
    ['checked', 'STOPPING_SEARCH', []],
    ['stopped', 'STOPPING_SEARCH', []],
  ],
  ENDED: Object.keys(EVENTS).map((event): Row => [event, 'ENDED', []]),
}

for (const status of SESSION_STATUSES) {
  test(`an empty session that is ${status}: each event has its next status and its effects`, () => {
    assert.deepEqual(
      EMPTY[status].map(([event]) => event),
      Object.keys(EVENTS),
    )
    for (const [event, leadsTo, effects] of EMPTY[status]) {
      const step = advance(sessionWith({ status }), EVENTS[event] as SessionEvent)
      assert.deepEqual([step.session.status, inWords(step.effects)], [leadsTo, effects], event)
    }
  })

  test(`a session that is ${status} does not end while an attempt is in flight`, () => {
    if (status === 'ENDED') return
    const session = sessionWith({ status, inFlight: inFlight('a', 'b') })
    for (const [name, event] of Object.entries(EVENTS)) {
      assert.ok(!inWords(advance(session, event).effects).includes('end'), name)
    }
  })
}

test('a new session searches for everything that is due', () => {
  const { session, effects } = advance(newSession(leaseOf(), NOW), { type: 'woken' })
  assert.deepEqual([session.status, inWords(effects)], ['SEARCHING', ['search except']])
})

test('deliveries are sent oldest first, as many as the window allows, and each answer opens the window by one', () => {
  const found = advance(sessionWith({ status: 'SEARCHING' }), { type: 'found', deliveries: many(10) })
  assert.deepEqual(inWords(found.effects), ['send e0', 'send e1'])
  assert.equal(found.session.attemptCount, 2)
  const answered = advance(found.session, answer('e0'))
  assert.deepEqual([inWords(answered.effects), answered.session.window], [['send e2'], FIRST_WINDOW + 1])
  const recorded = advance(answered.session, { type: 'recorded', eventId: 'e0' })
  assert.deepEqual(inWords(recorded.effects), ['send e3'])
})

test('the window has a limit for each lane, and a smaller one when a lane has many sessions', () => {
  const rows: [lane: 'quick' | 'slow', laneSize: number, limit: number][] = [
    ['quick', 1, LANES.quick.window],
    ['quick', 100, 10],
    ['quick', 400, FIRST_WINDOW],
    ['quick', 2_000, FIRST_WINDOW],
    ['slow', 1, LANES.slow.window],
    ['slow', 400, FIRST_WINDOW],
  ]
  for (const [lane, laneSize, limit] of rows) {
    const session = sessionWith({ lane, window: 1_000, queue: many(QUEUE_SIZE) })
    const { effects } = advance(session, { type: 'checked' }, { laneSizes: { quick: laneSize, slow: laneSize } })
    assert.equal(effects.length, limit, `${lane} ${laneSize}`)
  }
})

test('a payment has one webhook on the wire at a time, and the next one leaves as soon as it is answered', () => {
  const session = sessionWith({ window: 8, queue: due('a:1', 'b:1', 'c:2', 'd:1') })
  const first = advance(session, { type: 'checked' })
  assert.deepEqual(inWords(first.effects), ['send a:1', 'send c:2'])
  const second = advance(first.session, answer('a:1'))
  assert.deepEqual(inWords(second.effects), ['send b:1'])
  // The first attempt is recorded while the next one of its payment is in flight.
  assert.deepEqual(inWords(advance(second.session, { type: 'recorded', eventId: 'a:1' }).effects), [])
})

test('no attempt starts under a lease that could expire before the attempt ends, and a renewal lets it start', () => {
  const lease = leaseOf({}, NOW + EXCHANGE_TIMEOUT_MS)
  const waiting = advance(sessionWith({ lease, queue: due('a') }), { type: 'checked' })
  assert.deepEqual([waiting.session.status, inWords(waiting.effects)], ['CAUGHT_UP', []])
  const renewed = advance(waiting.session, { type: 'renewed', lease: leaseOf() })
  assert.deepEqual(inWords(renewed.effects), ['send a'])
})

test('a full search is followed by another one when half of the queue is gone', () => {
  const found = advance(sessionWith({ status: 'SEARCHING' }), { type: 'found', deliveries: many(QUEUE_SIZE) })
  assert.equal(found.session.status, 'BEHIND')
  const half = sessionWith({ status: 'BEHIND', queue: many(QUEUE_SIZE / 2 + 1), inFlight: inFlight('x', 'y') })
  assert.deepEqual(inWords(advance(half, { type: 'checked' }).effects), [])
  const next = advance(half, { type: 'recorded', eventId: 'x' })
  assert.equal(next.session.status, 'SEARCHING')
  const [sent, search] = next.effects
  assert.equal(sent?.type, 'send')
  assert.ok(search?.type === 'search' && search.except.length === QUEUE_SIZE / 2 + 2)
})

test('a session that was woken searches once its queue is empty and its window has room', () => {
  const full = sessionWith({ status: 'WOKEN', inFlight: inFlight('a', 'b') })
  assert.deepEqual(inWords(advance(full, { type: 'checked' }).effects), [])
  const { session, effects } = advance(full, { type: 'recorded', eventId: 'a' })
  assert.deepEqual([session.status, inWords(effects)], ['SEARCHING', ['search except b']])
})

test('a session whose turn is over stops, finishes what is in flight, and ends', () => {
  const now = NOW + MAX_SESSION_MS + 1
  const lease = leaseOf({}, now + 30_000)
  const session = sessionWith({ lease, queue: due('b'), inFlight: inFlight('a') })
  const last = advance(session, answer('a'), { now })
  assert.deepEqual([last.session.status, inWords(last.effects)], ['STOPPING', []])
  const end = advance(last.session, { type: 'recorded', eventId: 'a' }, { now })
  assert.deepEqual([end.session.status, inWords(end.effects)], ['ENDED', ['end']])
})

const RESULTS: [name: string, result: Partial<AttemptResult>, kind: 'endpoint' | 'webhook_uri', leadsTo: string[]][] = [
  ['a quick answer', {}, 'endpoint', ['CAUGHT_UP', 'quick', '5']],
  ['a quick refusal', { outcome: 'rejected', httpStatus: 500 }, 'endpoint', ['CAUGHT_UP', 'quick', '5', 'save quick']],
  ['a refusal of a webhook_uri', { outcome: 'rejected', httpStatus: 500 }, 'webhook_uri', ['CAUGHT_UP', 'quick', '5']],
  ['a slow answer', { durationMs: 2_001 }, 'endpoint', ['CAUGHT_UP', 'slow', '2', 'move to slow', 'save slow']],
  [
    'no connection',
    { outcome: 'unreachable', httpStatus: null },
    'endpoint',
    ['CAUGHT_UP', 'quick', '5', 'save quick'],
  ],
  [
    'no answer',
    { outcome: 'timed_out', httpStatus: null, durationMs: 10_000 },
    'webhook_uri',
    ['STOPPING', 'slow', '2', 'move to slow', 'save slow'],
  ],
  ['410', { outcome: 'rejected', httpStatus: 410 }, 'endpoint', ['STOPPING', 'quick', '5', 'save quick']],
  ['410 of a webhook_uri', { outcome: 'rejected', httpStatus: 410 }, 'webhook_uri', ['CAUGHT_UP', 'quick', '5']],
]

for (const [name, result, kind, expected] of RESULTS) {
  test(`${name} decides on status, lane, window and health`, () => {
    const session = sessionWith({ lease: leaseOf({ kind }), window: 4, inFlight: inFlight('a', 'b') })
    const after = advance(session, answer('a', result))
    const { status, lane, window, lastFailure } = after.session
    assert.deepEqual([status, lane, `${window}`, ...inWords(after.effects)], expected)
    assert.equal(lastFailure?.outcome ?? 'acknowledged', result.outcome ?? 'acknowledged')
  })
}

test('an answer of a former URL, and a webhook that could not be sent, say nothing about the endpoint', () => {
  const session = sessionWith({ inFlight: inFlight('a', 'b') })
  const answers = [
    answer('a', { outcome: 'timed_out' }, 'https://example.com/former'),
    { type: 'answered', eventId: 'a', learnsFrom: null } as const,
  ]
  for (const event of answers) {
    const { session: after, effects } = advance(session, event)
    assert.deepEqual([after.status, after.window, after.health, effects], ['CAUGHT_UP', 2, session.health, []])
  }
})

test('a renewal with another URL discards the measurements of the former one, and saves nothing', () => {
  const failure = { outcome: 'rejected', httpStatus: 500, error: null, startedAt, durationMs: 20 } as const
  const health = { isSlow: false, failingSince: startedAt }
  const session = sessionWith({ health, lastFailure: failure, inFlight: inFlight('a') })
  const same = advance(session, { type: 'renewed', lease: leaseOf() })
  assert.deepEqual([same.session.health, same.session.lastFailure], [health, failure])
  const other = advance(session, { type: 'renewed', lease: leaseOf({ url: 'https://example.com/other' }) })
  assert.deepEqual([other.session.health, other.session.lastFailure], [{ isSlow: false, failingSince: null }, null])
  assert.deepEqual(other.effects, [])
})

test('a session that waits for an answer for more than two seconds moves to the slow lane', () => {
  const session = sessionWith({ inFlight: inFlight('a') })
  assert.deepEqual(inWords(advance(session, { type: 'checked' }, { now: NOW + 2_000 }).effects), [])
  const moved = advance(session, { type: 'checked' }, { now: NOW + 2_001 })
  assert.deepEqual([moved.session.lane, inWords(moved.effects)], ['slow', ['move to slow']])
  assert.deepEqual(inWords(advance(moved.session, { type: 'checked' }, { now: NOW + 3_000 }).effects), [])
  // An answered attempt that is still being recorded does not count as waiting.
  const { session: answered } = advance(session, answer('a'))
  assert.equal(advance(answered, { type: 'checked' }, { now: NOW + 2_001 }).session.lane, 'quick')
})
