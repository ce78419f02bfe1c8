import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStatus } from '../../../test/support/transitions.ts'
import { APPROVAL_STATUSES, type ApprovalEvent, approvalTransitions } from './approval-status.ts'

test('each event leads an approval from each status to the one of specification.md 5.8, and nowhere else', () => {
  const expected: Record<ApprovalEvent, (string | null)[]> = {
    //       UNPAID     APPROVED VOID
    edit: ['UNPAID', null, null],
    release: ['APPROVED', null, null],
    void: ['VOID', null, null],
    reject: ['VOID', null, null],
    expire: ['VOID', null, null],
  }
  assert.deepEqual([...APPROVAL_STATUSES], ['UNPAID', 'APPROVED', 'VOID'])
  assert.deepEqual(Object.keys(approvalTransitions), Object.keys(expected))
  for (const [event, row] of Object.entries(expected) as [ApprovalEvent, (string | null)[]][]) {
    assert.deepEqual(
      APPROVAL_STATUSES.map((status) => nextStatus(approvalTransitions, event, status)),
      row,
      event,
    )
  }
})
