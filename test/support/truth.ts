import assert from 'node:assert/strict'
import type { Pool } from '../../src/foundation/db/connect.ts'
import type { Answer, Api } from './api.ts'

/** A requested payment. `mark` is its description, which identifies it regardless of the answer. */
export type RequestedPayment = { user: Api; mark: string; key: string | null; answer: Answer }

let markCount = 0

/** Requests a payment. */
export async function ask(
  user: Api,
  { key = null, ...order }: { key?: string | null; description?: string; recipient?: unknown } = {},
): Promise<RequestedPayment> {
  const mark = `payment ${++markCount}`
  const body = { amount: 1, name: 'Recipient', recipient: 'recipient@example.com', description: mark, ...order }
  const answer = await user.post('/v3/check/digital', body, key === null ? {} : { idempotencyKey: key })
  return { user, mark: body.description, key, answer }
}

/**
 * Checks that every answer is correct: the payment of a 201 exists once, and other answers created none, except
 * `outcome_unknown`.
 * @returns the number of payments
 */
export async function assertTruth(sql: Pool, asked: RequestedPayment[]): Promise<number> {
  const rows = await sql<{ id: string; description: string; number: string }[]>`
    select id, description, number
    from payments
    where description = any (${asked.map(({ mark }) => mark)})
  `
  const made = Map.groupBy(rows, ({ description }) => description)
  for (const { mark, answer } of asked) {
    const payments = made.get(mark) ?? []
    const said = `${mark}: ${answer.status} ${answer.text}`
    assert.ok(payments.length <= 1, `made ${payments.length} times: ${said}`)
    if (answer.status === 201) {
      assert.equal(payments[0]?.id, answer.body.id, `not made: ${said}`)
      assert.equal(payments[0]?.number, String(answer.body.number), said)
    } else {
      assert.equal(answer.status, 503, said)
      assert.ok(answer.headers.get('retry-after'), said)
      if (answer.body.code !== 'outcome_unknown')
        assert.equal(payments.length, 0, `created although it was refused: ${said}`)
    }
  }
  return rows.length
}

/** Checks that the numbers of a user's payments are 1, 2, 3 …, without gaps and duplicates. */
export async function assertNumbersInOrder(sql: Pool, userIds: string[]): Promise<void> {
  for (const userId of userIds) {
    const rows = await sql<{ number: number }[]>`
      select number::integer as number
      from payments
      where sender_id = ${userId} and not number_is_text
      order by 1
    `
    assert.deepEqual(
      rows.map(({ number }) => number),
      rows.map((_, index) => index + 1),
    )
  }
}
