import { randomUUID } from 'node:crypto'
import { keepMessage } from './kept-messages.ts'

// The bank’s side of ISO 20022 orders. Reads pain.001 and writes pain.002 with its own code, and checks the totals that
// a bank checks.

export type BankOrder = {
  messageId: string
  paymentId: string
  endToEndId: string
  instructionId: string
  cents: number
  currency: string
  executeOn: string
  serviceLevel: string | null
  debtorAccount: string
  payee: string
  payeeTown: string | null
  payeeCountry: string | null
  payeeAccount: string
  payeeBank: string
  memo: string | null
}

/** All contents of an element, in order. */
const all = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`<${name}(?: [^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map((found) =>
    (found[1] ?? '').trim(),
  )

const only = (text: string, name: string): string => {
  const [first] = all(text, name)
  if (first === undefined) throw new Error(`no ${name}`)
  return first
}

const decoded = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const maybe = (text: string | undefined, name: string): string | null => {
  const [first] = text === undefined ? [] : all(text, name)
  return first === undefined ? null : decoded(first)
}

const centsOf = (text: string): number => {
  if (!/^\d+\.\d\d$/.test(text)) throw new Error(`${text} is no amount of dollars`)
  return Number(text.replace('.', ''))
}

/** Reads a message. @throws Error if its counts or sums do not match */
export function readOrders(xml: string): BankOrder[] {
  const header = only(keepMessage(xml), 'GrpHdr')
  const messageId = only(header, 'MsgId')
  const orders = all(xml, 'PmtInf').flatMap((payment) => {
    const [head = ''] = payment.split('<CdtTrfTxInf>')
    const own = all(payment, 'CdtTrfTxInf').map((order): BankOrder => {
      const creditor = only(order, 'Cdtr')
      return {
        messageId,
        paymentId: only(head, 'PmtInfId'),
        endToEndId: only(order, 'EndToEndId'),
        instructionId: only(order, 'InstrId'),
        cents: centsOf(only(order, 'InstdAmt')),
        currency: /InstdAmt Ccy="(\w+)"/.exec(order)?.[1] ?? '',
        executeOn: maybe(all(head, 'ReqdExctnDt')[0], 'Dt') ?? only(head, 'ReqdExctnDt'),
        serviceLevel: maybe(all(head, 'SvcLvl')[0], 'Cd'),
        debtorAccount: only(only(head, 'DbtrAcct'), 'Id').replaceAll(/<[^>]+>|\s/g, ''),
        payee: decoded(only(creditor, 'Nm')),
        payeeTown: maybe(creditor, 'TwnNm'),
        payeeCountry: maybe(creditor, 'Ctry'),
        payeeAccount: only(only(order, 'CdtrAcct'), 'Id').replaceAll(/<[^>]+>|\s/g, ''),
        payeeBank: maybe(order, 'BICFI') ?? only(only(order, 'CdtrAgt'), 'MmbId'),
        memo: maybe(order, 'Ustrd'),
      }
    })
    checkTotals(head, own)
    return own
  })
  checkTotals(header, orders)
  return orders
}

function checkTotals(text: string, orders: readonly BankOrder[]): void {
  const sum = orders.reduce((total, { cents }) => total + cents, 0)
  if (Number(only(text, 'NbOfTxs')) !== orders.length) throw new Error('the number of orders is different')
  if (centsOf(only(text, 'CtrlSum')) !== sum) throw new Error('the sum is different')
}

type Answer = { code: string; reason?: string }

const reasonOf = ({ reason }: Answer): string =>
  reason === undefined ? '' : `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf>`

/** All have the same length, so that a message has the same length in each run of a seed. */
const newMessageId = (): string => randomUUID()

const report = (content: string): string =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><GrpHdr><MsgId>${newMessageId()}</MsgId><CreDtTm>2026-03-02T12:00:00Z</CreDtTm></GrpHdr>${content}</CstmrPmtStsRpt></Document>`

/** Answers single orders of one message. */
export const answerOrders = (orders: readonly (BankOrder & Answer)[]): string =>
  report(
    [
      `<OrgnlGrpInfAndSts><OrgnlMsgId>${orders[0]?.messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId></OrgnlGrpInfAndSts>`,
      ...[...Map.groupBy(orders, ({ paymentId }) => paymentId)].map(
        ([paymentId, own]) =>
          `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${paymentId}</OrgnlPmtInfId>${own
            .map(
              (order) =>
                `<TxInfAndSts><OrgnlEndToEndId>${order.endToEndId}</OrgnlEndToEndId><TxSts>${order.code}</TxSts>${reasonOf(order)}</TxInfAndSts>`,
            )
            .join('')}</OrgnlPmtInfAndSts>`,
      ),
    ].join(''),
  )

/** Answers a whole message. */
export const answerMessage = (messageId: string, answer: Answer): string =>
  report(
    `<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>${answer.code}</GrpSts>${reasonOf(answer)}</OrgnlGrpInfAndSts>`,
  )

export type BankRecall = { recallId: string; messageId: string; paymentId: string; endToEndId: string; reason: string }

/** Reads a request to recall an order (camt.055). */
export function readRecall(xml: string): BankRecall {
  if (only(keepMessage(xml), 'NbOfTxs') !== '1') throw new Error('one order in each request')
  return {
    recallId: only(only(xml, 'Case'), 'Id'),
    messageId: only(xml, 'OrgnlMsgId'),
    paymentId: only(xml, 'OrgnlPmtInfId'),
    endToEndId: only(xml, 'OrgnlEndToEndId'),
    reason: only(only(xml, 'CxlRsnInf'), 'Cd'),
  }
}

const resolution = (content: string): string =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.029.001.09"><RsltnOfInvstgtn><Assgnmt><Id>${newMessageId()}</Id></Assgnmt>${content}</RsltnOfInvstgtn></Document>`

/** Answers a request as a whole (camt.029). */
export const answerRecall = ({ recallId }: BankRecall, code: string): string =>
  resolution(`<RslvdCase><Id>${recallId}</Id></RslvdCase><Sts><Conf>${code}</Conf></Sts>`)

/** Answers a request by the status of its order, whose message is not named: ISO 20022 requires no OrgnlMsgId in a camt.029. */
export const answerUnnamedRecall = (order: { paymentId?: string; endToEndId?: string; uetr?: string }, code: string) =>
  resolution(
    `<CxlDtls><OrgnlPmtInfAndSts><OrgnlPmtInfId>${order.paymentId ?? 'NOTPROVIDED'}</OrgnlPmtInfId><TxInfAndSts>${order.endToEndId === undefined ? '' : `<OrgnlEndToEndId>${order.endToEndId}</OrgnlEndToEndId>`}${order.uetr === undefined ? '' : `<UETR>${order.uetr}</UETR>`}<TxCxlSts>${code}</TxCxlSts></TxInfAndSts></OrgnlPmtInfAndSts></CxlDtls>`,
  )

/** Answers a request by the status of its order (camt.029). */
export const answerRecalledOrder = ({ messageId, paymentId, endToEndId }: BankRecall, code: string): string =>
  resolution(
    `<CxlDtls><OrgnlPmtInfAndSts><OrgnlPmtInfId>${paymentId}</OrgnlPmtInfId><OrgnlGrpInf><OrgnlMsgId>${messageId}</OrgnlMsgId></OrgnlGrpInf><TxInfAndSts><OrgnlEndToEndId>${endToEndId}</OrgnlEndToEndId><TxCxlSts>${code}</TxCxlSts></TxInfAndSts></OrgnlPmtInfAndSts></CxlDtls>`,
  )
