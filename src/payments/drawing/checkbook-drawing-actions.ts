import {
  addPage,
  CHECK,
  drawHead,
  drawMark,
  drawMicrLine,
  newDocument,
  readPdfBytes,
  rule,
} from './check-drawing-actions.ts'
import { micrLine } from './micr-rules.ts'
import type { PaperBank, PaperCheck, PaperParty } from './paper-check-rules.ts'
import { writeLine } from './text-drawing-actions.ts'

/** Blank checks with consecutive numbers. */
export type BlankChecks = {
  firstNumber: number
  count: number
  drawer: PaperParty
  bank: PaperBank
  mark: PaperCheck['mark']
  createdAt: Date
}

const CHECKS_PER_PAGE = 3
const RIGHT = CHECK.width - CHECK.margin

/**
 * Draws a PDF of blank checks, three to a US Letter page, to be cut apart. The same checks give the same bytes.
 *
 * @throws RangeError for a routing number or account number that a check cannot show
 */
export async function drawBlankChecks({ firstNumber, count, createdAt, ...check }: BlankChecks): Promise<Buffer> {
  const document = newDocument({ size: 'LETTER', title: `Checks from ${firstNumber}`, createdAt })
  for (let index = 0; index < count; index++) {
    const place = index % CHECKS_PER_PAGE
    if (place === 0) addPage(document)
    document.save().translate(0, place * CHECK.height)
    drawBlankFace(document, { ...check, number: String(firstNumber + index) })
    document.restore()
  }
  return readPdfBytes(document)
}

type BlankCheck = Pick<BlankChecks, 'drawer' | 'bank' | 'mark'> & { number: string }

function drawBlankFace(document: PDFKit.PDFDocument, { number, drawer, bank, mark }: BlankCheck): void {
  const micr = micrLine({ size: 'business', checkNumber: number, ...bank })
  if (mark) drawMark(document, mark)
  drawHead(document, { number, sender: drawer, bank, bankFont: 'regular' })
  drawLinesToFillIn(document)
  drawMicrLine(document, micr)
}

function drawLinesToFillIn(document: PDFKit.PDFDocument): void {
  writeLine(document, 'Date', { x: 470, y: 62, width: 25, size: 7 })
  rule(document, { from: 495, to: RIGHT, y: 65 })
  writeLine(document, 'Pay to the', { x: CHECK.margin, y: 92, width: 60, size: 7 })
  writeLine(document, 'order of', { x: CHECK.margin, y: 100, width: 60, size: 7 })
  rule(document, { from: 75, to: 455, y: 103 })
  writeLine(document, '$', { x: 458, y: 99, width: 10, size: 11 })
  document
    .lineWidth(0.75)
    .rect(468, 84, RIGHT - 468, 22)
    .stroke()
    .lineWidth(0.5)
  writeLine(document, 'Dollars', { x: 548, y: 125, width: RIGHT - 548, size: 8, align: 'right' })
  rule(document, { from: CHECK.margin, to: 545, y: 128 })
  writeLine(document, 'Memo', { x: CHECK.margin, y: 199, width: 30, size: 7 })
  rule(document, { from: 52, to: 345, y: 202 })
  rule(document, { from: 375, to: RIGHT, y: 191 })
  writeLine(document, 'Authorized signature', { x: 375, y: 199, width: RIGHT - 375, size: 6.5, align: 'center' })
}
