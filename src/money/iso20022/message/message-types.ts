import type {
  CreditTransferName,
  IsoRail,
  RecallName,
  StructuredAddress,
} from '../../../foundation/core/connections.ts'

export type MessageName = CreditTransferName | RecallName

/** An IBAN, or an account number in the bank's own form. */
export type AccountNumber = { iban: string } | { number: string }

/** A bank, by its BIC or by its number in the clearing system of the rail. */
export type BankIdentity = {
  bic: string | null
  clearingNumber: string | null
  name: string | null
  address: StructuredAddress | null
}

/** The operator's account that is debited. */
export type DebtorAccount = {
  id: string
  holder: string
  address: StructuredAddress | null
  number: AccountNumber
  currency: string
  bank: BankIdentity
}

/** One leg as an order for the bank. Amounts are integers of the smallest unit of the currency. Dates are YYYY-MM-DD. */
export type CreditOrder = {
  legId: string
  rail: IsoRail
  /** The id of the account that is debited. */
  accountId: string
  executeOn: string
  cents: number
  currency: string
  /** The person that the operator pays for. Null: the operator itself. */
  ultimateDebtor: string | null
  creditor: { name: string; address: StructuredAddress | null; account: AccountNumber }
  creditorBank: BankIdentity
  intermediaryBank: BankIdentity | null
  /** A code of ISO's list of purposes, such as SUPP or SALA. */
  purpose: string | null
  memo: string | null
  regulatoryText: string | null
}

/** The problem of one element. `place` is its path. `message` contains no value of the order, except for one character. */
export type ElementProblem = { place: string; message: string }

/** An element to write. It has either a text or child elements. */
export type WrittenElement = {
  name: string
  attributes: Readonly<Record<string, string>>
  text: string | null
  children: WrittenElement[]
}

/** The content of a sent message, for comparison with the bank's answers. */
export type SentMessage = {
  messageId: string
  messageName: MessageName
  payments: readonly SentPayment[]
}
export type SentPayment = { paymentId: string; orders: readonly SentOrder[] }
/** `uetr`: null if the order was written without one. */
export type SentOrder = { legId: string; cents: number; currency: string; uetr: string | null }
