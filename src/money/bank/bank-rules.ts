/** The two URL prefixes of banks (specification.md 4.3). `noun` is the word in the names of the operations. */
export const BANK_PREFIXES = [
  { prefix: '/v3/bank', noun: 'Bank' },
  { prefix: '/v3/account/bank', noun: 'AccountBank' },
] as const

export type BankPrefix = (typeof BANK_PREFIXES)[number]
