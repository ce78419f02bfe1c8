import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ProcessorRail } from '../../foundation/core/connections.ts'
import { type CallDeps, CallFailed, type HttpsAnswer } from '../processor/https-call-actions.ts'
import type { OrderReport, ProcessorAccount } from '../processor/processor-types.ts'
import { type AdapterAddress, callAdapter, isCancelRefused } from './adapter-client-actions.ts'
import { MAX_SKEW_SECONDS, readAdapterEvent } from './adapter-event-rules.ts'
import { orderBody, orderProblem, readOrder } from './adapter-report-rules.ts'

/** The adapter that the test suite of the adapter protocol checks. Its orders have a `test_outcome` and move no money. */
export type SuiteTarget = { address: AdapterAddress; eventKey: string; rails: readonly ProcessorRail[] }

/** One rule of the protocol. `problem`: how the adapter violates it, or null. */
export type SuiteResult = { rule: string; problem: string | null }

type Suite = CallDeps & SuiteTarget

/** Checks an adapter against each rule of the protocol, in order. Without an answer to the first call, nothing else is checked. */
export async function* runAdapterSuite(deps: CallDeps, target: SuiteTarget): AsyncGenerator<SuiteResult> {
  const suite = { ...deps, ...target }
  const problem = await problemOf(suite, isReachable)
  yield { rule: REACHABLE, problem }
  if (problem !== null) return
  for (const [rule, check] of Object.entries(rules)) yield { rule, problem: await problemOf(suite, check) }
}

async function problemOf(suite: Suite, check: Check): Promise<string | null> {
  try {
    return await check(suite)
  } catch (error) {
    if (error instanceof CallFailed) return error.message
    if (error instanceof Broken) return error.message
    throw error
  }
}

const REACHABLE = 'the adapter answers'

async function isReachable(suite: Suite): Promise<null> {
  await send(suite, 'GET', `/orders/${newReference()}`)
  return null
}

class Broken extends Error {}

type Check = (suite: Suite) => Promise<string | null>

