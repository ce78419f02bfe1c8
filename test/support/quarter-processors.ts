import assert from 'node:assert/strict'
import type { Connection } from '../../src/foundation/core/connections.ts'
import { ADAPTER_KEY, type Asked, adapterConnection, EVENT_KEY, startScriptedAdapter } from './adapter.ts'
import { paypalConnection, startPaypal } from './paypal.ts'
import { postEvent } from './processors.ts'
import type { Dice } from './quarter-people.ts'

type Lifetime = { after(end: () => Promise<void>): void }

type State = 'submitted' | 'accepted' | 'paid' | 'rejected' | 'canceled' | 'returned'

/** An order at a processor. `paidAt`: in milliseconds. */
export type ProcessorsOrder = {
  reference: string
  cents: number
  /** The number of the payee's card, or the name of its account. */
  account: string
  state: State
  reason: string | null
  feeCents: number
  paidAt: number
  /** Sets the order's status in answers to Remit. */
  show(pick: Dice['pick']): void
}

const REASONS = ['AC04', 'AC06', 'AM02', 'BE06', 'MS03'] as const
const DAY_MS = 86_400_000

/** The time after its payment in which an order can be returned. Remit queries paid orders for a longer time. */
const RETURNED_WITHIN_MS = 12 * DAY_MS
const RETURN_DAYS = 30

type Show = (order: ProcessorsOrder, pick: Dice['pick']) => void

type World = {
  /** `own`: of the acts of the processors. `ofCall`: of one call of Remit, whose answer must not depend on the order in which calls arrive. */
  dice: { own: Dice; ofCall(name: string): Dice }
  now(): Date
  /** Posts an event to Remit, signed at the time of the service. */
  service(): { baseUrl: string; realClock: { now(): Date } }
}

/**
 * Two processors with their own records: one over the adapter protocol, and one over PayPal Payouts. They pay an order
 * once. Their answers are lost, refused or cut off, and their events are late, duplicated or lost.
 */
