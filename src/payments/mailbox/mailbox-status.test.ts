import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStatus } from '../../../test/support/transitions.ts'
import { MAILBOX_STATUSES, type MailboxEvent, mailboxTransitions } from './mailbox-status.ts'

test('each event leads a mailbox from each status to the one of specification.md 6.3, and nowhere else', () => {
  const expected: Record<MailboxEvent, (string | null)[]> = {
    //      ACTIVE    CLOSED
    close: ['CLOSED', null],
  }
  assert.deepEqual([...MAILBOX_STATUSES], ['ACTIVE', 'CLOSED'])
  assert.deepEqual(Object.keys(mailboxTransitions), Object.keys(expected))
  for (const [event, row] of Object.entries(expected) as [MailboxEvent, (string | null)[]][]) {
    assert.deepEqual(
      MAILBOX_STATUSES.map((status) => nextStatus(mailboxTransitions, event, status)),
      row,
      event,
    )
  }
})
