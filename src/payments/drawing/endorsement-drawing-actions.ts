import { printedNumber } from './micr-rules.ts'
import type { PaperCheck } from './paper-check-rules.ts'
import { writeLine, writeMuted, writeParagraph } from './text-drawing-actions.ts'

/** The length of the endorsement area from the trailing edge of a check, in points (ANSI X9.100-111). This is 1.5 inches. */
const AREA = 108

/** The trailing edge of a check, in points. It is as long as the check is high. */
const EDGE = { length: 252, margin: 20 } as const
const WIDTH = EDGE.length - 2 * EDGE.margin

/** The party that prints the check: a printer, or the recipient. */
export type PrintedBy = 'printer' | 'recipient'

/**
 * Draws the back of a check: the page behind the check, turned over its long edge. The trailing edge, on the left of the front, is on the
 * right here.
 */
export function drawBack(
  document: PDFKit.PDFDocument,
  { check, pageWidth, printedBy }: { check: PaperCheck; pageWidth: number; printedBy: PrintedBy },
): void {
  document.save().translate(pageWidth, 0).rotate(90)
  if (check.mark) drawWarning(document, check.mark)
  else drawEndorsement(document, check)
  drawEndorsers(document, check)
  document.restore()
  if (printedBy === 'recipient') drawInstructions(document, check)
}

/** Draws the endorsement area. In this and the next three functions, `y` is the distance from the trailing edge. */
function drawEndorsement(document: PDFKit.PDFDocument, { voidAfterDays }: PaperCheck): void {
  const line = { x: EDGE.margin, width: WIDTH }
  writeLine(document, 'Endorse here', { ...line, y: 33, size: 8, font: 'bold' })
  writeLine(document, 'X', { ...line, y: 53, size: 9 })
  rule(document, { from: EDGE.margin + 10, y: 55 })
  rule(document, { from: EDGE.margin, y: 70 })
  document.rect(EDGE.margin, 76, 6, 6).stroke()
  writeLine(document, 'Check here after mobile or remote deposit', {
    x: EDGE.margin + 10,
    width: WIDTH - 10,
    y: 81.5,
    size: 6.5,
  })
  const days = voidAfterDays === 1 ? '1 day' : `${voidAfterDays} days`
  writeLine(document, `Do not cash if altered, copied or older than ${days}.`, {
    ...line,
    y: 92,
    size: 6.5,
    minSize: 4,
  })
  drawLimit(document)
}

/**
 * Draws the endorsements. At most four payees endorse a check for the fifth one. Each has a column between the edge and the line to sign
 * on.
 */
function drawEndorsers(document: PDFKit.PDFDocument, { endorsements = [] }: PaperCheck): void {
  const width = WIDTH / Math.max(2, endorsements.length)
  for (const [index, { name, signature }] of endorsements.entries()) {
    const x = EDGE.margin + index * width
    if (signature) document.image(signature, x, 3, { fit: [width - 4, 14] })
    writeLine(document, name, { x, width: width - 4, y: 23, size: 6.5, minSize: 4 })
  }
}

function drawWarning(document: PDFKit.PDFDocument, mark: string): void {
  const line = { x: EDGE.margin, width: WIDTH, align: 'center' } as const
  writeLine(document, 'Do not cash', { ...line, y: 52, size: 20, font: 'bold' })
  writeLine(document, `${mark}. This is not a check.`, { ...line, y: 70, size: 8 })
  drawLimit(document)
}

function drawLimit(document: PDFKit.PDFDocument): void {
  const line = { x: EDGE.margin, width: WIDTH, align: 'center' } as const
  writeLine(document, 'Do not write, stamp or sign below this line', { ...line, y: AREA - 4, size: 7, font: 'bold' })
  rule(document, { from: 0, to: EDGE.length, y: AREA })
  writeMuted(document, 'Reserved for financial institutions', { ...line, y: AREA + 9, size: 6 })
}

const rule = (document: PDFKit.PDFDocument, line: { from: number; to?: number; y: number }) => {
  document
    .moveTo(line.from, line.y)
    .lineTo(line.to ?? EDGE.length - EDGE.margin, line.y)
    .stroke()
}

/** Draws instructions for a recipient who prints at home. They are below the check. */
function drawInstructions(document: PDFKit.PDFDocument, { number }: PaperCheck): void {
  const place = { x: 27, width: 350 }
  writeLine(document, `Back of check ${printedNumber(number)}`, { ...place, y: 283, size: 13, font: 'bold' })
  const next = writeParagraph(document, INSTRUCTIONS[0], { ...place, y: 302, size: 9 })
  writeParagraph(document, INSTRUCTIONS[1], { ...place, y: next + 6, size: 9 })
}

const INSTRUCTIONS = [
  'Print this page on the back of page 1: two-sided, flipped on the long edge, at 100% (actual size). Machines cannot read a check that was made to fit the page.',
  'If your printer prints on one side only, leave this page out. Sign the blank back of the check within 1.5 inches of its end behind the sender’s name.',
] as const