const rules: Record<string, Check> = {
  'a wrong key is refused with 401': async (suite) => {
    const stranger = { ...suite, address: { ...suite.address, key: 'not-the-key' } }
    return expectStatus(await send(stranger, 'POST', '/orders', newOrder(suite, 'paid')), 401)
  },
  'an order of each rail is taken and paid': async (suite) => {
    for (const rail of suite.rails) {
      const order = newOrder(suite, 'paid', { rail })
      await submit(suite, order)
      await untilState(suite, order, 'paid')
    }
    return null
  },
  'an order is found by its reference': async (suite) => {
    const order = newOrder(suite, 'paid')
    const { processorId } = await submit(suite, order)
    const found = await untilState(suite, order, 'paid')
    return found.processorId === processorId ? null : 'Its id differs from that of the submitted order.'
  },
  'a repeated order is not taken again': async (suite) => {
    const order = newOrder(suite, 'paid')
    const ids = [await submit(suite, order), await submit(suite, order)].map(({ processorId }) => processorId)
    return sameId(ids)
  },
  'the same order several times at once is taken once': async (suite) => {
    const order = newOrder(suite, 'paid')
    const reports = await Promise.all(Array.from({ length: 5 }, () => submit(suite, order)))
    return sameId(reports.map(({ processorId }) => processorId))
  },
  'an order whose answer was lost is known by its reference': async (suite) => {
    const order = newOrder(suite, 'paid')
    const hasty = { ...suite, address: { ...suite.address, answerMs: HASTY_MS } }
    await send(hasty, 'POST', '/orders', order).catch((error) => {
      if (!(error instanceof CallFailed)) throw error
    })
    const known = await send(suite, 'GET', `/orders/${order.reference}`)
    const ids = known.status === 404 ? [] : [reportOf(known, order).processorId]
    const { processorId } = await submit(suite, order)
    return sameId([...ids, processorId])
  },
  'another order with the same reference is refused with 409': async (suite) => {
    const order = newOrder(suite, 'paid')
    await submit(suite, order)
    const other = { ...order, amount: { value: '99.01', currency: 'USD' } }
    return expectStatus(await send(suite, 'POST', '/orders', other), 409)
  },
  'an unknown reference is answered with 404': async (suite) =>
    expectStatus(await send(suite, 'GET', `/orders/${newReference()}`), 404),
  'an order without an amount is refused with 400 and not taken': async (suite) => {
    const { amount: _, ...order } = newOrder(suite, 'paid')
    const problem = expectStatus(await send(suite, 'POST', '/orders', order), 400)
    return problem ?? expectStatus(await send(suite, 'GET', `/orders/${order.reference}`), 404)
  },
  'amounts are kept to the cent': async (suite) => {
    for (const cents of [1, 10, 99_999_999_99]) {
      const order = newOrder(suite, 'paid', { cents })
      const report = await submit(suite, order)
      if (report.cents !== cents) return `An order of ${order.amount.value} was returned with another amount.`
    }
    return null
  },
  'a rejected order has a reason': async (suite) => {
    const order = newOrder(suite, 'rejected')
    await submit(suite, order)
    return (await untilState(suite, order, 'rejected')).reasonCode === null ? 'It has no reason.code.' : null
  },
  'a returned order has a reason': async (suite) => {
    const order = newOrder(suite, 'returned')
    await submit(suite, order)
    return (await untilState(suite, order, 'returned')).reasonCode === null ? 'It has no reason.code.' : null
  },
  'a request to cancel an open order is answered with the order, or refused with 400 to 499': async (suite) => {
    const order = newOrder(suite, 'submitted')
    await submit(suite, order)
    const answer = await send(suite, 'POST', `/orders/${order.reference}/cancel`)
    if (isCancelRefused(answer)) return null
    const { state } = reportOf(answer, order)
    const found = reportOf(await send(suite, 'GET', `/orders/${order.reference}`), order)
    if (!OPEN_OR_CANCELED.includes(state)) return `It is ${state} after the request.`
    return found.state === state ? null : `It is ${state} in the answer, and ${found.state} after it.`
  },
  'a paid order is not canceled': async (suite) => {
    const order = newOrder(suite, 'paid')
    await submit(suite, order)
    await untilState(suite, order, 'paid')
    await send(suite, 'POST', `/orders/${order.reference}/cancel`)
    const { state } = reportOf(await send(suite, 'GET', `/orders/${order.reference}`), order)
    return state === 'paid' ? null : `It is ${state} after the request to cancel it.`
  },
  'each change has an event, signed with the event key': async (suite) => {
    const events = await eventsOf(suite)
    const now = suite.realClock.now()
    const problems = events.map((event) => readAdapterEvent(event, { key: suite.eventKey, now }))
    const [first] = problems.filter((one) => typeof one === 'string')
    return first === undefined ? null : EVENT_PROBLEMS[first as keyof typeof EVENT_PROBLEMS]
  },
  'each event has its own id': async (suite) => {
    const ids = (await eventsOf(suite)).map(({ headers }) => headers['webhook-id'])
    return new Set(ids).size === ids.length ? null : 'Two events have the same webhook-id.'
  },
  'the clock of the adapter is right': async (suite) => {
    const { sentAt } = await send(suite, 'GET', `/orders/${newReference()}`)
    if (sentAt === null) return 'Its answers have no Date header.'
    const seconds = Math.round(Math.abs(sentAt.getTime() - suite.realClock.now().getTime()) / 1000)
    return seconds <= MAX_SKEW_SECONDS ? null : `It differs by ${seconds} seconds.`
  },
  'every answer arrives in time': async (suite) => {
    for (let index = 0; index < 20; index++) await send(suite, 'GET', `/orders/${newReference()}`)
    return null
  },
}

