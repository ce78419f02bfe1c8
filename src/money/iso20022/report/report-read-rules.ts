import { decimalsOf, readDecimal } from '../../statement/amount-text-rules.ts'
import { FrameProblem } from '../../statement/text-line-rules.ts'
import { createXmlStream, nodeAt, nodesOf, placeOf, textAt, type XmlNode } from '../../statement/xml-stream-rules.ts'
import {
  GROUP,
  PAYMENT,
  REPORT_NAMESPACE,
  REPORT_VERSIONS,
  type ReportLayout,
  reportLayouts,
  TRANSACTION,
} from './report-layout-rules.ts'
import type { ReportEvent, ReportedStatus, ReportLevel, ReportProblemScope, ReportReason } from './report-types.ts'

export type ReportReader = { write(text: string): void; end(): void }

/** The maximum number of reasons that are kept of a status. Each text has the maximum length below. */
const MAX_REASONS = 20
const MAX_TEXT = 500

/** Reads pain.002 and camt.029 of any version in pieces, with any prefix and inside any envelope. @throws FrameProblem */
export function createReportReader(emit: (event: ReportEvent) => void): ReportReader {
  const reading = new ReportReading(emit)
  const xml = createXmlStream({
    open: (node) => reading.open(node),
    close: (node) => reading.close(node),
    damage: (place, message) => emit({ type: 'problem', problem: { scope: 'field', place, message } }),
  })
  return {
    write: (text) => xml.write(text),
    end: () => {
      xml.end()
      reading.end()
    },
  }
}

/** The state of reading a document, with the open elements that statuses belong to. */
class ReportReading {
  private readonly emit: (event: ReportEvent) => void
  private reports = 0
  /** The element of the message, with the places of its values. */
  private message: { node: XmlNode; layout: ReportLayout; isBegun: boolean } | null = null
  /** The id of our message that the statuses concern. */
  private messageId: string | null = null
  private payment: { node: XmlNode; told: string | null } | null = null
  private isInTransaction = false
  /** Whether a report has ended and nothing has followed yet. */
  private isEnding = false

  constructor(emit: (event: ReportEvent) => void) {
    this.emit = emit
  }

  open(node: XmlNode): void {
    this.tellEnd()
    this.checkVersion(node)
    const layout = reportLayouts[node.name]
    if (layout && !this.message) {
      this.message = { node, layout, isBegun: false }
      this.messageId = null
    } else if (!this.message) {
      if (node.name === TRANSACTION) this.tell('status', node, 'a status outside of a report')
    } else if (node.name === this.message.layout.scope) this.messageId = null
    else if (node.name === PAYMENT) this.payment = { node, told: null }
    else if (node.name === TRANSACTION) {
      this.tellPayment()
      this.isInTransaction = true
    }
  }

  /** Handles the end of an element. @returns whether the parent keeps the element */
  close(node: XmlNode): boolean {
    this.tellEnd()
    if (!this.message) return false
    if (node === this.message.node) return this.closeMessage()
    if (this.isInTransaction && node.name !== TRANSACTION) return true
    if (node.name === GROUP) {
      this.messageId = idAt(node, 'OrgnlMsgId')
      this.tellStatus(node, 'group', null)
    } else if (node.name === TRANSACTION) {
      this.isInTransaction = false
      this.tellStatus(node, 'transaction', this.payment?.node ?? null)
    } else if (node === this.payment?.node) {
      this.tellPayment()
      this.payment = null
    } else return true
    return false
  }

  end(): void {
    this.tellEnd()
    if (this.reports === 0) throw new FrameProblem('line 1', 'the file has no pain.002 or camt.029 message')
  }

  private closeMessage(): boolean {
    this.begin()
    this.message = null
    this.isEnding = true
    return false
  }

  /** Emits the end of a report. This happens late, because the parser closes an element without an end tag before it reports the error. */
  private tellEnd(): void {
    if (this.isEnding) this.emit({ type: 'end' })
    this.isEnding = false
  }

  private tell(scope: ReportProblemScope, node: XmlNode, message: string): void {
    this.emit({ type: 'problem', problem: { scope, place: placeOf(node), message } })
  }

  private checkVersion(node: XmlNode): void {
    for (const [name, value] of Object.entries(node.attributes)) {
      const [, version] = (name.startsWith('xmlns') && REPORT_NAMESPACE.exec(value)) || []
      const { from, to } = REPORT_VERSIONS
      if (version !== undefined && (Number(version) < from || Number(version) > to))
        this.tell('field', node, `version ${Number(version)} of the message. Versions ${from} to ${to} are known`)
    }
  }

