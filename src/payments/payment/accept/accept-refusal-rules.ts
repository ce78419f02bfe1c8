import { ApiError, apiErrors, type ErrorCode } from '../../../foundation/core/errors.ts'
import { formatDollars } from '../../../foundation/core/money.ts'
import { bankBlocked } from '../../../money/bank/bank-block-rules.ts'
import type { ReturnCode } from '../../../money/rail/return-code-rules.ts'
import { recipientProblem } from '../payment-rules.ts'

/** An outcome of `accept_payments_v1` that refuses a payment. The detail is an amount in cents or a return code. */
export type AcceptRefusal = { outcome: string; field: string | null; detail: string | null }

/** The problem with the field that a refusal names. */
const problems: Partial<Record<ErrorCode, string>> = {
  bank_not_found: 'is not an account of this user. Check its id',
  bank_not_verified: 'is not verified yet. Confirm its two micro-deposits first',
  insufficient_funds: 'does not hold enough money',
  payment_limit_reached: 'exceeds the limit for one payment',
  day_limit_reached: 'exceeds what is left of the daily limit',
  month_limit_reached: 'exceeds what is left of the monthly limit',
  check_number_reserved: 'belongs to one of your checkbooks. Use another one',
  signature_needed: 'needs a signature on file. Store one first',
  no_verified_bank: 'is required because the user has no verified default bank',
  recipient_not_found: 'is not a user of this platform or a saved payee with this account. Check the id',
  own_recipient: 'is also the sender. Choose another recipient',
}

/** Returns the error that the caller gets for a refusal of an order to `recipient`. An unknown outcome is a bug. */
export function acceptRefusal({ outcome, field, detail }: AcceptRefusal, recipient: string): Error {
  if (!isErrorCode(outcome)) return new Error(`accept_payments_v1 returned ${outcome}`)
  if (outcome === 'bank_blocked') return bankBlocked(detail as ReturnCode, field ?? undefined)
  if (outcome === 'debt_open') return debtOpen(Number(detail))
  const left = detail === null ? '' : `You can send ${formatDollars(Number(detail))} now`
  const problem = outcome === 'invalid_recipient' ? recipientProblem(recipient) : problems[outcome]
  return new ApiError(outcome, {
    ...(left && { message: `${apiErrors[outcome][1]} ${left}.` }),
    ...(field && problem && { fields: { [field]: [left ? `${problem}. ${left}` : problem] } }),
  })
}

const isErrorCode = (outcome: string): outcome is ErrorCode => Object.hasOwn(apiErrors, outcome)

function debtOpen(cents: number): ApiError {
  const what = `You owe ${formatDollars(cents)} because a debit or a credit was returned after its money was used.`
  return new ApiError('debt_open', { message: `${what} Settle the debt before you send another payment.` })
}
