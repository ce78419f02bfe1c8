import type { Pool } from '../../src/foundation/db/connect.ts'
import type { Answer, Api } from './api.ts'

/** Sends a payment from the default bank of a user. @returns the answer's body */
// biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field
export async function sendPayment(user: Api, order: object = {}): Promise<any> {
  const body = { amount: 10, name: 'Recipient', recipient: 'recipient@example.com', ...order }
  return expectStatus(201, await user.post('/v3/check/digital', body)).body
}

/** Triggers a payment status in the sandbox. */
export async function triggerStatus(user: Api, paymentId: string, status: string, options?: object): Promise<void> {
  expectStatus(204, await user.put(`/v3/check/webhook/${paymentId}`, { status, ...(options && { options }) }))
}

function expectStatus(status: number, answer: Answer): Answer {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status} ${answer.text}`)
  return answer
}

/**
 * Inserts payments of the past without their side effects, the newest one a step before `now`. Their ids begin with
 * their times, like those of the service.
 */
export async function insertPastPayments(
  sql: Pool,
  { platformId, senderId }: { platformId: string; senderId: string },
  {
    count,
    now,
    stepSeconds = 1,
    name = 'Payee',
    recipient = 'payee@example.com',
  }: { count: number; now: Date; stepSeconds?: number; name?: string; recipient?: string },
): Promise<void> {
  await sql`
    insert into payments (
      platform_id, id, sender_id, kind, number, number_is_text, amount_cents, name, recipient, funding_id, deposit_options, status,
      created_at, updated_at, expires_at
    )
    select
      ${platformId}, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
      ${senderId}, 'DIGITAL', n::text, false, 100 + n, ${name}, ${recipient}, ${platformId}, '{}',
      case n % 3 when 0 then 'PAID' when 1 then 'FAILED' else 'UNPAID' end, at, at, at + interval '90 days'
    from (
      select n, ${now}::timestamptz - make_interval(secs => n * ${stepSeconds}::float8) as at
      from generate_series(1, ${count}::integer) n
    ) made
  `
}
