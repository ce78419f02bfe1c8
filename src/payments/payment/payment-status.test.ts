import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { nextStatus } from '../../../test/support/transitions.ts'
import { PAYMENT_STATUSES, type PaymentEvent, paymentTransitions, UNFINISHED_STATUSES } from './payment-status.ts'

test('each event leads a payment from each status to the one of specification.md 5.2, and nowhere else', () => {
  const expected: Record<PaymentEvent, Partial<Record<(typeof PAYMENT_STATUSES)[number], string>>> = {
    deposit: { UNPAID: 'IN_PROCESS', FAILED: 'IN_PROCESS' },
    receive: { UNPAID: 'PAID' },
    print: { UNPAID: 'PRINTED' },
    send: { UNPAID: 'IN_PROCESS' },
    mail: { IN_PROCESS: 'MAILED' },
    pay: { IN_PROCESS: 'PAID', PRINTED: 'PAID', MAILED: 'PAID' },
    fail: { IN_PROCESS: 'FAILED', PRINTED: 'FAILED', MAILED: 'FAILED', PAID: 'FAILED' },
    reinstate: { FAILED: 'PAID' },
    void: { UNPAID: 'VOID', PRINTED: 'VOID', MAILED: 'VOID', IN_PROCESS: 'VOID', FAILED: 'VOID' },
    expire: { UNPAID: 'EXPIRED', PRINTED: 'EXPIRED', MAILED: 'EXPIRED' },
    refund: { IN_PROCESS: 'REFUNDED', FAILED: 'REFUNDED' },
    refund_return: { REFUNDED: 'FAILED' },
  }
  assert.deepEqual(Object.keys(paymentTransitions), Object.keys(expected))
  assert.equal(PAYMENT_STATUSES.length, 9)
  for (const event of Object.keys(expected) as PaymentEvent[]) {
    for (const status of PAYMENT_STATUSES) {
      const next = nextStatus(paymentTransitions, event, status)
      assert.equal(next, expected[event][status] ?? null, `${event} of ${status}`)
    }
  }
})

test('a payment is unfinished while money or paper can still move', () => {
  assert.deepEqual([...UNFINISHED_STATUSES].sort(), ['IN_PROCESS', 'MAILED', 'PRINTED', 'UNPAID'])
})

// The statements contain a literal list. With a parameter, PostgreSQL would not use the index of payments that can expire.
test('the statuses of payments that can expire are the same in each statement and index as in the table', async () => {
  const root = new URL('../../../', import.meta.url).pathname
  const paths = await Array.fromAsync(glob(['src/**/*.{ts,sql}', 'migrations/*.sql'], { cwd: root }))
  const texts = await Promise.all(paths.map((path) => readFile(`${root}${path}`, 'utf8')))
  const lists = texts.flatMap((text) =>
    [...text.matchAll(/status in \(([^)]*'UNPAID'[^)]*)\)/g)].map(([, list]) => list),
  )
  const open = lists.filter((list) => list?.includes('PRINTED') && !list.includes('REFUNDED'))
  assert.ok(open.length > 3, String(open.length))
  const expected = paymentTransitions.expire.from.map((status) => `'${status}'`).join(', ')
  assert.deepEqual([...new Set(open)], [expected])
})
