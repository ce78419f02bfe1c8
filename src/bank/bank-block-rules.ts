import { ApiError } from '../core/errors.ts'
import { blockOf, type ReturnCode, returnCodes } from '../rail/return-code-rules.ts'

/** The error for a bank with a blocked account. `field`: where the request names the bank. */
export function bankBlocked(code: ReturnCode, field?: string): ApiError {
  const { name } = returnCodes[code]
  const what = blockOf(code) === 'debits' ? 'It can be paid into, but not drawn on.' : 'Nothing can be paid or drawn.'
  const message = `This bank account is blocked: an entry came back with ${code} (${name}). ${what} Use another bank account.`
  return new ApiError('bank_blocked', { message, ...(field && { fields: { [field]: [`is blocked (${code})`] } }) })
}