  /** Emits the beginning of a report at its first status or its end, because the id of the report comes before them. */
  private begin(): void {
    if (!this.message || this.message.isBegun) return
    const { node, layout } = this.message
    this.message.isBegun = true
    this.reports++
    const textOf = (path: string | null) => (path === null ? null : textAt(node, path) || null)
    this.emit({
      type: 'report',
      report: {
        place: placeOf(node),
        kind: layout.kind,
        id: textOf(layout.id),
        caseId: textOf(layout.caseId),
        conclusion: textOf(layout.conclusion),
      },
    })
  }

  /** Emits the status of a payment before those of its orders, which follow it in the file. */
  private tellPayment(): void {
    if (!this.payment || !this.message) return
    const { node, told } = this.payment
    const code = textAt(node, this.message.layout.status.payment)
    const isNamed = code !== '' || idAt(node, 'OrgnlPmtInfId') !== null
    if (told === null && isNamed) this.tellStatus(node, 'payment', node)
    else if (told !== null && told !== code)
      this.tell('status', node, 'the status of the payment follows those of its orders')
    this.payment.told = code
  }

  private tellStatus(node: XmlNode, level: ReportLevel, payment: XmlNode | null): void {
    this.begin()
    const { layout } = this.message as { layout: ReportLayout }
    const textOf = (path: string) => textAt(node, path) || null
    const own = idAt(node, 'OrgnlGrpInf/OrgnlMsgId') ?? idAt(payment, 'OrgnlGrpInf/OrgnlMsgId')
    const isTransaction = level === 'transaction'
    this.emit({
      type: 'status',
      status: {
        place: placeOf(node),
        level,
        messageId: own ?? this.messageId,
        paymentId: idAt(payment, 'OrgnlPmtInfId'),
        instructionId: isTransaction ? idAt(node, 'OrgnlInstrId') : null,
        endToEndId: isTransaction ? idAt(node, 'OrgnlEndToEndId') : null,
        uetr: isTransaction ? (layout.uetr.map(textOf).find((text) => text !== null) ?? null) : null,
        code: textOf(layout.status[level]),
        reasons: reasonsOf(node, layout),
        amount: isTransaction ? this.amountOf(node, layout) : null,
        bankReference: textOf('AcctSvcrRef'),
        ...(isTransaction ? { orderCount: null, counts: [] } : this.countsOf(node, layout)),
      },
    })
  }

  private amountOf(node: XmlNode, layout: ReportLayout): ReportedStatus['amount'] {
    const amount = layout.amounts.map((path) => nodeAt(node, path)).find((found) => found !== null)
    if (!amount) return null
    const currency = amount.attributes.Ccy ?? ''
    const decimals = decimalsOf(currency)
    const { cents, problem } =
      decimals === null
        ? { cents: null, problem: 'the currency (Ccy) is missing or no code of three letters' }
        : readDecimal(amount.text.trim(), decimals)
    if (cents !== null) return { cents, currency }
    this.tell('field', amount, problem)
    return null
  }

  private countsOf(node: XmlNode, layout: ReportLayout): Pick<ReportedStatus, 'orderCount' | 'counts'> {
    const countAt = (parent: XmlNode, path: string): number | null => {
      const found = nodeAt(parent, path)
      const text = found?.text.trim() ?? ''
      if (/^\d{1,15}$/.test(text)) return Number(text)
      if (found) this.tell('field', found, 'the number of orders is no number')
      return null
    }
    return {
      orderCount: countAt(node, 'OrgnlNbOfTxs'),
      counts: nodesOf(node, layout.counts).flatMap((one) => {
        const count = countAt(one, 'DtldNbOfTxs')
        return count === null ? [] : [{ code: textAt(one, 'DtldSts'), count }]
      }),
    }
  }
}

/** Returns an id, or null if it is missing. ISO 20022 writes NOTPROVIDED where an id is required and unknown. */
function idAt(node: XmlNode | null, path: string): string | null {
  const text = textAt(node, path)
  return text === '' || text === 'NOTPROVIDED' ? null : text
}

const reasonsOf = (node: XmlNode, layout: ReportLayout): ReportReason[] =>
  nodesOf(node, layout.reasons)
    .slice(0, MAX_REASONS)
    .map((one) => ({
      code: textAt(one, 'Rsn/Cd') || textAt(one, 'Rsn/Prtry') || null,
      text: nodesOf(one, 'AddtlInf')
        .map(({ text }) => text.trim())
        .join(' ')
        .slice(0, MAX_TEXT),
    }))
