import { randomBytes } from 'node:crypto'
import { addDays, DAY_MS } from '../../src/foundation/lib/clock.ts'
import { paymentEventBody } from '../../src/payments/payment/payment-rules.ts'
import type { PaymentStatus } from '../../src/payments/payment/payment-status.ts'

// The database rows of a payment, as text for `copy`. They match those of a payment that was sent through the API long ago:
// `verify-ledger` finds no problem.

export type FillUser = { platformId: string; userId: string; name: string; userName: string; bankId: string }
export type FillEndpoint = { endpointId: string }
export type FillPayment = {
  index: number
  createdAt: Date
  ageDays: number
  sender: FillUser
  recipient: FillUser
  number: number
}

/** The tables and columns that a payment fills. */
export const filledColumns = {
  payments:
    'platform_id,id,sender_id,kind,number,number_is_text,amount_cents,name,recipient,recipient_platform_id,recipient_id,funding_kind,funding_id,destination_kind,destination_id,description,deposit_options,status,rail,return_code,deposited_at,created_at,updated_at,expires_at,sender_name',
  legs: 'platform_id,id,purpose,subject_id,user_id,account_id,rail,direction,cents,status,next_event,next_at,return_code,created_at,sent_at,settled_at,returned_at',
  transfers: 'platform_id,id,debit,credit,cents,status,reason,payment_id,leg_id,created_at,ended_at',
  events: 'platform_id,id,type,subject_id,body,created_at',
  deliveries: 'platform_id,endpoint_id,event_id,subject_id,status,attempt_count',
  delivery_attempts:
    'platform_id,endpoint_id,event_id,number,started_at,duration_ms,outcome,http_status,request_headers,response_body',
  idempotency_records: 'platform_id,key_digest,fingerprint,status,answer,created_at',
} as const

export type FilledTable = keyof typeof filledColumns
export type FilledRows = Record<FilledTable, string[]>

export const noRows = (): FilledRows => ({
  payments: [],
  legs: [],
  transfers: [],
  events: [],
  deliveries: [],
  delivery_attempts: [],
  idempotency_records: [],
})

type Value = string | number | boolean | Date | null

const line = (...values: Value[]): string => `${values.map(copyText).join('\t')}\n`

function copyText(value: Value): string {
  if (value === null) return '\\N'
  return value instanceof Date ? value.toISOString() : String(value)
}

/** Adds the rows of one payment. */
export function addPayment(rows: FilledRows, payment: FillPayment, endpoint: FillEndpoint): void {
  const { sender, recipient, createdAt, index } = payment
  const id = idAt(createdAt)
  const life = lifeOf(payment)
  const cents = 100 + ((index * 7_919) % 150_000)
  const description = descriptionOf(index)
  const rail = life.status === 'UNPAID' || life.status === 'VOID' || life.status === 'EXPIRED' ? null : 'ACH'
  const depositedAt = rail && createdAt
  const updatedAt = life.changes.at(-1)?.at ?? createdAt
  const common = [cents, `Customer ${index % 9_973}`, recipient.userName] as const
  rows.payments.push(
    line(
      sender.platformId,
      id,
      sender.userId,
      'DIGITAL',
      payment.number,
      false,
      ...common,
      recipient.platformId,
      recipient.userId,
      'bank',
      sender.bankId,
      rail && 'bank',
      rail && recipient.bankId,
      description,
      '{BANK,PRINT,MAIL}',
      life.status,
      rail,
      life.status === 'FAILED' ? 'R01' : null,
      depositedAt,
      createdAt,
      updatedAt,
      addDays(createdAt, 90),
      sender.name,
    ),
  )
  addMoney(rows, payment, { id, cents, status: life.status })
  for (const change of life.changes.filter(({ at }) => daysFrom(createdAt, at) > payment.ageDays - EVENT_DAYS)) {
    addEvent(rows, { platformId: sender.platformId, id, rail, ...change }, endpoint)
  }
  if (payment.ageDays < 1) addIdempotencyRecord(rows, payment, id)
}

/** The retention of events, deliveries and attempts (`webhook/history/history-rules.ts`). */
const EVENT_DAYS = 30

const daysFrom = (from: Date, to: Date) => (to.getTime() - from.getTime()) / DAY_MS

type Change = { status: PaymentStatus; at: Date }

/** The final state of a payment by its age. Payments younger than three days are in progress. */
function lifeOf({ index, ageDays, createdAt }: FillPayment): { status: PaymentStatus; changes: Change[] } {
  const share = (index * 31) % 100
  const inProcess: Change = { status: 'IN_PROCESS', at: createdAt }
  if (ageDays < 3) return share < 60 ? lifeWith([inProcess]) : lifeWith([])
  if (share < 2) return lifeWith([{ status: 'VOID', at: addDays(createdAt, 1) }])
  if (share < 4) return lifeWith([inProcess, { status: 'FAILED', at: addDays(createdAt, 2) }])
  if (share < 8 && ageDays > 90) return lifeWith([{ status: 'EXPIRED', at: addDays(createdAt, 90) }])
  if (share < 8) return lifeWith([])
  return lifeWith([inProcess, { status: 'PAID', at: addDays(createdAt, 3) }])
}

const lifeWith = (changes: Change[]) => ({ status: changes.at(-1)?.status ?? ('UNPAID' as const), changes })

