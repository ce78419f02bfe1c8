import { ApiError } from '../core/errors.ts'
import { blockOf, type ReturnCode, returnCodes } from '../rail/return-code-rules.ts'

/** The error for a bank with a blocked account. `field`: where the request names the bank. */
export function bankBlocked(code: ReturnCode, field?: string): ApiError {
  const { name } = returnCodes[code]
  const what =
    blockOf(code) === 'debits' ? 'It can receive money but not send it.' : 'It can neither send nor receive money.'
  const message = `This bank account is blocked because an entry was returned with ${code} (${name}). ${what} Use another bank account.`
  return new ApiError('bank_blocked', {
    message,
    ...(field && { fields: { [field]: [`is blocked by return code ${code}. Use another bank account`] } }),
  })
}
