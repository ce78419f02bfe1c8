import { decimalsOf, readDecimal } from '../../statement/amount-text-rules.ts'
import { FrameProblem } from '../../statement/text-line-rules.ts'
import { createXmlStream, nodeAt, nodesOf, textAt, type XmlNode } from '../../statement/xml-stream-rules.ts'
import type { SentOrder } from './message-types.ts'

/** An order in a message of this service. `message`: its version. `payment`: PmtInfId. `executeOn`: YYYY-MM-DD. */
export type WrittenOrder = SentOrder & { message: string; payment: string; executeOn: string }

/** Reads the orders of a message that this service has written (pain.001). @throws FrameProblem if it is not one */
export function readCreditTransfer(text: string): WrittenOrder[] {
  let document: XmlNode | null = null
  const xml = createXmlStream({
    open: () => {},
    close: (node) => {
      if (node.name === 'Document') document = node
      return true
    },
    damage: (place, message) => {
      throw new FrameProblem(place, message)
    },
  })
  xml.write(text)
  xml.end()
  return ordersOf(document)
}

function ordersOf(document: XmlNode | null): WrittenOrder[] {
  const message = /pain\.001\.\d{3}\.\d{2}$/.exec(document?.attributes.xmlns ?? '')?.[0]
  if (!document || !message) throw new FrameProblem('Document', 'the file is not a pain.001')
  const orders = nodesOf(nodeAt(document, 'CstmrCdtTrfInitn'), 'PmtInf').flatMap((payment) => {
    const executeOn = textAt(payment, 'ReqdExctnDt/Dt') || textAt(payment, 'ReqdExctnDt')
    const ofPayment = { message, payment: textAt(payment, 'PmtInfId'), executeOn }
    return nodesOf(payment, 'CdtTrfTxInf').map((node) => ({ ...ofPayment, ...orderOf(node) }))
  })
  if (orders.length === 0) throw new FrameProblem('CstmrCdtTrfInitn', 'the message has no orders')
  return orders
}

function orderOf(node: XmlNode): SentOrder {
  const amount = nodeAt(node, 'Amt/InstdAmt')
  const currency = amount?.attributes.Ccy ?? ''
  const { cents } = readDecimal(amount?.text ?? '', decimalsOf(currency) ?? 0)
  const legId = textAt(node, 'PmtId/EndToEndId')
  if (!/^[0-9a-f]{32}$/.test(legId) || cents === null || cents <= 0)
    throw new FrameProblem(node.path, 'it is not an order of this service')
  return { legId, cents, currency, uetr: textAt(node, 'PmtId/UETR') || null }
}
