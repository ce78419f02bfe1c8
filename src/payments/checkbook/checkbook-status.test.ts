import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStatus } from '../../../test/support/transitions.ts'
import { CHECKBOOK_STATUSES, type CheckbookEvent, checkbookTransitions } from './checkbook-status.ts'

test('each event leads a checkbook from each status to the one of specification.md 6.2, and nowhere else', () => {
  const expected: Record<CheckbookEvent, (string | null)[]> = {
    //      PENDING       IN_PROCESS MAILED      CANCELED RETURNED
    print: ['IN_PROCESS', null, null, null, null],
    recall: [null, 'PENDING', 'PENDING', null, null],
    mail: [null, 'MAILED', null, null, null],
    cancel: ['CANCELED', null, null, null, null],
    return: [null, null, 'RETURNED', null, null],
  }
  assert.deepEqual([...CHECKBOOK_STATUSES], ['PENDING', 'IN_PROCESS', 'MAILED', 'CANCELED', 'RETURNED'])
  assert.deepEqual(Object.keys(checkbookTransitions), Object.keys(expected))
  for (const [event, row] of Object.entries(expected) as [CheckbookEvent, (string | null)[]][]) {
    assert.deepEqual(
      CHECKBOOK_STATUSES.map((status) => nextStatus(checkbookTransitions, event, status)),
      row,
      event,
    )
  }
})
