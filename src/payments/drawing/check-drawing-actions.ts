import PDFDocument from 'pdfkit'
import { fractionalRouting } from '../../foundation/core/routing-number.ts'
import { firstLines, printable, printableLatin, wrapText } from '../../foundation/lib/text/paper-text.ts'
import { amountInWords } from './amount-in-words-rules.ts'
import { drawBack, type PrintedBy } from './endorsement-drawing-actions.ts'
import {
  baselineInches,
  glyphOutlines,
  MICR_GEOMETRY,
  type MicrCharacter,
  micrLine,
  printedNumber,
  rightEdgeInches,
} from './micr-rules.ts'
import {
  LISTED_PAYEE,
  type PaperCheck,
  payeeText,
  protectedAmount,
  usDate,
  voidAfterText,
} from './paper-check-rules.ts'
import { type Font, registerFonts } from './paper-font-actions.ts'
import { measureIn, writeLine, writeMuted } from './text-drawing-actions.ts'
import { drawVoucher } from './voucher-drawing-actions.ts'

const POINTS_PER_INCH = 72

/** The size of a business check, which takes the upper part of a US Letter page. Lengths in points. */
export const CHECK = { width: 8.5 * POINTS_PER_INCH, height: 3.5 * POINTS_PER_INCH, margin: 27 } as const
const RIGHT = CHECK.width - CHECK.margin

export const INK = 'black'
const MARK_INK = '#b00020'

/**
 * Draws a check with its voucher as a PDF for the recipient to print. The US Letter page has the check on top and the remittance advice
 * below. The back of the check and further pages of remittance advice follow. The same check gives the same bytes.
 *
 * @throws RangeError for an amount, routing number or account number that a check cannot show
 */
export async function drawCheck(check: PaperCheck): Promise<Buffer> {
  const document = newDocument({ size: 'LETTER', title: titleOf(check), createdAt: check.createdAt })
  drawSheets(document, { check, printedBy: 'recipient' })
  return readPdfBytes(document)
}

/** Draws the face of the check alone, on a page of its size. @throws RangeError as `drawCheck` */
export async function drawCheckFace(check: PaperCheck): Promise<Buffer> {
  const size: Size = [CHECK.width, CHECK.height]
  const document = newDocument({ size, title: titleOf(check), createdAt: check.createdAt })
  drawFace(document, check)
  return readPdfBytes(document)
}

/**
 * Begins one PDF of many checks with their vouchers, for a duplex printer. Each check starts on a new sheet. `add` returns the page number
 * of the check, counted from 1. If it throws (see `drawCheck`), the document is unusable.
 */
export function beginChecks(createdAt: Date): { add(check: PaperCheck): number; end(): Promise<Buffer> } {
  const document = newDocument({ size: 'LETTER', title: 'Checks', createdAt })
  let pages = 0
  document.on('pageAdded', () => pages++)
  return {
    add: (check) => {
      const page = pages + 1
      drawSheets(document, { check, printedBy: 'printer' })
      if (pages % 2 === 1) document.addPage() // the back of the last sheet
      return page
    },
    end: () => readPdfBytes(document),
  }
}

type Size = 'LETTER' | [width: number, height: number]

const titleOf = ({ number }: PaperCheck) => `Check ${printedNumber(number)}`

export function newDocument({
  size,
  title,
  createdAt,
}: {
  size: Size
  title: string
  createdAt: Date
}): PDFKit.PDFDocument {
  const info = { Title: printable(title), CreationDate: createdAt }
  const document = new PDFDocument({ size, margin: 0, lang: 'en-US', autoFirstPage: false, info })
  registerFonts(document)
  return document
}

export const readPdfBytes = async (document: PDFKit.PDFDocument): Promise<Buffer> => {
  document.end()
  return Buffer.concat(await Array.fromAsync(document as AsyncIterable<Buffer>))
}

/**
 * Draws the pages of a check. The back follows the front, so that duplex printing puts it behind the check. Further voucher pages come
 * after it.
 */
function drawSheets(
  document: PDFKit.PDFDocument,
  { check, printedBy }: { check: PaperCheck; printedBy: PrintedBy },
): void {
  drawFace(document, check)
  const voucher = drawVoucher(document, check)
  const first = voucher.next()
  addPage(document)
  drawBack(document, { check, pageWidth: CHECK.width, printedBy })
  for (let { done } = first; !done; { done } = voucher.next()) addPage(document)
}

export function addPage(document: PDFKit.PDFDocument): void {
  document.addPage().fillColor(INK).strokeColor(INK).lineWidth(0.5)
}

