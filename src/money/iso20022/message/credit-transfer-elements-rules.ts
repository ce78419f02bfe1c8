import type { CreditTransferName, MessageTerms, RailTerms } from '../../../foundation/core/connections.ts'
import { always, type ElementRow, never, row } from './element-table-rules.ts'
import type { CreditOrder, DebtorAccount } from './message-types.ts'
import { accountRows, addressRows, bankRows, codeRows } from './party-elements-rules.ts'

// The elements of pain.001 that Remit writes, in the order of the schemas. Each row: element, value, maximum length, characters, required.

export type HeaderSubject = {
  terms: MessageTerms
  messageId: string
  createdAt: string
  count: number
  sum: string
}

/** The elements of the group header (GrpHdr). */
export const headerElements: readonly ElementRow<HeaderSubject>[] = [
  row('MsgId', ({ messageId }) => messageId, 35, 'reference', always),
  row('CreDtTm', ({ createdAt }) => createdAt, 20, 'time', always),
  row('NbOfTxs', ({ count }) => String(count), 15, 'count', always),
  row('CtrlSum', ({ sum }) => sum, 18, 'amount', always),
  row('InitgPty/Nm', ({ terms }) => terms.initiatingParty.name, 140, 'text', always),
  row('InitgPty/Id/OrgId/Othr/Id', ({ terms }) => terms.initiatingParty.id, 35, 'reference', never),
  row('InitgPty/Id/OrgId/Othr/SchmeNm/Cd', ({ terms }) => schemeOf(terms), 4, 'code', never),
]

const schemeOf = ({ initiatingParty: { id, scheme } }: MessageTerms): string | null => (id === null ? null : scheme)

const bicElementOf = (version: CreditTransferName) => (version === 'pain.001.001.03' ? 'BIC' : 'BICFI')

/** Returns whether an order has a UETR. The bank must want one, and the version must have the element. */
export const hasUetr = (version: CreditTransferName, terms: RailTerms): boolean =>
  terms.hasUetr && version !== 'pain.001.001.03'

export type PaymentSubject = {
  terms: RailTerms
  account: DebtorAccount
  paymentId: string
  executeOn: string
  count: number
  sum: string
}

/**
 * Returns the elements of a payment (PmtInf), which groups the orders of one account, rail and day. The orders themselves are not included.
 */
export const paymentElements = (version: CreditTransferName): readonly ElementRow<PaymentSubject>[] => [
  row('PmtInfId', ({ paymentId }) => paymentId, 35, 'reference', always),
  row('PmtMtd', () => 'TRF', 3, 'code', always),
  row('NbOfTxs', ({ count }) => String(count), 15, 'count', always),
  row('CtrlSum', ({ sum }) => sum, 18, 'amount', always),
  ...codeRows<PaymentSubject>('PmtTpInf/SvcLvl', ({ terms }) => terms.serviceLevel),
  ...codeRows<PaymentSubject>('PmtTpInf/LclInstrm', ({ terms }) => terms.localInstrument),
  ...codeRows<PaymentSubject>('PmtTpInf/CtgyPurp', ({ terms }) => terms.categoryPurpose),
  row(
    version === 'pain.001.001.03' ? 'ReqdExctnDt' : 'ReqdExctnDt/Dt',
    ({ executeOn }) => executeOn,
    10,
    'date',
    always,
  ),
  row('Dbtr/Nm', ({ account }) => account.holder, 140, 'text', always),
  ...addressRows<PaymentSubject>(
    'Dbtr/PstlAdr',
    ({ account }) => account.address,
    () => false,
  ),
  ...accountRows<PaymentSubject>('DbtrAcct', ({ account }) => account.number),
  row('DbtrAcct/Ccy', ({ account }) => account.currency, 3, 'currency', always),
  ...bankRows<PaymentSubject>('DbtrAgt', {
    bankOf: ({ account }) => account.bank,
    isRequired: always,
    clearingSystemOf: ({ terms }) => terms.clearingSystem,
    bicElement: bicElementOf(version),
  }),
  row('ChrgBr', ({ terms }) => terms.chargeBearer, 4, 'code', never),
]

export type OrderSubject = { terms: RailTerms; order: CreditOrder; amount: string; uetr: string }

/** Matches one line of a regulatory text, with at most 35 characters. */
const REGULATORY_LINE = /.{1,35}(?:\s|$)|.{1,35}/gu

/** Returns the elements of one order (CdtTrfTxInf). */
export const orderElements = (version: CreditTransferName, terms: RailTerms): readonly ElementRow<OrderSubject>[] => [
  row('PmtId/InstrId', ({ order }) => order.legId, 35, 'reference', always),
  row('PmtId/EndToEndId', ({ order }) => order.legId, 35, 'reference', always),
  row(hasUetr(version, terms) ? 'PmtId/UETR' : null, ({ uetr }) => uetr, 36, 'uuid', always),
  row(
    'Amt/InstdAmt',
    ({ amount }) => amount,
    19,
    'amount',
    always,
    ({ order }) => ({ Ccy: order.currency }),
  ),
  row('UltmtDbtr/Nm', ({ order }) => order.ultimateDebtor, terms.nameLength, 'text', never),
  ...bankRows<OrderSubject>('IntrmyAgt1', {
    bankOf: ({ order }) => order.intermediaryBank,
    isRequired: ({ order }) => order.intermediaryBank !== null,
    clearingSystemOf: () => terms.clearingSystem,
    bicElement: bicElementOf(version),
  }),
  ...bankRows<OrderSubject>('CdtrAgt', {
    bankOf: ({ order }) => order.creditorBank,
    isRequired: always,
    clearingSystemOf: () => terms.clearingSystem,
    bicElement: bicElementOf(version),
  }),
  row('Cdtr/Nm', ({ order }) => order.creditor.name, terms.nameLength, 'text', always),
  ...addressRows<OrderSubject>(
    'Cdtr/PstlAdr',
    ({ order }) => order.creditor.address,
    () => terms.needsAddress,
  ),
  ...accountRows<OrderSubject>('CdtrAcct', ({ order }) => order.creditor.account),
  row('Purp/Cd', ({ order }) => order.purpose, 4, 'code', never),
  row(
    'RgltryRptg/Dtls/Inf',
    ({ order }) => regulatoryLines(order),
    35,
    'text',
    () => terms.needsRegulatoryText,
  ),
  row('RmtInf/Ustrd', ({ order }) => order.memo, 140, 'text', never),
]

const regulatoryLines = ({ regulatoryText }: CreditOrder): string[] =>
  (regulatoryText?.match(REGULATORY_LINE) ?? []).map((line) => line.trim())
