import type { Random } from '../../foundation/lib/ids.ts'

/** A card from its issuer. The number and the security code are shown once. */
export type IssuedCard = { number: string; cvv: string; expirationDate: string }

/** The connection to an issuer of virtual cards. */
export type CardIssuer = {
  issueCard(given: { random: Random; today: string }): IssuedCard
}

export const CARD_TRANSACTION_TYPES = ['LOAD', 'RETURN', 'SPEND'] as const
export type CardTransactionType = (typeof CARD_TRANSACTION_TYPES)[number]

/** The sort orders of card transactions. */
export const cardTransactionSorts = { DATE: 'timestamptz' } as const

/** The first digits of simulated cards, as in the test numbers of card networks. No bank issues such numbers. */
const SIMULATED_PREFIX = '400000'
const RANDOM_DIGITS = 9
const YEARS_VALID = 4

/** Simulates an issuer, for sandbox and demo. */
export const simulatedIssuer: CardIssuer = {
  issueCard: ({ random, today }) => {
    const digits = SIMULATED_PREFIX + randomDigits(random, RANDOM_DIGITS)
    return {
      number: digits + checkDigitOf(digits),
      cvv: randomDigits(random, 3),
      expirationDate: `${Number(today.slice(0, 4)) + YEARS_VALID}${today.slice(4, 7)}`,
    }
  },
}

function randomDigits(random: Random, count: number): string {
  let digits = ''
  while (digits.length < count) {
    const byte = random.bytes(1).readUInt8()
    if (byte < 250) digits += byte % 10 // larger bytes would make the first digits more likely
  }
  return digits
}

/** Returns the digit that makes a card number valid (Luhn, ISO/IEC 7812-1). */
function checkDigitOf(digits: string): number {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return (10 - (sum % 10)) % 10
}
