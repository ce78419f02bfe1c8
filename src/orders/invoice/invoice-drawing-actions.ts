import { formatDollars } from '../../foundation/core/money.ts'
import { formatLongDate } from '../../foundation/lib/clock.ts'
import { addPage, INK, newDocument, readPdfBytes, rule } from '../../payments/drawing/check-drawing-actions.ts'
import {
  MUTED,
  type TextLine,
  writeLine,
  writeMuted,
  writeParagraph,
} from '../../payments/drawing/text-drawing-actions.ts'
import { type InvoiceItem, type LineTotals, totalsOfItems } from './invoice-items-rules.ts'
import type { InvoiceTerms } from './invoice-terms-rules.ts'

/** The content of a printed invoice. */
export type PaperInvoice = InvoiceTerms & {
  number: string
  /** `YYYY-MM-DD`, a day of the business. */
  date: string
  from: readonly string[]
  to: readonly string[]
  description: string
  amountCents: number
  createdAt: Date
}

/** Lengths in points from the upper left corner of a US Letter page. */
const PAGE = { left: 54, right: 558, middle: 320, top: 72, bottom: 738 } as const
const WIDTH = PAGE.right - PAGE.left
const SMALL = { size: 10, lineHeight: 14 } as const

/** Draws an invoice as a PDF. The same invoice always gives the same bytes. */
export function drawInvoice(invoice: PaperInvoice): Promise<Buffer> {
  const { number, date, description, amountCents, createdAt, dueDate, terms, items } = invoice
  const document = newDocument({ size: 'LETTER', title: `Invoice ${number}`, createdAt })
  newPage(document)
  writeLine(document, 'Invoice', { x: PAGE.left, y: 84, width: 250, size: 26, font: 'bold' })
  const corner = { x: PAGE.middle, width: PAGE.right - PAGE.middle, align: 'right' } as const
  writeLine(document, `Number ${number}`, { ...corner, y: 72, size: 10, minSize: 6 })
  writeLine(document, formatLongDate(new Date(date)), { ...corner, y: 88, size: 10 })
  if (dueDate !== null) {
    writeLine(document, `Due ${formatLongDate(new Date(dueDate))}`, { ...corner, y: 104, size: 10, font: 'bold' })
  }
  drawParty(document, { title: 'From', lines: invoice.from, x: PAGE.left })
  drawParty(document, { title: 'To', lines: invoice.to, x: PAGE.middle })
  rule(document, { from: PAGE.left, to: PAGE.right, y: 250 })
  label(document, 'Description', { x: PAGE.left, y: 268 })
  const belowText = writeParagraph(document, description, { x: PAGE.left, y: 286, width: WIDTH, size: 11 })
  const bottom = items ? drawItems(document, items, belowText) : belowText
  const due = spaceFor(document, bottom, 50)
  rule(document, { from: PAGE.left, to: PAGE.right, y: due + 6 })
  writeLine(document, 'Amount due', { x: PAGE.left, y: due + 32, width: 200, size: 14, font: 'bold' })
  writeLine(document, formatDollars(amountCents), { ...corner, y: due + 32, size: 14, font: 'bold' })
  if (terms !== null) drawTerms(document, terms, due + 64)
  return readPdfBytes(document)
}

function newPage(document: PDFKit.PDFDocument): number {
  addPage(document)
  return PAGE.top
}

/** Returns the position for an element of this height: `y`, or the top of a new page if the element does not fit. */
const spaceFor = (document: PDFKit.PDFDocument, y: number, height: number): number =>
  y + height > PAGE.bottom ? newPage(document) : y

type Column = Pick<TextLine, 'x' | 'width' | 'align'>

const columns = {
  description: { x: PAGE.left, width: 236, align: 'left' },
  quantity: { x: 300, width: 60, align: 'right' },
  price: { x: 366, width: 68, align: 'right' },
  tax: { x: 440, width: 44, align: 'right' },
  amount: { x: 490, width: 68, align: 'right' },
} as const satisfies Record<string, Column>

/** Draws the lines with their amounts without tax, and the sums. @returns the baseline of the next line */
function drawItems(document: PDFKit.PDFDocument, items: readonly InvoiceItem[], top: number): number {
  const { lines, subtotalCents, taxCents } = totalsOfItems(items)
  let y = drawHead(document, spaceFor(document, top + 6, 60))
  for (const [index, item] of items.entries()) {
    const fitting = spaceFor(document, y, heightOf(item))
    y = drawItem(
      document,
      { item, totals: lines[index] as LineTotals },
      fitting === y ? y : drawHead(document, fitting),
    )
  }
  y = spaceFor(document, y + 8, 40)
  for (const [name, cents] of [
    ['Subtotal', subtotalCents],
    ['Tax', taxCents],
  ] as const) {
    writeLine(document, name, { ...columns.price, y, size: SMALL.size })
    writeLine(document, formatDollars(cents), { ...columns.amount, y, size: SMALL.size, minSize: 6 })
    y += SMALL.lineHeight + 2
  }
  return y
}

function drawHead(document: PDFKit.PDFDocument, y: number): number {
  const heads = { description: 'Item', quantity: 'Quantity', price: 'Unit price', tax: 'Tax', amount: 'Amount' }
  document.fillColor(MUTED)
  for (const [name, head] of Object.entries(heads)) {
    writeLine(document, head, { ...columns[name as keyof typeof columns], y: y + 12, size: 8 })
  }
  document.fillColor(INK)
  rule(document, { from: PAGE.left, to: PAGE.right, y: y + 20 })
  return y + 36
}

/** Returns the height of a line. Its description has at most 255 characters. */
const heightOf = ({ description }: InvoiceItem): number => (Math.ceil(description.length / 30) + 1) * SMALL.lineHeight

function drawItem(
  document: PDFKit.PDFDocument,
  { item, totals }: { item: InvoiceItem; totals: LineTotals },
  y: number,
): number {
  const numbers = {
    quantity: String(item.quantityThousandths / 1_000),
    price: formatDollars(item.unitPriceCents),
    tax: item.taxRateThousandths === 0 ? '' : `${item.taxRateThousandths / 1_000}%`,
    amount: formatDollars(totals.netCents),
  }
  for (const [name, text] of Object.entries(numbers)) {
    writeLine(document, text, { ...columns[name as keyof typeof columns], y, size: SMALL.size, minSize: 6 })
  }
  const below = writeParagraph(document, item.description, { ...columns.description, y, size: SMALL.size })
  return Math.max(below, y + SMALL.lineHeight) + 4
}

function drawTerms(document: PDFKit.PDFDocument, terms: string, top: number): void {
  const lines = terms.split('\n')
  const height = lines.reduce((sum, line) => sum + Math.ceil((line.length + 1) / 70) * SMALL.lineHeight, 20)
  let y = spaceFor(document, top, Math.min(height, PAGE.bottom - PAGE.top))
  label(document, 'Terms', { x: PAGE.left, y })
  y += 18
  for (const line of lines) {
    y = spaceFor(document, y, SMALL.lineHeight)
    y =
      line.trim() === ''
        ? y + SMALL.lineHeight
        : writeParagraph(document, line, { x: PAGE.left, y, width: WIDTH, size: SMALL.size })
  }
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

const label = (document: PDFKit.PDFDocument, text: string, { x, y }: { x: number; y: number }) =>
  writeMuted(document, text, { x, y, width: 230, size: 8 })
