import { decimalsOf } from '../../statement/amount-text-rules.ts'
import { type BuiltMessage, UnwritableMessage } from './credit-transfer-rules.ts'
import {
  always,
  documentText,
  type ElementRow,
  elementOf,
  fillTable,
  namespaceOf,
  never,
  row,
} from './element-table-rules.ts'
import type { BankIdentity, CreditTransferName, MessageTerms, RecallName, SentOrder } from './message-types.ts'
import { bankRows } from './party-elements-rules.ts'
import { decimalText } from './value-format-rules.ts'

/** Why an order is called back: ISO’s codes for a cancellation that both versions of the request have. */
export const RECALL_REASONS = {
  CUST: 'The sender asks for it.',
  DUPL: 'It was sent twice.',
  FRAD: 'Somebody else ordered it.',
  TECH: 'A technical fault caused it.',
} as const satisfies Record<string, string>
export type RecallReason = keyof typeof RECALL_REASONS

/** An order that has left, as it was sent. `messageCreatedAt`: of the message that it was in. */
export type RecalledOrder = {
  order: SentOrder
  executeOn: string
  paymentId: string
  messageId: string
  messageName: CreditTransferName
  messageCreatedAt: Date
}

type RecallSubject = RecalledOrder & {
  terms: MessageTerms
  bank: BankIdentity
  clearingSystem: string
  recallId: string
  createdAt: Date
  reason: RecallReason
  text: string | null
}

/**
 * Builds a camt.055 that asks the bank to cancel one order. The bank answers with camt.029, and until then nothing has happened.
 *
 * @param given.recallId the id of the exchange, at most 35 characters
 * @throws UnwritableMessage if an element is missing or cannot be written
 */
export function buildRecall(given: RecallSubject): BuiltMessage {
  const { terms, recallId, order } = given
  const [assignment, control, payment] = [assignmentElements, controlElements, paymentElements(terms.recall)].map(
    (table) => fillTable(table, given, terms.characters),
  )
  const problems = [assignment, control, payment].flatMap((part) => part?.problems ?? [])
  if (problems.length > 0) throw new UnwritableMessage(problems)
  const message = elementOf('CstmrPmtCxlReq', [
    elementOf('Assgnmt', assignment?.elements ?? []),
    elementOf('CtrlData', control?.elements ?? []),
    elementOf('Undrlyg', [elementOf('OrgnlPmtInfAndCxl', payment?.elements ?? [])]),
  ])
  return {
    xml: documentText(namespaceOf(terms.recall), message),
    sent: {
      messageId: recallId,
      messageName: terms.recall,
      payments: [{ paymentId: given.paymentId, orders: [order] }],
    },
  }
}

// The elements of camt.055 that Remit writes. Each row: element, value, longest, characters, required.

const timeText = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

/** From us to the bank (Assgnmt). */
const assignmentElements: readonly ElementRow<RecallSubject>[] = [
  row('Id', ({ recallId }) => recallId, 35, 'reference', always),
  row('Assgnr/Pty/Nm', ({ terms }) => terms.initiatingParty.name, 140, 'text', always),
  row('Assgnr/Pty/Id/OrgId/Othr/Id', ({ terms }) => terms.initiatingParty.id, 35, 'reference', never),
  ...bankRows<RecallSubject>('Assgne/Agt', {
    bankOf: ({ bank }) => bank,
    isRequired: always,
    clearingSystemOf: ({ clearingSystem }) => clearingSystem,
    bicElement: 'BICFI',
  }),
  row('CreDtTm', ({ createdAt }) => timeText(createdAt), 20, 'time', always),
]

const controlElements: readonly ElementRow<RecallSubject>[] = [row('NbOfTxs', () => '1', 15, 'count', always)]

/** The order, with the message and the payment that it was in (OrgnlPmtInfAndCxl). */
const paymentElements = (version: RecallName): readonly ElementRow<RecallSubject>[] => [
  row('OrgnlPmtInfId', ({ paymentId }) => paymentId, 35, 'reference', always),
  row('OrgnlGrpInf/OrgnlMsgId', ({ messageId }) => messageId, 35, 'reference', always),
  row('OrgnlGrpInf/OrgnlMsgNmId', ({ messageName }) => messageName, 35, 'reference', always),
  row('OrgnlGrpInf/OrgnlCreDtTm', ({ messageCreatedAt }) => timeText(messageCreatedAt), 20, 'time', always),
  row('TxInf/CxlId', ({ recallId }) => recallId, 35, 'reference', always),
  row('TxInf/OrgnlInstrId', ({ order }) => order.legId, 35, 'reference', always),
  row('TxInf/OrgnlEndToEndId', ({ order }) => order.legId, 35, 'reference', always),
  row(version === 'camt.055.001.05' ? null : 'TxInf/OrgnlUETR', ({ order }) => order.uetr, 36, 'uuid', never),
  row('TxInf/OrgnlInstdAmt', amountText, 19, 'amount', always, ({ order }) => ({ Ccy: order.currency })),
  row(
    version === 'camt.055.001.05' ? 'TxInf/OrgnlReqdExctnDt' : 'TxInf/OrgnlReqdExctnDt/Dt',
    ({ executeOn }) => executeOn,
    10,
    'date',
    always,
  ),
  row('TxInf/CxlRsnInf/Rsn/Cd', ({ reason }) => reason, 4, 'code', always),
  row('TxInf/CxlRsnInf/AddtlInf', ({ text }) => text, 105, 'text', never),
]

const amountText = ({ order: { cents, currency } }: RecallSubject): string =>
  decimalText(cents, decimalsOf(currency) ?? 2)
