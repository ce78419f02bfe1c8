/** The rails that a bank serves by ISO 20022. */
export const ISO_RAILS = ['WIRE', 'SWIFT', 'RTP'] as const
export type IsoRail = (typeof ISO_RAILS)[number]

/** The versions of the order and of the request to cancel it. They differ in a few elements. */
export const CREDIT_TRANSFERS = ['pain.001.001.09', 'pain.001.001.03'] as const
export const RECALLS = ['camt.055.001.08', 'camt.055.001.05'] as const
export type MessageName = (typeof CREDIT_TRANSFERS)[number] | (typeof RECALLS)[number]
export type CreditTransferName = (typeof CREDIT_TRANSFERS)[number]
export type RecallName = (typeof RECALLS)[number]

/**
 * The letters that a bank can read. `swift`: set X of SWIFT, which every scheme accepts. `ascii`: space to tilde, as in Fedwire and CBPR+.
 * `unicode`: everything.
 */
export const CHARACTER_SETS = ['swift', 'ascii', 'unicode'] as const
export type CharacterSet = (typeof CHARACTER_SETS)[number]

/** Who pays for the transfer: the parties share it, the debtor, the creditor, or as the service level says. */
export const CHARGE_BEARERS = ['SHAR', 'DEBT', 'CRED', 'SLEV'] as const
export type ChargeBearer = (typeof CHARGE_BEARERS)[number]

/** A code of ISO's external lists, or one that the bank agreed with its customer. */
export type CodeOrProprietary = { code: string } | { proprietary: string }

/** What an agreement with a bank says about the orders of one rail. Null leaves the element out. */
export type RailTerms = {
  serviceLevel: CodeOrProprietary | null
  localInstrument: CodeOrProprietary | null
  categoryPurpose: CodeOrProprietary | null
  chargeBearer: ChargeBearer | null
  /** Code of the clearing system whose numbers banks without a BIC have, such as USABA. */
  clearingSystem: string
  /** The bank wants a UETR. Only pain.001.001.09 has one. */
  hasUetr: boolean
  /** The payee’s address is required: town and country at least. */
  needsAddress: boolean
  /** The bank requires a regulatory text. */
  needsRegulatoryText: boolean
  /** The most letters of a name that the rail carries. ISO allows 140. */
  nameLength: number
}

/** What an agreement with a bank says about all messages. */
export type MessageTerms = {
  creditTransfer: CreditTransferName
  recall: RecallName
  characters: CharacterSet
  /** The company that sends the messages. `scheme` is a code of ISO for the kind of id, such as CUST or BANK. */
  initiatingParty: { name: string; id: string | null; scheme: string | null }
  rails: Readonly<Partial<Record<IsoRail, RailTerms>>>
}

/** An address in parts. Banks refuse addresses without parts since November 2026. `country`: two letters. */
export type PostalAddress = {
  street: string | null
  building: string | null
  postalCode: string | null
  town: string
  region: string | null
  country: string
}

/** An IBAN, or a number in the form of the bank. */
export type AccountNumber = { iban: string } | { number: string }

/** A bank, by its BIC or by its number in the clearing system of the rail. */
export type BankIdentity = {
  bic: string | null
  clearingNumber: string | null
  name: string | null
  address: PostalAddress | null
}

/** The account of the operator that is debited. */
export type DebtorAccount = {
  id: string
  holder: string
  address: PostalAddress | null
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
  creditor: { name: string; address: PostalAddress | null; account: AccountNumber }
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
