import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseMasterKeys } from '../../../foundation/core/seal.ts'
import { addDays } from '../../../foundation/lib/clock.ts'
import { lowestIdOf } from '../../../foundation/lib/ids.ts'
import type { LegPurpose, LegRow } from '../../rail/leg-store.ts'
import { matchAtBank } from './ach-restore-actions.ts'
import type { RecoveredEntry } from './ach-restore-store.ts'

const keyRing = parseMasterKeys(`k1:${Buffer.alloc(32, 7).toString('base64')}`)
const recoveredAt = new Date('2026-03-03T20:00:00Z')

const entry = (
  traceNumber: string,
  { account = '1111', ...given }: Partial<RecoveredEntry> & { account?: string },
) => ({
  fileId: 'file',
  traceNumber,
  direction: 'debit' as const,
  cents: 5_000,
  description: 'PAYMENT',
  receiverId: '7',
  accountDigest: keyRing.digest(account, 'ach account', 'k1'),
  fileDay: new Date('2026-03-03T00:00:00Z'),
  recoveredAt,
  isDecided: false,
  ...given,
})

type Given = {
  account?: string
  receiverId?: string
  correctedAt?: Date
  isRetry?: boolean
  purpose?: LegPurpose
  madeAt?: Date
}

const sending = (id: string, given: Given & Partial<Pick<LegRow, 'direction' | 'cents'>> = {}) => {
  const {
    account = '1111',
    receiverId = '7',
    correctedAt = null,
    isRetry = false,
    madeAt = recoveredAt,
    ...leg
  } = given
  return {
    leg: {
      id,
      subjectId: lowestIdOf(madeAt),
      accountId: 'bank',
      purpose: 'payment_pull',
      direction: 'debit',
      cents: 5_000,
      ...leg,
    } as LegRow,
    receiver: { receiverId, account: { accountNumber: account }, correctedAt, isRetry },
  }
}

/** Returns the trace numbers by leg, and those of similar entries with a question mark. */
function matched(
  entries: readonly RecoveredEntry[],
  sendings: readonly ReturnType<typeof sending>[],
  correctedDigests: readonly Buffer[] = [],
) {
  const formerDigests = new Map([['bank', [keyRing.digest('1111', 'ach account', 'k1')]]])
  const { certain, similar } = matchAtBank({ keyRing }, { entries, correctedDigests, formerDigests }, sendings)
  return Object.fromEntries(
    sendings.map(({ leg }) => [
      leg.id,
      certain.get(leg)?.traceNumber ?? similar.get(leg)?.map((one) => `${one.traceNumber}?`),
    ]),
  )
}

suite('an entry at the bank', () => {
  const cases: Record<string, [Parameters<typeof entry>[1], Parameters<typeof sending>[1], unknown]> = {
    'is the one of a leg with its account and receiver': [{}, {}, 'E'],
    'is the one of a leg whose account was corrected after it': [
      {},
      { account: '2222', correctedAt: recoveredAt },
      'E',
    ],
    'may be the one of a leg with its number, whose account was corrected and never had the number of the entry': [
      { account: '3333' },
      { account: '2222', correctedAt: recoveredAt },
      ['E?'],
    ],
    'may be the one of a payment that is made too late to be a repetition, and has its number and account': [
      {},
      { madeAt: addDays(recoveredAt, 8) },
      ['E?'],
    ],
    'is not the one of such a payment if the operator has decided about the entry': [
      { isDecided: true },
      { madeAt: addDays(recoveredAt, 8) },
      undefined,
    ],
    'may be the one of an older payment if the operator has decided about the entry': [{ isDecided: true }, {}, ['E?']],
    'is not the one of a similar payment if the operator has decided about the entry': [
      { isDecided: true },
      { receiverId: '8' },
      undefined,
    ],
    'may be the one of a leg whose account was corrected before it': [
      {},
      { account: '2222', correctedAt: new Date('2026-03-02T23:00:00Z') },
      ['E?'],
    ],
    'may be the one of a payment with another number whose account was corrected after it': [
      { receiverId: '8' },
      { account: '2222', correctedAt: recoveredAt },
      ['E?'],
    ],
    'may be the one of a payment with another number': [{ receiverId: '8' }, {}, ['E?']],
    'may be the one of a payment to another account': [{ account: '2222' }, {}, ['E?']],
    'is not the one of a payment with another number and account': [
      { receiverId: '8', account: '2222' },
      {},
      undefined,
    ],
    'is not the one of another amount': [{}, { cents: 5_001 }, undefined],
    'is not the one of a payout if it is a refund': [
      { direction: 'credit', description: 'REFUND' },
      { direction: 'credit', purpose: 'payment_push' },
      undefined,
    ],
    'is the one of a refund if it is a refund': [
      { direction: 'credit', description: 'REFUND' },
      { direction: 'credit', purpose: 'payment_refund' },
      'E',
    ],
    'is the one of a debit if it is its retry': [{ description: 'RETRY PYMT' }, {}, 'E'],
    'may be the one of a similar payment of the next week': [
      { receiverId: '8' },
      { madeAt: addDays(recoveredAt, 6) },
      ['E?'],
    ],
    'is not the one of a similar payment after that': [
      { receiverId: '8' },
      { madeAt: addDays(recoveredAt, 8) },
      undefined,
    ],
  }
  for (const [title, [ofEntry, ofLeg, expected]] of Object.entries(cases)) {
    test(title, () => assert.deepEqual(matched([entry('E', ofEntry)], [sending('leg', ofLeg)]), { leg: expected }))
  }

  test('may be the one of a payment with another number and account if the account was corrected in the lost time', () => {
    const corrected = [keyRing.digest('1111', 'ach account', 'k1')]
    const entries = [entry('E', { account: '2222' })]
    const [same, other] = [sending('same', { receiverId: '8' }), sending('other', { receiverId: '8', account: '3333' })]
    assert.deepEqual(matched(entries, [same, other], corrected), { same: ['E?'], other: undefined })
    assert.deepEqual(matched(entries, [same]), { same: undefined })
  })

  test('belongs to its own payment before any similar one, in any order', () => {
    const [own, similar] = [sending('own'), sending('similar', { receiverId: '8' })]
    for (const sendings of [
      [own, similar],
      [similar, own],
    ])
      assert.deepEqual(matched([entry('E', {})], sendings), { own: 'E', similar: undefined })
  })

  test('that was sent again in a later file belongs to its payment in that file', () => {
    assert.deepEqual(matched([entry('first', {}), entry('again', {})], [sending('leg')]), { leg: 'again' })
  })

  test('and its retry belong to their own legs, in any order', () => {
    const entries = [entry('first', {}), entry('retry', { description: 'RETRY PYMT' })]
    const [first, retry] = [sending('a'), sending('b', { isRetry: true })]
    for (const sendings of [
      [first, retry],
      [retry, first],
    ])
      assert.deepEqual(matched(entries, sendings), { a: 'first', b: 'retry' })
  })

  test('belongs to one of two equal payments', () => {
    assert.deepEqual(matched([entry('E', {})], [sending('first'), sending('second')]), {
      first: 'E',
      second: undefined,
    })
  })
})
