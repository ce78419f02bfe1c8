import { addPage, CHECK, drawForm, drawMark, drawMicrLine, newDocument, readPdfBytes } from './check-drawing-actions.ts'
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

/**
 * A PDF of blank checks, three to a US Letter page, to be cut apart. The same checks give the same bytes.
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
  drawForm(document, { number, sender: drawer, bank, bankFont: 'regular' })
  writeLine(document, '$', { x: 458, y: 99, width: 10, size: 11 })
  drawMicrLine(document, micr)
}
