import { formatDollars } from '../../../foundation/core/money.ts'
import { addPage, INK, newDocument, readPdfBytes, rule } from '../../drawing/check-drawing-actions.ts'
import { MUTED, writeLine, writeMuted, writeParagraph } from '../../drawing/text-drawing-actions.ts'

/** The payer or payee: a name, and lines that identify the person or the account. */
export type ReceiptParty = { name: string; lines: readonly string[] }

/** The content of a receipt. Dates are texts for people. */
export type PaperReceipt = {
  number: string
  amountCents: number
  status: string
  outcome: { isFinal: boolean; text: string }
  from: ReceiptParty
  to: ReceiptParty
  facts: readonly (readonly [label: string, value: string])[]
  /** Notes in small letters at the end. */
  notes: readonly string[]
  /** The time at which the receipt was made. The same receipt always gives the same bytes. */
  createdAt: Date
}

/** Lengths in points from the upper left corner of a US Letter page. */
const PAGE = { left: 54, right: 558, middle: 320, value: 190, bottom: 720 } as const
const WIDTH = PAGE.right - PAGE.left
const WARNING = '#8a5300'
const LINE_SIZE = 10.5
const MAX_LINES = 8

/** Draws a receipt as a PDF of one page. */
export function drawReceipt(receipt: PaperReceipt): Promise<Buffer> {
  const { number, amountCents, status, outcome, createdAt } = receipt
  const document = newDocument({ size: 'LETTER', title: `Receipt for payment ${number}`, createdAt })
  addPage(document)
  writeLine(document, 'Payment receipt', { x: PAGE.left, y: 84, width: 250, size: 26, font: 'bold' })
  const corner = { x: PAGE.middle, width: PAGE.right - PAGE.middle, align: 'right' } as const
  writeLine(document, formatDollars(amountCents), { ...corner, y: 78, size: 20, minSize: 10, font: 'bold' })
  writeLine(document, status, { ...corner, y: 96, size: 11 })
  document.fillColor(outcome.isFinal ? INK : WARNING)
  writeLine(document, outcome.text, { x: PAGE.left, y: 122, width: WIDTH, size: 11, minSize: 7, font: 'bold' })
  document.fillColor(INK)
  drawParty(document, { title: 'From', party: receipt.from, x: PAGE.left })
  drawParty(document, { title: 'To', party: receipt.to, x: PAGE.middle })
  rule(document, { from: PAGE.left, to: PAGE.right, y: 226 })
  const bottom = drawFacts(document, receipt.facts)
  rule(document, { from: PAGE.left, to: PAGE.right, y: bottom })
  drawNotes(document, receipt.notes, bottom + 20)
  return readPdfBytes(document)
}

function drawParty(
  document: PDFKit.PDFDocument,
  { title, party, x }: { title: string; party: ReceiptParty; x: number },
): void {
  const line = { x, width: 230, minSize: 7 } as const
  writeMuted(document, title, { ...line, y: 152, size: 8 })
  writeLine(document, party.name, { ...line, y: 169, size: 12, font: 'bold' })
  party.lines.forEach((text, index) => {
    writeLine(document, text, { ...line, y: 185 + index * 15, size: LINE_SIZE })
  })
}

/** Draws the list of facts and returns where it ends. A long text is cut, so that the receipt stays on one page. */
function drawFacts(document: PDFKit.PDFDocument, facts: PaperReceipt['facts']): number {
  let y = 250
  for (const [label, value] of facts) {
    writeMuted(document, label, { x: PAGE.left, y, width: PAGE.value - PAGE.left - 10, size: LINE_SIZE })
    const text = { x: PAGE.value, y, width: PAGE.right - PAGE.value, size: LINE_SIZE, maxLines: MAX_LINES }
    y = writeParagraph(document, value, text) + 5
  }
  return Math.min(y, PAGE.bottom)
}

function drawNotes(document: PDFKit.PDFDocument, notes: PaperReceipt['notes'], top: number): void {
  document.fillColor(MUTED)
  let y = top
  for (const note of notes) y = writeParagraph(document, note, { x: PAGE.left, y, width: WIDTH, size: 8 })
}
