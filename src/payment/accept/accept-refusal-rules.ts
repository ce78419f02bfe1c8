import { bankBlocked } from '../../bank/bank-block-rules.ts'
import { ApiError, apiErrors, type ErrorCode } from '../../core/errors.ts'
import { formatDollars } from '../../core/money.ts'
import type { ReturnCode } from '../../rail/return-code-rules.ts'

/** An outcome of `accept_payments_v1` that refuses a payment. The detail is an amount in cents or a return code. */
export type AcceptRefusal = { outcome: string; field: string | null; detail: string | null }

/** The problem with the field that a refusal names. */
const problems: Partial<Record<ErrorCode, string>> = {
  bank_not_found: 'is not an account of this user',
  bank_not_verified: 'is not VERIFIED',
  insufficient_funds: 'does not hold enough',
  payment_limit_reached: 'is above the limit of one payment',
  day_limit_reached: 'is above what is left of the limit of a day',
  month_limit_reached: 'is above what is left of the limit of a month',
  signature_needed: 'needs a stored signature',
  no_verified_bank: 'is needed: there is no default bank that is VERIFIED',
  recipient_not_found: 'is not a user of this platform',
  invalid_recipient: 'is not an email address, a phone number or a user_id',
  own_recipient: 'is the sender',
}

/** The error that the caller gets for a refusal. An unknown outcome is a bug. */
export function acceptRefusal({ outcome, field, detail }: AcceptRefusal): Error {
  if (!isErrorCode(outcome)) return new Error(`accept_payments_v1 returned ${outcome}`)
  if (outcome === 'bank_blocked') return bankBlocked(detail as ReturnCode, field ?? undefined)
  if (outcome === 'debt_open') return debtOpen(Number(detail))
  const left = detail === null ? '' : `: ${formatDollars(Number(detail))} can be sent now`
  const problem = problems[outcome]
  return new ApiError(outcome, {
    ...(left && { message: `${apiErrors[outcome][1].replace(/\.$/, '')}${left}.` }),
    ...(field && problem && { fields: { [field]: [`${problem}${left}`] } }),
  })
}

const isErrorCode = (outcome: string): outcome is ErrorCode => Object.hasOwn(apiErrors, outcome)

function debtOpen(cents: number): ApiError {
  const what = `You owe ${formatDollars(cents)}, because a debit came back after the money was paid out.`
  return new ApiError('debt_open', { message: `${what} Settle it before you send another payment.` })
}
