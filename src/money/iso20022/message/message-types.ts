import type {
  CreditTransferName,
  IsoRail,
  RecallName,
  StructuredAddress,
} from '../../../foundation/core/connections.ts'

export type MessageName = CreditTransferName | RecallName

/** An IBAN, or a number in the form of the bank. */
export type AccountNumber = { iban: string } | { number: string }

/** A bank, by its BIC or by its number in the clearing system of the rail. */
export type BankIdentity = {
  bic: string | null
  clearingNumber: string | null
  name: string | null
  address: StructuredAddress | null
}

/** The account of the operator that is debited. */
export type DebtorAccount = {
  id: string
  holder: string
  address: StructuredAddress | null
  number: AccountNumber
  currency: string
  bank: BankIdentity
}

/** One leg, as an order for the bank. Amounts are integers of the smallest unit of the currency. Dates are YYYY-MM-DD. */
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
  /** Code of ISO’s list of purposes, such as SUPP or SALA. */
  purpose: string | null
  memo: string | null
  regulatoryText: string | null
}

/** What is wrong with one element. `place` is its path. No message contains a value of the order, except for one letter. */
export type ElementProblem = { place: string; message: string }

/** An element that is written. It has either a text or children. */
export type WrittenElement = {
  name: string
  attributes: Readonly<Record<string, string>>
  text: string | null
  children: WrittenElement[]
}

/** What was sent, for the answers of the bank. */
export type SentMessage = {
  messageId: string
  messageName: MessageName
  payments: readonly SentPayment[]
}
export type SentPayment = { paymentId: string; orders: readonly SentOrder[] }
/** `uetr`: null if the order was written without one. */
export type SentOrder = { legId: string; cents: number; currency: string; uetr: string | null }
