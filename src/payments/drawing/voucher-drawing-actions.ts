import { formatAmount, formatDollars } from '../../foundation/core/money.ts'
import { firstLines, printable, wrapText } from '../../foundation/lib/text/paper-text.ts'
import { printedNumber } from './micr-rules.ts'
import { LISTED_PAYEE, type PaperCheck, type PaperParty, type RemittanceItem, usDate } from './paper-check-rules.ts'
import { MUTED, measureIn, type TextLine, writeLine, writeMuted } from './text-drawing-actions.ts'

/** Lengths in points from the upper left corner of the page. */
const PAGE = { left: 27, right: 585, top: 36, bottom: 756 } as const
const WIDTH = PAGE.right - PAGE.left

const BODY = { font: 'regular', size: 8, lineHeight: 10 } as const

/**
 * The maximum number of lines of each text. Names, memos and remittance lines need fewer, even in the widest letters. Only a text of very
 * many short lines is cut.
 */
const MAX_LINES = { name: 10, memo: 16, cell: 12, text: 150 } as const

type Column = Pick<TextLine, 'x' | 'width'> & {
  title: string
  align: 'left' | 'right'
  text: (item: RemittanceItem) => string | null
}

const amountText = ({ amountCents }: RemittanceItem) => (amountCents === null ? null : formatAmount(amountCents))

const COLUMNS: readonly Column[] = [
  { title: 'Reference', x: PAGE.left, width: 120, align: 'left', text: ({ id }) => id },
  { title: 'Date', x: 155, width: 55, align: 'left', text: ({ date }) => date && usDate(date) },
  { title: 'Description', x: 218, width: 275, align: 'left', text: ({ description }) => description },
  { title: 'Amount', x: 501, width: 84, align: 'right', text: amountText },
]

type Heading = 'table' | 'text'

/**
 * Draws the part below the check: payer, payee and remittance advice. Yields when it needs another page, which the
 * caller adds.
 */
export function* drawVoucher(document: PDFKit.PDFDocument, check: PaperCheck): Generator<void, void> {
  drawCutLine(document)
  const top = drawSummary(document, check)
  const { remittanceAdvice } = check
  if (!remittanceAdvice?.length) return
  if (typeof remittanceAdvice === 'string') yield* drawAdviceText(document, { check, text: remittanceAdvice, top })
  else yield* drawAdviceTable(document, { check, items: remittanceAdvice, top })
}

/** Draws the line to cut along just below the edge of the check, so that the clear band stays empty. */
function drawCutLine(document: PDFKit.PDFDocument): void {
  document.save().dash(3, { space: 3 }).strokeColor(MUTED).moveTo(0, 252.5).lineTo(612, 252.5).stroke().restore()
  writeMuted(document, 'Detach the check here', { x: PAGE.left, y: 261, width: WIDTH, size: 6, align: 'center' })
}

/** Draws the summary. Returns where the next element may begin. */
function drawSummary(document: PDFKit.PDFDocument, check: PaperCheck): number {
  writeLine(document, 'Payment advice', { x: PAGE.left, y: 283, width: 250, size: 13, font: 'bold' })
  const note = { x: PAGE.left + 250, y: 283, width: WIDTH - 250, align: 'right' } as const
  label(document, 'This part is not a check. Keep it for your records.', note)
  rule(document, 290)
  const from = drawParty(document, { title: 'From', party: check.sender, x: PAGE.left })
  const to = drawParty(document, { title: 'To', party: check.recipient, x: 218 })
  const facts = [
    ['Check number', printedNumber(check.number)],
    ...(check.reference === null ? [] : [['Reference', check.reference] as const]),
    ['Date', usDate(check.date)],
    ['Amount', formatDollars(check.amountCents)],
  ] as const
  facts.forEach(([title, value], index) => {
    const y = 305 + index * 13
    label(document, title, { x: 420, y, width: 60 })
    const size = { size: 9, minSize: 5, font: 'bold', align: 'right' } as const
    writeLine(document, value, { x: 482, y, width: PAGE.right - 482, ...size })
  })
  const below = Math.max(from, to, 306 + facts.length * 13) + 6
  const top = drawListedPayee(document, { listedPayee: check.listedPayee, top: below })
  const memo = printable(check.memo ?? '')
  if (!memo) return top
  label(document, 'Memo', { x: PAGE.left, y: top, width: 60 })
  const lines = wrapText(memo, { width: WIDTH, measure: measureIn(document, BODY) })
  return writeLines(document, firstLines(lines, MAX_LINES.memo), { x: PAGE.left, y: top + 11, width: WIDTH }) + 6
}