export async function startProcessors(t: Lifetime, { dice, now, service }: World) {
  const { chance, pick } = dice.own
  /** The number of calls about each order, by its reference. */
  const calls = new Map<string, number>()
  const diceOf = (reference: string): Dice => {
    const number = (calls.get(reference) ?? 0) + 1
    calls.set(reference, number)
    return dice.ofCall(`${reference} ${number}`)
  }
  const orders = new Map<string, ProcessorsOrder>()
  /** Values that a processor must never receive. */
  const problems: string[] = []
  /** Orders that a processor does not have and will never accept, as it has reported. */
  const refused = new Set<string>()
  const lateEvents: ProcessorsOrder[] = []
  const counts = { orders: 0, paid: 0, rejected: 0, returned: 0, unknown: 0, refused: 0, events: 0 }
  let isCalm = false

  const adapter = await startScriptedAdapter(t)
  const paypal = await startPaypal(t)
  const terms = { caseAfterMs: 4 * 3_600_000, returnDays: RETURN_DAYS }
  const connections: Connection[] = [
    await adapterConnection(t, { url: adapter.url, ...terms }),
    await paypalConnection(t, { url: paypal.url, ...terms }),
  ]

  function take(
    reference: string,
    { show, ...given }: Pick<ProcessorsOrder, 'cents' | 'feeCents' | 'account'> & { show: Show },
  ): void {
    const order: ProcessorsOrder = {
      ...{ ...given, reference, state: 'submitted', reason: null, paidAt: 0 },
      show: (own) => show(order, own),
    }
    if (orders.has(reference)) problems.push(`the order ${reference} arrived twice`)
    if (refused.has(reference)) problems.push(`the refused order ${reference} arrived again`)
    orders.set(reference, order)
    counts.orders++
  }

  adapter.script.play = ({ method, path, headers, body }: Asked) => {
    adapter.asked.length = 0
    if (headers.authorization !== `Bearer ${ADAPTER_KEY}`) problems.push('a call without the key')
    if (method === 'POST' && body) return playSubmission(body as never)
    const reference = path.split('/')[2] ?? ''
    const known = adapter.orders.get(reference)
    const own = diceOf(reference)
    const { chance, pick } = own
    if (path.endsWith('/cancel')) return cancelAtAdapter(orders.get(reference), own)
    if (isCalm || chance(0.8)) return null
    const stale = known && !['paid', 'rejected', 'canceled', 'returned'].includes(known.status as string)
    if (stale && chance(0.4)) return { status: 200, body: { ...known, status: 'submitted' } }
    // It confuses the order with another one.
    if (known && chance(0.1)) return { status: 200, body: { ...known, amount: { value: '0.01', currency: 'USD' } } }
    return pick(['cut' as const, { status: 500 }, { status: 429, headers: { 'retry-after': '30' } }]) ?? null
  }

  type Submission = {
    reference: string
    amount: { value: string }
    payee: { username?: string; card?: { number?: string; token?: string } }
  }

  function playSubmission(body: Submission) {
    const { reference, payee } = body
    const { chance, pick, between } = diceOf(reference)
    const fault = isCalm || chance(0.6) ? 'none' : pick(['refused', 'busy', 'lost', 'cut', 'proxy', 'odd'] as const)
    if (fault === 'refused') {
      refused.add(reference)
      counts.refused++
      return { status: pick([400, 422]) as number, body: { error: { code: 'refused' } } }
    }
    if (fault === 'busy') return { status: pick([401, 429]) as number }
    if (fault === 'lost') return 'cut' as const
    const cents = Math.round(Number(body.amount.value) * 100)
    const account = payee.username ?? payee.card?.number ?? payee.card?.token ?? ''
    take(reference, { cents, account, feeCents: between(0, 60), show: showToAdapter })
    adapter.orders.set(reference, { id: `order-${adapter.orders.size + 1}`, status: 'submitted', ...body })
    if (fault !== 'none') counts.unknown++
    if (fault === 'cut') return 'cut' as const
    if (fault === 'proxy') return { status: 502, body: 'Bad gateway' }
    if (fault === 'odd') return { status: 201, body: { reference: 'another' } }
    return { status: 201, body: adapter.orders.get(reference) }
  }

  function showToAdapter({ reference, state, reason, feeCents }: ProcessorsOrder): void {
    const fee = { value: (feeCents / 100).toFixed(2), currency: 'USD' }
    const isPaid = state === 'paid' || state === 'returned'
    const shown = { status: state, ...(reason !== null && { reason: { code: reason } }), ...(isPaid && { fee }) }
    Object.assign(adapter.orders.get(reference) ?? {}, shown)
  }

  /** The adapter is asked to cancel an order. It refuses some, and the answer to some is lost. */
  function cancelAtAdapter(order: ProcessorsOrder | undefined, { pick }: Dice) {
    if (!order || !isOpen(order)) return null
    const what = isCalm ? 'done' : pick(['done', 'done', 'refused', 'lost', 'cut'] as const)
    if (what === 'lost') return 'cut' as const
    if (what === 'refused') return { status: 409, body: { error: { code: 'too_late' } } }
    change(order, 'canceled', pick)
    return what === 'cut' ? ('cut' as const) : null
  }

  paypal.state.play = (call, { reference, amount, receiver }) => {
    const own = diceOf(reference)
    const { chance, pick, between } = own
    if (call === 'cancel') return cancelAtPaypal(orders.get(reference) as ProcessorsOrder, own)
    if (call === 'GET') {
      const error = [
        paypal.error(500, 'INTERNAL_SERVER_ERROR'),
        paypal.error(429, 'RATE_LIMIT_REACHED'),
        'cut' as const,
      ]
      return isCalm || chance(0.8) ? {} : { fail: pick(error) ?? 'cut' }
    }
    const fault = isCalm || chance(0.6) ? 'none' : pick(['refused', 'poor', 'lost', 'broken', 'cut', 'proxy'] as const)
    if (fault === 'lost') return { fail: 'cut' }
    if (fault === 'broken') return { fail: paypal.error(503, 'SERVICE_UNAVAILABLE') }
    if (paypal.batches.has(reference)) return {}
    // PayPal may get the same request again if Remit has not received this answer.
    if (fault === 'refused') {
      counts.refused++
      return { fail: paypal.error(400, 'VALIDATION_ERROR', [{ field: 'items[0].receiver', issue: 'invalid' }]) }
    }
    if (fault === 'poor') return { fail: paypal.error(422, 'INSUFFICIENT_FUNDS') }
    const cents = Math.round(Number(amount) * 100)
    take(reference, { cents, account: receiver, feeCents: between(0, 60), show: showToPaypal })
    if (fault === 'none') return {}
    counts.unknown++
    return { lose: fault === 'cut' ? 'cut' : paypal.error(500, 'INTERNAL_SERVER_ERROR') }
  }

  /** PayPal is asked to cancel an unclaimed item. The payee may claim it at the same time, and calls are lost. */
  function cancelAtPaypal(order: ProcessorsOrder, { pick }: Dice) {
    const what = isCalm ? 'done' : pick(['done', 'done', 'claimed', 'lost', 'cut'] as const)
    if (what === 'lost') return { fail: 'cut' as const }
    change(order, what === 'claimed' ? 'paid' : 'canceled', pick)
    if (what === 'claimed') return { fail: paypal.error(422, 'ITEM_INCORRECT_STATUS') }
    return what === 'cut' ? { lose: 'cut' as const } : {}
  }

  function showToPaypal({ reference, state, reason, feeCents }: ProcessorsOrder, pick: Dice['pick']): void {
    const batch = paypal.batches.get(reference)
    if (!batch) return
    const names: Record<string, readonly string[]> = {
      submitted: ['PENDING'],
      accepted: ['UNCLAIMED', 'ONHOLD', 'PENDING'],
      paid: ['SUCCESS'],
      rejected: ['FAILED', 'BLOCKED', 'DENIED'],
      canceled: ['RETURNED'],
      returned: ['RETURNED', 'REFUNDED', 'REVERSED'],
    }
    const status = pick(names[state] ?? []) as string
    const errors = reason === null ? {} : { errors: { name: 'RECEIVER_ACCOUNT_LOCKED' } }
    Object.assign(batch, { status: 'SUCCESS', item: { status, fee: (feeCents / 100).toFixed(2), ...errors } })
  }

  function change(order: ProcessorsOrder, state: State, own = pick): void {
    order.state = state
    order.reason = ['rejected', 'canceled', 'returned'].includes(state) ? (own(REASONS) as string) : null
    if (state === 'paid') order.paidAt = now().getTime()
    // Some processors give the fee of a returned order back.
    if (state === 'returned') order.feeCents = own([order.feeCents, 0]) as number
    if (state === 'paid' || state === 'rejected' || state === 'returned') counts[state]++
    order.show(own)
  }

  const isOpen = ({ state }: ProcessorsOrder): boolean => state === 'submitted' || state === 'accepted'
  const open = (): ProcessorsOrder[] => [...orders.values()].filter(isOpen)

  /** Each processor processes some orders and posts events about them. */
  async function progress(): Promise<void> {
    for (const order of open().filter(() => chance(0.5))) {
      const next = pick(['accepted', 'paid', 'paid', 'paid', 'rejected', 'canceled'] as const) as State
      // PayPal cancels nothing here.
      change(order, next === 'canceled' && paypal.batches.has(order.reference) ? 'rejected' : next)
      await announce(order)
    }
    const recent = [...orders.values()].filter(
      ({ state, paidAt }) => state === 'paid' && now().getTime() - paidAt < RETURNED_WITHIN_MS,
    )
    const back = chance(0.3) ? pick(recent) : undefined
    if (back) {
      change(back, 'returned')
      await announce(back)
    }
    const late = chance(0.4) ? lateEvents.shift() : undefined
    if (late) await post(late)
  }

  async function announce(order: ProcessorsOrder): Promise<void> {
    if (chance(0.3)) return // lost
    if (chance(0.2)) return void lateEvents.push(order)
    for (let copy = 0; copy < (chance(0.2) ? 2 : 1); copy++) await post(order)
  }

  async function post({ reference, state }: ProcessorsOrder): Promise<void> {
    counts.events++
    const batch = paypal.batches.get(reference)
    const status = batch
      ? await postPaypalEvent(batch.id)
      : await postEvent(service(), {
          body: JSON.stringify({ type: 'order.changed', reference, status: state }),
          key: EVENT_KEY,
          id: `event-${counts.events}`,
        })
    assert.equal(status, 204, 'Remit accepts an event')
  }

  async function postPaypalEvent(batchId: string): Promise<number> {
    const body = JSON.stringify({ event_type: 'PAYMENT.PAYOUTS-ITEM.UPDATED', resource: { payout_batch_id: batchId } })
    const headers = {
      'content-type': 'application/json',
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://api.example/cert',
      'paypal-transmission-id': `transmission-${counts.events}`,
      'paypal-transmission-sig': 'genuine',
      'paypal-transmission-time': now().toISOString(),
    }
    return (await fetch(`${service().baseUrl}/connections/paypal/events`, { method: 'POST', headers, body })).status
  }

  /** Returns a processor's answer on the phone about an order. It decides at once. */
  function decide(reference: string): string {
    const order = orders.get(reference)
    if (!order) {
      refused.add(reference)
      return 'MS03'
    }
    if (isOpen(order)) change(order, chance(0.7) ? 'paid' : 'rejected')
    return order.state === 'paid' ? 'PAID' : (order.reason ?? 'MS03')
  }

  /** All orders are paid, and every call works. */
  function settle(): void {
    for (const order of open()) change(order, 'paid')
  }

  return {
    connections,
    orders,
    problems,
    counts,
    progress,
    decide,
    settle,
    /** While `isCalm` is set, no call fails. */
    setCalm: (value: boolean) => {
      isCalm = value
    },
  }
}