function drawFace(document: PDFKit.PDFDocument, check: PaperCheck): void {
  const micr = micrLine({ size: 'business', checkNumber: check.number, ...check.bank })
  addPage(document)
  if (check.mark) drawMark(document, check.mark)
  drawParties(document, check)
  drawAmount(document, check)
  drawSignature(document, check)
  drawMicrLine(document, micr)
}

type Head = Pick<PaperCheck, 'number' | 'sender' | 'bank'> & { bankFont: Font }

/** Draws the drawer, the bank and the number, which filled-in and blank checks have in common. */
export function drawHead(document: PDFKit.PDFDocument, { number, sender, bank, bankFont }: Head): void {
  const left = { x: CHECK.margin, width: 250 }
  writeLine(document, printableLatin(sender.name), { ...left, y: 33, size: 11, minSize: 7.5, font: 'bold' })
  sender.address.slice(0, 4).forEach((line, index) => {
    writeLine(document, printableLatin(line), { ...left, y: 44 + index * 10, size: 8.5, minSize: 6 })
  })
  const middle = { x: 290, width: 165, align: 'center' } as const
  if (bank.name) {
    writeLine(document, printableLatin(bank.name), { ...middle, y: 33, size: 9, minSize: 6.5, font: bankFont })
  }
  const fraction = bank.fractionalRouting ?? fractionalRouting(bank.routingNumber)
  writeLine(document, fraction, { ...middle, y: 44, size: 7.5 })
  const corner = { x: 470, y: 34, width: RIGHT - 470, size: 13, minSize: 6, font: 'bold', align: 'right' } as const
  writeLine(document, printedNumber(number), corner)
}

function drawParties(document: PDFKit.PDFDocument, check: PaperCheck): void {
  const { date, recipient } = check
  drawHead(document, { ...check, bankFont: 'bold' })
  writeLine(document, 'Date', { x: 470, y: 62, width: 25, size: 7 })
  const day = { x: 497, y: 62, width: RIGHT - 497, size: 10.5, minSize: 6, align: 'right' } as const
  writeLine(document, usDate(date), day)
  rule(document, { from: 495, to: RIGHT, y: 65 })

  writeLine(document, 'Pay to the', { x: CHECK.margin, y: 92, width: 60, size: 7 })
  writeLine(document, 'order of', { x: CHECK.margin, y: 100, width: 60, size: 7 })
  writePayee(document, recipient.name)
  rule(document, { from: 75, to: 455, y: 103 })
  if (check.mark === 'NOT NEGOTIABLE' && check.listedPayee !== null) {
    const note = { x: 79, y: 112, width: 376, size: 7, minSize: 4.5 } as const
    writeMuted(document, `${LISTED_PAYEE}: ${check.listedPayee}`, note)
  }
  if (recipient.address.length === 0) return
  // Placed where a check envelope has its window.
  const window = [recipient.name, ...recipient.address.slice(0, 4)]
  window.forEach((line, index) => {
    writeLine(document, printableLatin(line), { x: 75, y: 146 + index * 10, width: 270, size: 8.5, minSize: 4.5 })
  })
}

/**
 * The font sizes and numbers of lines to try for a long payee name. A name is never shortened, because the result could be the name of
 * another person.
 */
const PAYEE_LINES = [
  { size: 7.5, baselines: [91, 100] },
  { size: 5.5, baselines: [88, 94.5, 101] },
  { size: 4.5, baselines: [85.5, 90.5, 95.5, 100.5] },
] as const

function writePayee(document: PDFKit.PDFDocument, name: string): void {
  const [payee, width] = [payeeText(name), 376]
  const line = { x: 79, width, y: 99, size: 11.5, minSize: 8, font: 'bold' } as const
  if (measureIn(document, { font: line.font, size: line.minSize })(payee) <= width) {
    writeLine(document, payee, line)
    return
  }
  const layouts = PAYEE_LINES.map(({ size, baselines }) => {
    const lines = wrapText(payee, { width, measure: measureIn(document, { font: line.font, size }) })
    return { size, baselines, lines, isWhole: lines.length <= baselines.length }
  })
  const { size, baselines, lines } =
    layouts.find(({ isWhole }) => isWhole) ?? (layouts.at(-1) as (typeof layouts)[number])
  firstLines(lines, baselines.length).forEach((text, index) => {
    writeLine(document, text, { ...line, y: baselines[index] as number, size, minSize: size })
  })
}

