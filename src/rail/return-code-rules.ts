/** Why a payment came back, and what its sender can do about it (api.md 5). */
export const returnCodes = {
  R01: ['Insufficient funds', 'Try again when the account is funded, or send from another bank.'],
  R02: ['Bank account closed', 'Ask for another bank account.'],
  R03: ['No bank account, or unable to locate it', 'Check the routing and account number, and add the bank again.'],
  A: ['The address is incomplete or wrong', 'Correct the address and send a new check.'],
  B: ['The recipient is not known at the address', 'Ask the recipient for the address and send a new check.'],
  C: ['The mail was refused', 'Ask the recipient how to be paid.'],
  D: ['The mail could not be delivered', 'Check the address and send a new check.'],
  '04': ['The card was refused', 'Ask the recipient for another card.'],
  '05': ['The card issuer did not honor the payment', 'Ask the recipient to call the issuer, or use another card.'],
  '06': ['The card network reported an error', 'Try again later, or use another way to be paid.'],
  R901: ['The payment was stopped by a review', 'Contact the operator of this service.'],
} as const satisfies Record<string, readonly [reason: string, action: string]>

export type ReturnCode = keyof typeof returnCodes
export const RETURN_CODES = Object.keys(returnCodes) as ReturnCode[]
