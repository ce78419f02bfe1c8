import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStatus } from '../../../test/support/transitions.ts'
import { hasEnoughData, maskNumber, USER_STATUSES, type UserEvent, userTransitions } from './user-status.ts'

test('each event changes a user’s status exactly as specification.md 3.2 says', () => {
  const expected: Record<UserEvent, (string | null)[]> = {
    //        UNVERIFIED   PENDING      VERIFIED     SUSPENDED   CLOSED
    submit: ['PENDING', null, null, null, null],
    verify: ['VERIFIED', 'VERIFIED', null, 'VERIFIED', null],
    suspend: ['SUSPENDED', 'SUSPENDED', 'SUSPENDED', null, null],
    close: ['CLOSED', 'CLOSED', 'CLOSED', 'CLOSED', null],
  }
  assert.deepEqual([...USER_STATUSES], ['UNVERIFIED', 'PENDING', 'VERIFIED', 'SUSPENDED', 'CLOSED'])
  assert.deepEqual(Object.keys(userTransitions), Object.keys(expected))
  for (const [event, row] of Object.entries(expected) as [UserEvent, (string | null)[]][]) {
    assert.deepEqual(
      USER_STATUSES.map((status) => nextStatus(userTransitions, event, status)),
      row,
      event,
    )
  }
})

test('an individual needs name, address, birthday and SSN, or only a phone; a business also needs its name and tax id', () => {
  const nothing = {
    firstName: null,
    lastName: null,
    businessName: null,
    dob: null,
    phone: null,
    hasSsn: false,
    hasTaxId: false,
    hasAddress: false,
  }
  const person = { ...nothing, firstName: 'A', lastName: 'B', dob: '1990-01-01', hasSsn: true, hasAddress: true }
  const business = { ...person, businessName: 'C', hasTaxId: true }
  assert.ok(hasEnoughData(person))
  assert.ok(hasEnoughData(business))
  assert.ok(hasEnoughData({ ...nothing, phone: '+14155552671' }))
  assert.ok(
    !hasEnoughData({ ...nothing, phone: '+14155552671', businessName: 'C' }),
    'a phone is not enough for a business',
  )
  assert.ok(!hasEnoughData(nothing))
  for (const [name, value] of Object.entries(nothing)) {
    if (person[name as keyof typeof person] === value) continue
    assert.ok(!hasEnoughData({ ...person, [name]: value }), `a person without ${name}`)
    assert.ok(!hasEnoughData({ ...business, [name]: value }), `a business without ${name}`)
  }
  assert.ok(!hasEnoughData({ ...business, hasTaxId: false }))
})

test('an SSN and a tax id show only their last four digits', () => {
  assert.equal(maskNumber('123456789'), '*****6789')
  assert.equal(maskNumber('6789'), '*****6789')
})
