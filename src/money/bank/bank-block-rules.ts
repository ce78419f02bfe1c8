import { ApiError } from '../../foundation/core/errors.ts'
import { blockedEntries, type ReturnCode, returnCodes } from '../rail/return-code-rules.ts'

/** Creates the error for a bank whose account is blocked. `field`: the field of the request that names the bank. */
export function bankBlocked(code: ReturnCode, field?: string): ApiError {
  const { name } = returnCodes[code]
  const message = `This bank account is blocked because an entry was returned with ${code} (${name}). ${effectOf(code)} Use another bank account.`
  return new ApiError('bank_blocked', {
    message,
    ...(field && { fields: { [field]: [`is blocked by return code ${code}. Use another bank account`] } }),
  })
}

/** Describes the effect of a block. If the block depends on the direction of the returned entry, the text names no direction. */
function effectOf(code: ReturnCode): string {
  const blocked = blockedEntries(code, 'debit')
  if (blocked === 'debits_and_credits') return 'It can neither send nor receive money.'
  return blockedEntries(code, 'credit') === 'debits_and_credits'
    ? 'It takes no such entries.'
    : 'It can receive money but not send it.'
}
