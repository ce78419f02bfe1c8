import { isEmail } from '../lib/email.ts'
import { fieldError } from '../lib/errors.ts'
import { normalPhone } from '../user/user-rules.ts'

export const DESTINATION_KINDS = ['card', 'paypal', 'venmo', 'interac', 'wire'] as const
export type OtherDestinationKind = (typeof DESTINATION_KINDS)[number]

/** Whether the digits end in the check digit of a card number (Luhn, ISO/IEC 7812-1). */
export function isCardNumber(text: string): boolean {
  if (!/^\d{12,19}$/.test(text)) return false
  const sum = [...text].toReversed().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** The month of a card, `YYYY-MM`, as long as it is not over. @throws ApiError invalid_request */
export function requireExpiry(text: string, today: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text) || text < today.slice(0, 7)) {
    throw fieldError('invalid_request', 'expiration_date', 'must be a month that is not over, as YYYY-MM')
  }
  return text
}

/** An e-mail address or a phone number. @throws ApiError invalid_request */
export function requireContact(text: string, field: string): string {
  const phone = normalPhone(text)
  if (!isEmail(text) && phone === null) {
    throw fieldError('invalid_request', field, 'must be an email address or a phone number')
  }
  return isEmail(text) ? text.toLowerCase() : (phone as string)
}
