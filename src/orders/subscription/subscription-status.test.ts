import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStatus } from '../../../test/support/transitions.ts'
import { SUBSCRIPTION_STATES, type SubscriptionEvent, subscriptionTransitions } from './subscription-status.ts'

test('each event leads a subscription from each state to the one of specification.md 5.9, and nowhere else', () => {
  const expected: Record<SubscriptionEvent, (string | null)[]> = {
    //      ACTIVE      ENDED CANCELED
    run: ['ACTIVE', null, null],
    end: ['ENDED', null, null],
    cancel: ['CANCELED', null, null],
  }
  assert.deepEqual([...SUBSCRIPTION_STATES], ['ACTIVE', 'ENDED', 'CANCELED'])
  assert.deepEqual(Object.keys(subscriptionTransitions), Object.keys(expected))
  for (const [event, row] of Object.entries(expected) as [SubscriptionEvent, (string | null)[]][]) {
    assert.deepEqual(
      SUBSCRIPTION_STATES.map((state) => nextStatus(subscriptionTransitions, event, state)),
      row,
      event,
    )
  }
})
