import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinctPayees, OFFERED_PAYEES } from './drafting-rules.ts'

const payee = (name: string, recipient: string) => ({ name, recipient, address: null })

test('each former payee is offered once, the newest first', () => {
  const found = distinctPayees([
    payee('Grace', 'grace@example.com'),
    payee('Ada', 'ada@example.com'),
    payee('grace', 'Grace@example.com'),
    payee('Grace', 'other@example.com'),
  ])
  assert.deepEqual(
    found.map(({ name, recipient }) => `${name} ${recipient}`),
    ['Grace grace@example.com', 'Ada ada@example.com', 'Grace other@example.com'],
  )
})

test('no more are offered than a list can show', () => {
  const many = Array.from({ length: OFFERED_PAYEES + 1 }, (_, index) => payee('Payee', `${index}@example.com`))
  assert.equal(distinctPayees(many).length, OFFERED_PAYEES)
})
