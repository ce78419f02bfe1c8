import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CreditLine, differingCredit, type LineContent, type OpenCredit, returnVerdict } from './credit-rules.ts'

const content = (bank: string): LineContent => ({
  ...{ name: null, text: '', references: { bank }, details: [], isReversal: false, returnReason: null },
})

const debit = (bank: string, { kind = 'return', cents = -500 } = {}): CreditLine => ({
  ...{ id: 'line', day: '2026-03-03', place: 'line 1', cents, kind, detailCount: 1, content: content(bank) },
})

const wallet = { platformId: 'platform', walletId: 'wallet' }

const credit = (id: string, bank: string, { cents = 500, day = '2026-03-03' } = {}): OpenCredit => ({
  ...{ ...wallet, id, day, cents, content: content(bank) },
})

test('if there are more credits than are read, only those of the named wallet can be returned', () => {
  const credits = [credit('one', 'BANK-REF-1')]
  const verdict = (line: CreditLine, named = [wallet]) => returnVerdict({ line, named }, { credits, isCut: true })
  assert.deepEqual(verdict(debit('BANK-REF-1')), { credit: credits[0] })
  const reason = 'too many credits have its amount to know which one was returned'
  assert.deepEqual(verdict(debit('BANK-REF-1'), []), { reason })
  assert.deepEqual(
    verdict(debit('BANK-REF-1', { kind: 'other' }), []),
    { reason: null },
    'an ordinary debit is not a return',
  )
})

test('a return with another amount refers to the only credit with its reference, or the only one of its wallet', () => {
  const [one, other] = [credit('one', 'BANK-REF-1'), credit('other', 'BANK-REF-2', { cents: 700 })]
  const differing = (line: CreditLine, credits: readonly OpenCredit[], named = [wallet]) =>
    differingCredit({ line, named }, credits)?.id ?? null
  assert.equal(differing(debit('BANK-REF-2'), [one, other], []), 'other')
  assert.equal(differing(debit('BANK-REF-1'), [one, other], []), null, 'it has the amount of its credit')
  assert.equal(differing(debit('BANK-REF-2', { kind: 'other' }), [one, other], []), null, 'no return')
  assert.equal(differing(debit('BANK-REF-9', { cents: -600 }), [one]), 'one')
  assert.equal(differing(debit('BANK-REF-9', { cents: -600 }), [one, other]), null, 'the wallet has two')
  assert.equal(differing(debit('BANK-REF-9', { cents: -600 }), [one], []), null, 'it names nothing')
})

test('a debit takes back no credit of a later day', () => {
  const [later, earlier] = [{ day: '2026-03-04' }, { day: '2026-03-02' }].map((on) => credit(on.day, 'BANK-REF-1', on))
  const line = debit('BANK-REF-1')
  const verdict = (named: (typeof wallet)[], ...credits: OpenCredit[]) =>
    returnVerdict({ line, named }, { credits, isCut: false })
  assert.deepEqual(verdict([], later as OpenCredit, earlier as OpenCredit), { credit: earlier })
  assert.deepEqual(verdict([], later as OpenCredit), { reason: null })
  assert.deepEqual(verdict([wallet], later as OpenCredit), {
    reason: 'it takes back a credit that the wallet did not get',
  })
  const other = debit('BANK-REF-1', { cents: -600 })
  assert.equal(differingCredit({ line: other, named: [wallet] }, [later as OpenCredit]), null)
})
