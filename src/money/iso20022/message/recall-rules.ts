import type { CreditTransferName, MessageTerms, RecallName } from '../../../foundation/core/connections.ts'
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
import type { BankIdentity, SentOrder } from './message-types.ts'
import { bankRows } from './party-elements-rules.ts'
import { decimalText } from './value-format-rules.ts'

/** The reasons for which an order is recalled: the ISO cancellation codes that both versions of the request have. */
export const RECALL_REASONS = {
  CUST: 'The sender asks for it.',
  DUPL: 'It was sent twice.',
  FRAD: 'An unauthorized person ordered it.',
  TECH: 'A technical fault caused it.',
} as const satisfies Record<string, string>
export type RecallReason = keyof typeof RECALL_REASONS

/** A sent order that is to be recalled. `messageCreatedAt`: the creation time of the message that contained it. */
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
 * Builds a camt.055, which asks the bank to cancel one order. The order is unchanged until the bank answers with a camt.029.
 *
 * @param given.recallId the id of the exchange, at most 35 characters
 * @throws UnwritableMessage if an element is missing or cannot be written
 */
export function buildRecall(given: RecallSubject): BuiltMessage {
  const { terms, recallId, order, paymentId } = given
  const { elements, problems } = fillTable(recallElements(terms.recall), given, terms.characters)
  if (problems.length > 0) throw new UnwritableMessage(problems)
  return {
    xml: documentText(namespaceOf(terms.recall), elementOf('CstmrPmtCxlReq', elements)),
    sent: { messageId: recallId, messageName: terms.recall, payments: [{ paymentId, orders: [order] }] },
  }
}

const timeText = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

const amountText = ({ order: { cents, currency } }: RecallSubject): string =>
  decimalText(cents, decimalsOf(currency) ?? 2)

/** The path of the payment and the order to cancel. */
const PAYMENT = 'Undrlyg/OrgnlPmtInfAndCxl'
const ORDER = `${PAYMENT}/TxInf`

/** Returns the elements of camt.055 that Remit writes. Each row: element, value, maximum length, characters, required. */
function recallElements(version: RecallName): readonly ElementRow<RecallSubject>[] {
  const isOlder = version === 'camt.055.001.05'
  const day = isOlder ? `${ORDER}/OrgnlReqdExctnDt` : `${ORDER}/OrgnlReqdExctnDt/Dt`
  return [
    // From us to the bank
    row('Assgnmt/Id', ({ recallId }) => recallId, 35, 'reference', always),
    row('Assgnmt/Assgnr/Pty/Nm', ({ terms }) => terms.initiatingParty.name, 140, 'text', always),
    row('Assgnmt/Assgnr/Pty/Id/OrgId/Othr/Id', ({ terms }) => terms.initiatingParty.id, 35, 'reference', never),
    ...bankRows<RecallSubject>('Assgnmt/Assgne/Agt', {
      bankOf: ({ bank }) => bank,
      isRequired: always,
      clearingSystemOf: ({ clearingSystem }) => clearingSystem,
      bicElement: 'BICFI',
    }),
    row('Assgnmt/CreDtTm', ({ createdAt }) => timeText(createdAt), 20, 'time', always),
    // The id that an answer without details names
    row('Case/Id', ({ recallId }) => recallId, 35, 'reference', always),
    row('Case/Cretr/Pty/Nm', ({ terms }) => terms.initiatingParty.name, 140, 'text', always),
    row('CtrlData/NbOfTxs', () => '1', 15, 'count', always),
    // The order to cancel, with its payment and its message
    row(`${PAYMENT}/OrgnlPmtInfId`, ({ paymentId }) => paymentId, 35, 'reference', always),
    row(`${PAYMENT}/OrgnlGrpInf/OrgnlMsgId`, ({ messageId }) => messageId, 35, 'reference', always),
    row(`${PAYMENT}/OrgnlGrpInf/OrgnlMsgNmId`, ({ messageName }) => messageName, 35, 'reference', always),
    row(`${PAYMENT}/OrgnlGrpInf/OrgnlCreDtTm`, (one) => timeText(one.messageCreatedAt), 20, 'time', always),
    row(`${ORDER}/CxlId`, ({ recallId }) => recallId, 35, 'reference', always),
    row(`${ORDER}/OrgnlInstrId`, ({ order }) => order.legId, 35, 'reference', always),
    row(`${ORDER}/OrgnlEndToEndId`, ({ order }) => order.legId, 35, 'reference', always),
    row(isOlder ? null : `${ORDER}/OrgnlUETR`, ({ order }) => order.uetr, 36, 'uuid', never),
    row(`${ORDER}/OrgnlInstdAmt`, amountText, 19, 'amount', always, ({ order }) => ({ Ccy: order.currency })),
    row(day, ({ executeOn }) => executeOn, 10, 'date', always),
    row(`${ORDER}/CxlRsnInf/Rsn/Cd`, ({ reason }) => reason, 4, 'code', always),
    row(`${ORDER}/CxlRsnInf/AddtlInf`, ({ text }) => text, 105, 'text', never),
  ]
}
