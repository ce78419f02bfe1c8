import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStatus } from '../../../test/support/transitions.ts'
import { RECIPIENT_STATUSES, type RecipientEvent, recipientTransitions } from './payment-recipient-status.ts'

test('each event leads a recipient from each status to the one of specification.md 5.10, and nowhere else', () => {
  const expected: Record<RecipientEvent, (string | null)[]> = {
    //        WAITING      ENDORSED     DEPOSITOR
    endorse: ['ENDORSED', null, null],
    deposit: ['DEPOSITOR', 'DEPOSITOR', null],
  }
  assert.deepEqual([...RECIPIENT_STATUSES], ['WAITING', 'ENDORSED', 'DEPOSITOR'])
  assert.deepEqual(Object.keys(recipientTransitions), Object.keys(expected))
  for (const [event, row] of Object.entries(expected) as [RecipientEvent, (string | null)[]][]) {
    assert.deepEqual(
      RECIPIENT_STATUSES.map((status) => nextStatus(recipientTransitions, event, status)),
      row,
      event,
    )
  }
})
