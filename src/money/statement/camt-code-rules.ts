import type { BalanceKind, LineKind } from './statement-types.ts'

// The ISO 20022 codes that Remit uses, from the external code sets of bank transactions and balances.

/** The subfamilies that are more specific than their family: returns, fees and interest. */
const SUBFAMILIES: Readonly<Record<string, LineKind>> = {
  ARET: 'return', // ACH return
  AREV: 'return', // ACH reversal
  CQRV: 'return', // cheque reversal
  PRDD: 'return', // reversal due to payment reversal
  RPCR: 'return', // reversal due to a payment cancellation request
  RRTN: 'return', // reversal due to a payment return
  UPCQ: 'return', // unpaid cheque
  UPCT: 'return', // unpaid card transaction
  UPDD: 'return', // unpaid direct debit
  CHRG: 'fee', // charges
  COMM: 'fee', // commission
  FEES: 'fee',
  INTR: 'interest',
  ACDT: 'ach', // ACH credit
  ADBT: 'ach', // ACH debit
  APAC: 'ach', // ACH pre-authorised
  ASET: 'ach', // ACH settlement
  ATXN: 'ach', // ACH transaction
  BOOK: 'transfer', // internal book transfer
  XBCT: 'wire', // cross-border credit transfer
}

/** The families of the domain PMNT. A credit transfer can be ACH or a wire, which only its subfamily shows. */
const FAMILIES: Readonly<Record<string, LineKind>> = {
  RRCT: 'realtime', // received real-time credit transfers
  IRCT: 'realtime', // issued real-time credit transfers
  RCHQ: 'check', // received cheques
  ICHQ: 'check', // issued cheques
  CCRD: 'card', // customer card transactions
  MCRD: 'card', // merchant card transactions
  CNTR: 'deposit', // counter transactions
  LBOX: 'deposit', // lockbox transactions
  RCDT: 'other', // received credit transfers
  ICDT: 'other', // issued credit transfers
  RDDT: 'other', // received direct debits
  IDDT: 'other', // issued direct debits
}

/** Returns the kind of a code such as `PMNT/ICDT/ESCT`. Codes that are not in the table, and the bank's own codes, are `unknown`. */
export function kindOfBankCode(code: string): LineKind {
  const [domain = '', family = '', subfamily = ''] = code.split('/')
  const isAccount = domain === 'ACMT' || domain === 'PMNT' || domain === 'CAMT'
  if (!isAccount) return 'unknown'
  return SUBFAMILIES[subfamily] ?? (domain === 'PMNT' ? FAMILIES[family] : undefined) ?? 'unknown'
}

const BALANCES: Readonly<Record<string, BalanceKind>> = {
  OPBD: 'opening', // opening booked
  PRCD: 'opening', // previously closed booked
  CLBD: 'closing', // closing booked
  ITBD: 'interim', // interim booked
  OPAV: 'available', // opening available
  CLAV: 'available', // closing available
  ITAV: 'available', // interim available
}

export const balanceKindOfCode = (code: string): BalanceKind => BALANCES[code] ?? 'other'
