import { fieldError } from '../../foundation/core/errors.ts'
import { isAbaRoutingNumber } from '../../foundation/core/routing-number.ts'

export const DESTINATION_KINDS = ['card', 'paypal', 'venmo', 'interac', 'wire'] as const
export type OtherDestinationKind = (typeof DESTINATION_KINDS)[number]

/** The kinds of destinations that are stored. `vcc` is a virtual card, which Remit issues. */
export type StoredDestinationKind = OtherDestinationKind | 'vcc'

/** Returns whether the digits end in the check digit of a card number (Luhn, ISO/IEC 7812-1). */
export function isCardNumber(text: string): boolean {
  if (!/^\d{12,19}$/.test(text)) return false
  const sum = [...text].toReversed().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** Checks the expiry month of a card, `YYYY-MM`. It must not be over. @throws ApiError invalid_request */
export function requireExpiry(text: string, today: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text) || text < today.slice(0, 7)) {
    throw fieldError('invalid_request', 'expiration_date', 'must be the current month or a later one, as YYYY-MM')
  }
  return text
}

/** Checks the length of a security code: four digits for American Express, three for other networks. @throws ApiError invalid_request */
export function requireCvv(cvv: string, cardNumber: string): void {
  const length = /^3[47]/.test(cardNumber) ? 4 : 3
  if (cvv.length !== length) throw fieldError('invalid_request', 'cvv', `must have ${length} digits for this card`)
}

/** Matches a BIC, such as `DEUTDEFF` or `DEUTDEFF500`: bank, country, location and optionally branch (ISO 9362). */
const BIC = /^[A-Z0-9]{4}([A-Z]{2})[A-Z0-9]{2}([A-Z0-9]{3})?$/

/**
 * Returns the country of a wire: the one in the request, or else the one in the BIC. An ABA routing number means the United States.
 *
 * @throws ApiError invalid_request
 */
export function requireWireBank({
  routing,
  country,
}: {
  routing: string
  country?: string | null | undefined
}): string {
  if (isAbaRoutingNumber(routing)) {
    if (country != null && country !== 'US') {
      throw fieldError(
        'invalid_request',
        'country',
        'must be US for an ABA routing number. For a bank abroad, give its BIC',
      )
    }
    return 'US'
  }
  const [, countryOfBank] = BIC.exec(routing) ?? []
  if (countryOfBank === undefined) {
    throw fieldError('invalid_request', 'routing', 'must be an ABA routing number or a BIC')
  }
  return country ?? countryOfBank
}

export const isBic = (text: string): boolean => BIC.test(text)

/** Checks the account of a wire. If it starts like an IBAN of the country, it must be a valid one (check digits of ISO 13616). */
export function requireWireAccount({ account, country }: { account: string; country: string }): string {
  const looksLikeIban = /^[A-Z]{2}\d{2}/i.test(account) && account.slice(0, 2).toUpperCase() === country
  if (looksLikeIban && !isIban(account.toUpperCase())) {
    throw fieldError('invalid_request', 'account', 'is not a valid IBAN: its check digits do not match')
  }
  return account.toUpperCase()
}

const MIN_IBAN_LENGTH = 15

/** Returns whether a text in capital letters is an IBAN with valid check digits (ISO 13616). */
export function isIban(text: string): boolean {
  if (text.length < MIN_IBAN_LENGTH || !/^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/.test(text)) return false
  const rearranged = text.slice(4) + text.slice(0, 4)
  const digits = [...rearranged].map((character) => Number.parseInt(character, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

/** Masks the details of a destination for a payee without an account. */
export function maskedDetails({ card_number: card, account, username }: Record<string, string>): string | null {
  const digits = card ?? account
  if (digits !== undefined) return maskedDigits(digits)
  if (username === undefined) return null
  const at = username.lastIndexOf('@')
  const [first = ''] = username // takes a whole character, even if it has two UTF-16 units
  return at > 0 ? `${first}•••${username.slice(at)}` : `${first}•••`
}

export const maskedDigits = (digits: string): string => `•••• ${digits.slice(-4)}`
