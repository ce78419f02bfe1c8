import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  SESSION_STATUSES,
  type SessionStatus,
  type SessionTransition,
  sessionTransitions,
  sessionWork,
  statusAfter,
} from './delivery-session-status.ts'

const COLUMNS = ['wake', 'search', 'findAll', 'findPart', 'stop', 'end'] as const satisfies SessionTransition[]

// The status that each transition leads to from each status. A dash means that the transition is refused and the status stays.
const TABLE = `
  status            wake              search      findAll     findPart   stop              end
  CAUGHT_UP         WOKEN             -           -           -          STOPPING          ENDED
  WOKEN             WOKEN             SEARCHING   -           -          STOPPING          -
  BEHIND            BEHIND            SEARCHING   -           -          STOPPING          -
  SEARCHING         SEARCHING_WOKEN   -           CAUGHT_UP   BEHIND     STOPPING_SEARCH   -
  SEARCHING_WOKEN   SEARCHING_WOKEN   -           WOKEN       BEHIND     STOPPING_SEARCH   -
  STOPPING          -                 -           -           -          STOPPING          ENDED
  STOPPING_SEARCH   -                 -           STOPPING    STOPPING   STOPPING_SEARCH   -
  ENDED             -                 -           -           -          -                 -
`
const [header, ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))

test('the table of statuses is complete', () => {
  assert.deepEqual(header, ['status', ...COLUMNS])
  assert.deepEqual(Object.keys(sessionTransitions), COLUMNS)
  assert.deepEqual(
    rows.map(([status]) => status),
    SESSION_STATUSES,
  )
  assert.deepEqual(Object.keys(sessionWork), SESSION_STATUSES)
})

for (const [status, ...targets] of rows as [SessionStatus, ...string[]][]) {
  test(`from ${status}, each transition leads where the table says, or is refused`, () => {
    for (const [index, transition] of COLUMNS.entries()) {
      const target = targets[index] === '-' ? status : targets[index]
      assert.equal(statusAfter(status, transition), target, transition)
      assert.equal(status in sessionTransitions[transition], targets[index] !== '-', transition)
    }
  })
}

test('a session that stops never sends or searches again, and always ends', () => {
  const stopped: SessionStatus[] = ['STOPPING', 'STOPPING_SEARCH', 'ENDED']
  for (const status of stopped) {
    assert.equal(sessionWork[status].isSending, false)
    assert.equal(sessionWork[status].searchesWhen, 'never')
    for (const transition of COLUMNS) assert.ok(stopped.includes(statusAfter(status, transition)))
  }
  assert.equal(sessionWork.STOPPING.endsWhen, 'always')
})

test('a session ends only in a status from which the table lets it end', () => {
  for (const status of SESSION_STATUSES) {
    assert.equal(sessionWork[status].endsWhen !== 'never', status in sessionTransitions.end, status)
    assert.equal(sessionWork[status].searchesWhen !== 'never', status in sessionTransitions.search, status)
  }
})