/** Draws the payee's name in the bank's list. Returns where the next element may begin. */
function drawListedPayee(
  document: PDFKit.PDFDocument,
  { listedPayee, top }: { listedPayee: string | null; top: number },
): number {
  if (listedPayee === null) return top
  label(document, LISTED_PAYEE, { x: PAGE.left, y: top, width: WIDTH })
  const lines = wrapText(printable(listedPayee), { width: WIDTH, measure: measureIn(document, BODY) })
  return writeLines(document, firstLines(lines, MAX_LINES.name), { x: PAGE.left, y: top + 11, width: WIDTH }) + 6
}

function drawParty(
  document: PDFKit.PDFDocument,
  { title, party, x }: { title: string; party: PaperParty; x: number },
): number {
  const width = 180
  label(document, title, { x, y: 305, width })
  const measure = measureIn(document, { ...BODY, font: 'bold' })
  const name = firstLines(wrapText(printable(party.name), { width, measure }), MAX_LINES.name)
  const below = writeLines(document, name, { x, y: 317, width, font: 'bold' })
  return writeLines(document, party.address.slice(0, 4), { x, y: below, width, minSize: 6 })
}

type Advice = { check: PaperCheck; top: number }

function* drawAdviceTable(
  document: PDFKit.PDFDocument,
  { check, items, top }: Advice & { items: readonly RemittanceItem[] },
): Generator<void, void> {
  let y = drawHeading(document, { heading: 'table', top })
  let page = 1
  for (const item of items) {
    const measure = measureIn(document, BODY)
    const cells = COLUMNS.map((column) => {
      const lines = wrapText(printable(column.text(item) ?? ''), { width: column.width, measure })
      return { ...column, lines: firstLines(lines, MAX_LINES.cell) }
    })
    const height = Math.max(1, ...cells.map(({ lines }) => lines.length)) * BODY.lineHeight
    if (y + height > PAGE.bottom) y = yield* continueOnNextPage(document, { check, heading: 'table', page: ++page })
    for (const { lines, x, width, align } of cells) writeLines(document, lines, { x, y, width, align })
    y += height + 3
  }
}

function* drawAdviceText(
  document: PDFKit.PDFDocument,
  { check, text, top }: Advice & { text: string },
): Generator<void, void> {
  const measure = measureIn(document, BODY)
  const lines = text
    .split(/\r\n|\r|\n/)
    .map(printable)
    .filter((line, index, all) => line || all[index - 1]) // keeps one of several empty lines
    .flatMap((line) => (line ? wrapText(line, { width: WIDTH, measure }) : ['']))
  let y = drawHeading(document, { heading: 'text', top })
  let page = 1
  for (const line of firstLines(lines, MAX_LINES.text)) {
    if (y > PAGE.bottom) y = yield* continueOnNextPage(document, { check, heading: 'text', page: ++page })
    y = writeLines(document, [line], { x: PAGE.left, y, width: WIDTH })
  }
}

/** Begins the next page. Returns the baseline of its first line. */
function* continueOnNextPage(
  document: PDFKit.PDFDocument,
  { check, heading, page }: { check: PaperCheck; heading: Heading; page: number },
): Generator<void, number> {
  label(document, 'Continued on the next page', { x: PAGE.left, y: 772, width: WIDTH, align: 'right' })
  yield
  document.lineWidth(0.5)
  const number = printedNumber(check.number)
  const title = `Check ${number} of ${usDate(check.date)}, ${formatDollars(check.amountCents)}, page ${page}`
  writeLine(document, title, {
    x: PAGE.left,
    y: PAGE.top + 9,
    width: WIDTH,
    size: 9,
    minSize: 7,
    font: 'bold',
  })
  return drawHeading(document, { heading, top: PAGE.top + 28 })
}

/** Draws a heading. Returns the baseline of the first line below it. */
function drawHeading(document: PDFKit.PDFDocument, { heading, top }: { heading: Heading; top: number }): number {
  if (heading === 'text') label(document, 'Remittance advice', { x: PAGE.left, y: top, width: WIDTH })
  else for (const { title, x, width, align } of COLUMNS) label(document, title, { x, y: top, width, align })
  rule(document, top + 4)
  return top + 16
}

const label = (document: PDFKit.PDFDocument, text: string, line: Omit<TextLine, 'size'>) =>
  writeMuted(document, text, { ...line, size: 7 })

/** Writes lines. Returns the baseline of the line after the last. */
function writeLines(document: PDFKit.PDFDocument, lines: readonly string[], at: Omit<TextLine, 'size'>): number {
  lines.forEach((line, index) => {
    writeLine(document, line, { ...at, y: at.y + index * BODY.lineHeight, size: BODY.size })
  })
  return at.y + lines.length * BODY.lineHeight
}

function rule(document: PDFKit.PDFDocument, y: number): void {
  document.moveTo(PAGE.left, y).lineTo(PAGE.right, y).stroke()
}