const EVENT_PROBLEMS = {
  unsigned: 'An event has no signature, id or timestamp.',
  wrong_signature: 'The signature of an event does not match the event key.',
  wrong_time: 'The time of an event differs from ours by more than five minutes.',
  unreadable: 'An event names no order.',
}

/** The states of a test order that stays open, after the request to cancel it. */
const OPEN_OR_CANCELED: readonly OrderReport['state'][] = ['canceled', 'submitted', 'accepted']

/** A time limit that is so short that the answer of most adapters is lost. */
const HASTY_MS = 50

const newReference = (): string => randomUUID().replaceAll('-', '')

const CARD: ProcessorAccount = { kind: 'card', number: '4242424242424242', expires: '2099-12' }
const CONTACT: ProcessorAccount = { kind: 'contact', username: 'payee@example.com' }

function newOrder(
  { rails }: SuiteTarget,
  outcome: 'paid' | 'rejected' | 'returned' | 'submitted',
  { rail = rails[0] as ProcessorRail, cents = 1_250 }: { rail?: ProcessorRail; cents?: number } = {},
) {
  const account = rail === 'INSTANT' ? CARD : CONTACT
  const payee = { name: 'Test Payee', account }
  const order = { reference: newReference(), rail, cents, paymentId: newReference(), payee, description: 'Test' }
  return { ...orderBody(order), test_outcome: outcome }
}

const send = (suite: Suite, method: 'GET' | 'POST', path: string, body?: { reference: string }): Promise<HttpsAnswer> =>
  callAdapter(suite, suite.address, {
    method,
    path,
    body: body === undefined ? null : JSON.stringify(body),
    headers: body === undefined ? {} : { 'idempotency-key': body.reference },
  })

const submit = async (suite: Suite, order: { reference: string }): Promise<OrderReport> =>
  reportOf(await send(suite, 'POST', '/orders', order), order)

/** Reads an order in the answer. @throws Broken if the answer violates the protocol */
function reportOf({ status, json }: HttpsAnswer, { reference }: { reference: string }): OrderReport {
  if (status !== 200 && status !== 201) throw new Broken(`The answer is ${status} instead of 200 or 201.`)
  const problem = orderProblem(json, { reference })
  const report = readOrder(json, { reference })
  if (!report) throw new Broken(`The answer is not an order of schemas/adapter.openapi.json: ${problem}.`)
  return report
}

const POLLS = 60
const POLL_MS = 500

/** Queries an order until it has a state. @throws Broken */
async function untilState(suite: Suite, order: { reference: string }, state: string): Promise<OrderReport> {
  for (let poll = 0; ; poll++) {
    const report = reportOf(await send(suite, 'GET', `/orders/${order.reference}`), order)
    if (report.state === state) return report
    if (poll >= POLLS) throw new Broken(`An order is still ${report.state} after ${(POLLS * POLL_MS) / 1000} seconds.`)
    await wait(POLL_MS)
  }
}

const sameId = (ids: readonly string[]): string | null =>
  new Set(ids).size === 1 ? null : 'It was taken twice: the answers have different ids.'

const expectStatus = ({ status }: HttpsAnswer, expected: number): string | null =>
  status === expected ? null : `The answer is ${status}.`

/** Waits for the events of a returned order: that it was paid, and that it was returned. @throws Broken */
async function eventsOf(suite: Suite): Promise<{ headers: Record<string, string>; body: string }[]> {
  const order = newOrder(suite, 'returned')
  await submit(suite, order)
  await untilState(suite, order, 'returned')
  const { status, json } = await send(suite, 'GET', `/orders/${order.reference}/events`)
  const { events } = (json ?? {}) as { events?: unknown }
  const isList = Array.isArray(events) && events.every((one) => typeof one?.body === 'string' && one.headers)
  if (status !== 200 || !isList) throw new Broken(`The answer about events is ${status}, or has no events.`)
  if (events.length < 2) throw new Broken(`An order that was paid and returned has ${events.length} events.`)
  return events
}
