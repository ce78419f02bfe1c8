import { bytesOf, INK, newDocument, rule } from '../check/drawing/check-drawing-actions.ts'
import { MUTED, writeLine, writeParagraph } from '../check/drawing/text-drawing-actions.ts'
import { formatDollars } from '../core/money.ts'

/** What an invoice shows on paper. */
export type PaperInvoice = {
  number: string
  date: string
  from: readonly string[]
  to: readonly string[]
  description: string
  amountCents: number
  createdAt: Date
}

/** Lengths in points from the upper left corner of a US Letter page. */
const PAGE = { left: 54, right: 558, middle: 320 } as const
const WIDTH = PAGE.right - PAGE.left

/** An invoice as a PDF of one page. The same invoice gives the same bytes. */
export function drawInvoice(invoice: PaperInvoice): Promise<Buffer> {
  const { number, date, description, amountCents, createdAt } = invoice
  const document = newDocument({ size: 'LETTER', title: `Invoice ${number}`, createdAt })
  document.addPage().fillColor(INK).strokeColor(INK).lineWidth(0.5)
  writeLine(document, 'Invoice', { x: PAGE.left, y: 84, width: 250, size: 26, font: 'bold' })
  const corner = { x: PAGE.middle, width: PAGE.right - PAGE.middle, align: 'right' } as const
  writeLine(document, `Number ${number}`, { ...corner, y: 72, size: 10, minSize: 6 })
  writeLine(document, date, { ...corner, y: 88, size: 10 })
  drawParty(document, { title: 'From', lines: invoice.from, x: PAGE.left })
  drawParty(document, { title: 'To', lines: invoice.to, x: PAGE.middle })
  rule(document, { from: PAGE.left, to: PAGE.right, y: 250 })
  label(document, 'Description', { x: PAGE.left, y: 268 })
  const bottom = writeParagraph(document, description, { x: PAGE.left, y: 286, width: WIDTH, size: 11 })
  rule(document, { from: PAGE.left, to: PAGE.right, y: bottom + 6 })
  writeLine(document, 'Amount due', { x: PAGE.left, y: bottom + 32, width: 200, size: 14, font: 'bold' })
  writeLine(document, formatDollars(amountCents), { ...corner, y: bottom + 32, size: 14, font: 'bold' })
  return bytesOf(document)
}

function drawParty(
  document: PDFKit.PDFDocument,
  { title, lines, x }: { title: string; lines: readonly string[]; x: number },
): void {
  label(document, title, { x, y: 140 })
  lines.forEach((line, index) => {
    writeLine(document, line, { x, y: 158 + index * 15, width: 230, size: 11, minSize: 7 })
  })
}

function label(document: PDFKit.PDFDocument, text: string, { x, y }: { x: number; y: number }): void {
  document.fillColor(MUTED)
  writeLine(document, text, { x, y, width: 230, size: 8 })
  document.fillColor(INK)
}