function drawAmount(document: PDFKit.PDFDocument, { amountCents, voidAfterDays }: PaperCheck): void {
  const box = { x: 468, y: 84, width: RIGHT - 468, height: 22 }
  document.lineWidth(0.75).rect(box.x, box.y, box.width, box.height).stroke().lineWidth(0.5)
  const figures = { x: box.x + 4, y: box.y + 15, width: box.width - 8, size: 12, minSize: 8, align: 'center' } as const
  writeLine(document, protectedAmount(amountCents), { ...figures, font: 'bold' })
  writeLine(document, 'Dollars', { x: 548, y: 125, width: RIGHT - 548, size: 8, align: 'right' })
  writeFilled(document, amountInWords(amountCents), { x: CHECK.margin, y: 125, width: 515 })
  rule(document, { from: CHECK.margin, to: 545, y: 128 })
  const line = { x: 385, y: 141, width: RIGHT - 385, size: 7.5, align: 'right' } as const
  writeLine(document, voidAfterText(voidAfterDays), line)
}

/** Fills the rest of the line with asterisks, so that nothing can be added to the amount. */
function writeFilled(
  document: PDFKit.PDFDocument,
  words: string,
  { x, y, width }: { x: number; y: number; width: number },
): void {
  const font = 'regular'
  const size = 10.5
  const longest = `${words} ***`
  const measure = measureIn(document, { font, size: measureIn(document, { font, size })(longest) > width ? 9 : size })
  const count = Math.max(0, Math.floor((width - measure(`${words} `)) / measure('*')))
  document.text(`${words} ${'*'.repeat(count)}`, x, y, { lineBreak: false, baseline: 'alphabetic' })
}

function drawSignature(document: PDFKit.PDFDocument, { memo, signature }: PaperCheck): void {
  writeLine(document, 'Memo', { x: CHECK.margin, y: 199, width: 30, size: 7 })
  if (memo) writeLine(document, memo, { x: 55, y: 199, width: 288, size: 9, minSize: 7 })
  rule(document, { from: 52, to: 345, y: 202 })
  const place = { x: 385, y: 147, width: RIGHT - 385, height: 42 }
  if (!signature || !drawImage(document, signature, place)) {
    const line = { x: place.x, y: 187, width: place.width, size: 12, font: 'italic', align: 'center' } as const
    writeLine(document, 'Signature on file', line)
  }
  rule(document, { from: 375, to: RIGHT, y: 191 })
  writeLine(document, 'Authorized signature', { x: 375, y: 199, width: RIGHT - 375, size: 6.5, align: 'center' })
}

type Place = { x: number; y: number; width: number; height: number }

/** Draws an image. Returns whether it could be drawn, because an unreadable image must not block a payment. */
function drawImage(document: PDFKit.PDFDocument, image: Buffer, { x, y, width, height }: Place): boolean {
  try {
    document.image(image, x, y, { fit: [width, height], align: 'center', valign: 'bottom' })
    return true
  } catch {
    return false
  }
}

/** Draws the line as shapes instead of text, because shapes need no font and stay in place when they are printed. */
export function drawMicrLine(document: PDFKit.PDFDocument, characters: MicrCharacter[]): void {
  const { cellInches, columns, rows } = MICR_GEOMETRY
  const cell = cellInches * POINTS_PER_INCH
  const top = CHECK.height - baselineInches() * POINTS_PER_INCH - rows * cell
  for (const { position, symbol } of characters) {
    const left = CHECK.width - rightEdgeInches(position) * POINTS_PER_INCH - columns * cell
    for (const outline of glyphOutlines(symbol)) {
      outline.forEach(([column, row], index) => {
        const [x, y] = [left + column * cell, top + row * cell] as const
        if (index === 0) document.moveTo(x, y)
        else document.lineTo(x, y)
      })
      document.closePath()
    }
    document.fill(INK, 'even-odd')
  }
}

export function drawMark(document: PDFKit.PDFDocument, mark: string): void {
  const [centerX, centerY] = [CHECK.width / 2, 112]
  const size = mark.length > 8 ? 52 : 84
  const width = measureIn(document, { font: 'bold', size })(mark)
  document
    .save()
    .rotate(-9, { origin: [centerX, centerY] })
    .fillColor(MARK_INK)
    .fillOpacity(0.3)
  const place = [centerX - width / 2, centerY + size * 0.36] as const
  document.text(mark, ...place, { lineBreak: false, baseline: 'alphabetic' })
  document.restore()
}

export function rule(document: PDFKit.PDFDocument, { from, to, y }: { from: number; to: number; y: number }): void {
  document.moveTo(from, y).lineTo(to, y).stroke()
}