type Money = { id: string; cents: number; status: PaymentStatus }

/** The legs of a bank-to-bank payment and their ledger transfers. */
function addMoney(rows: FilledRows, { sender, recipient, createdAt }: FillPayment, { id, cents, status }: Money): void {
  const { platformId } = sender
  const at = (days: number) => addDays(createdAt, days)
  const addLeg = (
    leg: { purpose: string; userId: string; bankId: string; direction: string; status: string },
    times: Value[],
  ) => {
    const legId = idAt(createdAt)
    rows.legs.push(
      line(
        platformId,
        legId,
        leg.purpose,
        id,
        leg.userId,
        leg.bankId,
        'ACH',
        leg.direction,
        cents,
        leg.status,
        ...times,
      ),
    )
    return legId
  }
  const addTransfer = (legId: string, debit: string, credit: string, reason: string, days: [number, number?]) =>
    rows.transfers.push(
      line(
        platformId,
        idAt(at(days[0])),
        debit,
        credit,
        cents,
        'POSTED',
        reason,
        id,
        legId,
        at(days[0]),
        days[1] === undefined ? null : at(days[1]),
      ),
    )
  const pull = { purpose: 'payment_pull', userId: sender.userId, bankId: sender.bankId, direction: 'debit' }
  // next_event, next_at, return_code, created_at, sent_at, settled_at, returned_at
  if (status === 'IN_PROCESS') {
    addLeg({ ...pull, status: 'WAITING' }, ['send', at(4), null, createdAt, null, null, null])
  }
  if (status === 'FAILED') {
    const leg = addLeg({ ...pull, status: 'RETURNED' }, [null, null, 'R01', createdAt, at(0), at(1), at(2)])
    addTransfer(leg, 'world', 'payable', 'pull_sent', [0, 1])
    addTransfer(leg, 'payable', 'world', 'pull_returned', [2])
  }
  if (status === 'PAID') {
    const leg = addLeg({ ...pull, status: 'TRUSTED' }, [null, null, null, createdAt, at(0), at(1), null])
    const push = { purpose: 'payment_push', userId: recipient.userId, bankId: recipient.bankId, direction: 'credit' }
    const pushed = addLeg({ ...push, status: 'SETTLED' }, [null, null, null, at(3), at(3), at(4), null])
    addTransfer(leg, 'world', 'payable', 'pull_sent', [0, 1])
    addTransfer(pushed, 'payable', 'clearing:ACH', 'push_sent', [3])
    addTransfer(pushed, 'clearing:ACH', 'world', 'push_settled', [4])
  }
}

type HappenedEvent = Change & { platformId: string; id: string; rail: 'ACH' | null }

/** A status change and its acknowledged webhook. */
function addEvent(
  rows: FilledRows,
  { platformId, id, rail, status, at }: HappenedEvent,
  { endpointId }: FillEndpoint,
): void {
  const eventId = idAt(at)
  const headers = webhookHeadersText(eventId, at)
  rows.events.push(line(platformId, eventId, 'CHECK', id, paymentEventBody({ id, status, rail }), at))
  rows.deliveries.push(line(platformId, endpointId, eventId, id, 'DELIVERED', 1))
  rows.delivery_attempts.push(
    line(platformId, endpointId, eventId, 1, at, 40, 'acknowledged', 200, headers, '\\\\x6f6b'),
  )
}

/** Sample headers with the length of the result of `webhookHeaders`. */
const webhookHeadersText = (eventId: string, at: Date): string =>
  JSON.stringify({
    'content-type': 'application/json',
    'user-agent': 'Remit-Webhooks/1',
    signature: `nonce=${randomHex(12)},signature=${randomHex(64)}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,${randomHex(44)}`,
  })

/** Adds the record of an Idempotency-Key. The service keeps records for a day. */
function addIdempotencyRecord(rows: FilledRows, { sender, createdAt, number }: FillPayment, id: string): void {
  const answer = `{"id":"${id}","number":${number},"amount":12.5,"date":"2026-01-01 00:00:00","status":"UNPAID","name":"Customer","recipient":"${sender.userName}","description":null,"comment":null,"image_uri":null,"remittance_advice":[]}`
  const digest = () => `\\\\x${randomHex(64)}`
  rows.idempotency_records.push(line(sender.platformId, digest(), digest(), 201, answer, createdAt))
}

/** One description in ten thousand contains a text to search for. */
export const descriptionOf = (index: number): string =>
  index % 10_000 === 777 ? `Invoice ${index}, of the needle works` : `Invoice ${index}, services of the month`

export const AGE_DAYS = 365

/** Payments are spread evenly over the year before `now`. */
export const createdAtOf = (index: number, { count, now }: { count: number; now: Date }): Date =>
  new Date(now.getTime() - Math.ceil(((count - index) / count) * AGE_DAYS * DAY_MS))

/** A UUID version 7 of this time. */
function idAt(time: Date): string {
  return `${time.getTime().toString(16).padStart(12, '0')}7${randomHex(3)}a${randomHex(15)}`
}

let pool = ''
let used = 0

function randomHex(length: number): string {
  if (used + length > pool.length) {
    pool = randomBytes(1 << 16).toString('hex')
    used = 0
  }
  used += length
  return pool.slice(used - length, used)
}
