import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStatus } from '../../../test/support/transitions.ts'
import { isAbaRoutingNumber } from '../../foundation/core/routing-number.ts'
import { BANK_STATUSES, type BankEvent, bankTransitions, isSamePair, randomMicroDeposits } from './bank-status.ts'

test('each event leads a bank from each status to the one of specification.md 4.1, and nowhere else', () => {
  const expected: Record<BankEvent, (string | null)[]> = {
    //        DEPOSIT_ONLY PENDING         VERIFIED
    release: ['PENDING', null, null],
    verify: [null, 'VERIFIED', null],
    confirm: ['VERIFIED', null, null],
    lapse: [null, 'DEPOSIT_ONLY', null],
    revoke: [null, null, 'DEPOSIT_ONLY'],
    block: ['DEPOSIT_ONLY', 'DEPOSIT_ONLY', 'DEPOSIT_ONLY'],
  }
  assert.deepEqual([...BANK_STATUSES], ['DEPOSIT_ONLY', 'PENDING', 'VERIFIED'])
  assert.deepEqual(Object.keys(bankTransitions), Object.keys(expected))
  for (const [event, row] of Object.entries(expected) as [BankEvent, (string | null)[]][]) {
    assert.deepEqual(
      BANK_STATUSES.map((status) => nextStatus(bankTransitions, event, status)),
      row,
      event,
    )
  }
})

test('two amounts match in either order, and only if both are right', () => {
  const sent = [7, 15] as const
  for (const [given, isSame] of [
    [[7, 15], true],
    [[15, 7], true],
    [[7, 7], false],
    [[15, 15], false],
    [[7, 16], false],
    [[0, 22], false],
    [[0, 0], false],
  ] as const) {
    assert.equal(isSamePair(given, sent), isSame, given.join())
  }
  assert.equal(isSamePair([7, 7], [7, 7]), true)
})

test('random micro-deposits are two different amounts from 1 to 99 cents, all equally likely', () => {
  const bytes = [197, 255, 198, 0, 0, 99, 98]
  const random = { bytes: (length: number) => Buffer.from(bytes.splice(0, length)) }
  // Bytes 255 and 198 are skipped, because 197 is the largest byte that counts. In the second call, byte 99 gives 1 cent like byte 0 before
  // it, so byte 98 is used.
  assert.deepEqual(randomMicroDeposits(random), [99, 1])
  assert.deepEqual(randomMicroDeposits(random), [1, 99])
})

test('a routing number has nine digits and the check digit of the ABA', () => {
  for (const routing of ['021000021', '011401533', '091000019', '122105155', '322271627']) {
    assert.ok(isAbaRoutingNumber(routing), routing)
    for (let digit = 0; digit < 9; digit++) {
      const wrong = [...routing]
      wrong[digit] = String((Number(wrong[digit]) + 1) % 10)
      assert.ok(!isAbaRoutingNumber(wrong.join('')), wrong.join(''))
    }
  }
  for (const text of [
    '',
    '000000000',
    '02100002',
    '0210000210',
    ' 021000021',
    '021000021\n',
    '02100002a',
    '٠٢١٠٠٠٠٢١',
  ]) {
    assert.ok(!isAbaRoutingNumber(text), JSON.stringify(text))
  }
})
