import type { TxDeps } from '../../foundation/db/deps.ts'
import { findStoppedUser, lockUser } from '../../people/user/user-lock-actions.ts'
import { post } from '../ledger/ledger-actions.ts'
import type { PostingRule } from '../ledger/posting-rules.ts'
import { applyLegEvent, type LegHandler, type LegSubject } from '../rail/leg-actions.ts'
import type { LegEvent, LegStatus } from '../rail/leg-status.ts'
import type { LegRow } from '../rail/leg-store.ts'
import { MAGIC_MICRO_DEPOSIT_ACCOUNT } from '../rail/magic-rules.ts'
import { applyConsequence, checkEntryAccount } from './bank-block-actions.ts'
import { applyBankEvent } from './bank-change-actions.ts'
import { findBank } from './bank-store.ts'

/** Applies the events of micro-deposits to their bank. */
export const microDepositLegs: LegHandler = async (deps, legs) => {
  const inOrder = legs.toSorted((a, b) => (a.userId < b.userId ? -1 : 1))
  for (const { platformId, userId } of inOrder) await lockUser(deps, { platformId, userId })
  return legs.map(() => subjectOfMicroDeposits(deps))
}

/** Returns how a bank follows the events of its micro-deposits. The caller must hold the lock on the bank's holder. */
const subjectOfMicroDeposits = (deps: TxDeps): LegSubject => ({
  isReadyToSend: async () => true,
  stopOf: (leg) => findStoppedUser(deps, [leg]),
  abandon: async (leg) => (await applyLegEvent(deps, microDepositLegs, leg, 'cancel')) !== null,
  checkAccount: async (leg) => {
    const bank = { platformId: leg.platformId, bankId: leg.subjectId }
    const { refusal, accountNumber } = await checkEntryAccount(deps, { ...bank, entry: 'debit', holderId: null })
    const isReturned = () => accountNumber() === MAGIC_MICRO_DEPOSIT_ACCOUNT
    return { refusal, magicOutcome: () => (isReturned() ? { fate: 'returned', returnCode: 'R03' } : null) }
  },
  applyEffects: async (leg, event, before) => {
    const rules = microDepositPostings[leg.direction]
    const rule = event === 'return' ? rules.return[before.status] : rules[event]
    if (rule) await post(deps, { platformId: leg.platformId, paymentId: null, legId: leg.id }, rule, leg)
    const isUnfunded = leg.direction === 'debit' && ['R01', 'R09'].includes(leg.returnCode ?? '')
    if (event === 'return' && !isUnfunded) await microDepositReturned(deps, leg)
    const isOfBank = event === 'return' && before.status !== 'WAITING'
    const bank = { platformId: leg.platformId, bankId: leg.subjectId }
    if (isOfBank) await applyConsequence(deps, leg, bank, never)
  },
})

type MicroRules = Partial<Record<Exclude<LegEvent, 'return'>, PostingRule>> & {
  return: Partial<Record<LegStatus, PostingRule>>
}

/** Returns how the status of a bank changes with the events of its micro-deposits. The caller must hold the lock on the bank's holder. */
const microDepositPostings: Record<LegRow['direction'], MicroRules> = {
  credit: {
    send: 'micro_deposit_sent',
    settle: 'micro_deposit_settled',
    recall: 'micro_deposit_returned_unsettled',
    return: {
      SENT: 'micro_deposit_returned_unsettled',
      ACCEPTED: 'micro_deposit_returned_unsettled',
      SETTLED: 'micro_deposit_returned',
    },
  },
  debit: {
    settle: 'micro_offset_settled',
    return: { SETTLED: 'micro_offset_returned', TRUSTED: 'micro_offset_returned' },
  },
}

/** Ends the verification of a bank whose micro-deposit was returned, even if it is still pending. */
async function microDepositReturned(deps: TxDeps, { platformId, subjectId }: LegRow): Promise<void> {
  const bank = await findBank(deps.sql, { platformId, bankId: subjectId })
  if (bank?.status === 'PENDING') await applyBankEvent(deps, bank, 'lapse', { refusal: 'bank_not_pending' })
  if (bank?.status === 'VERIFIED') await applyBankEvent(deps, bank, 'revoke', { refusal: 'bank_not_verified' })
}

/** Throws, because micro-deposits always go to a bank of the same platform. */
const never = () => Promise.reject(new Error('the bank is on another platform'))
