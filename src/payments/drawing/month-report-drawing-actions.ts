import { formatDollars } from '../../foundation/core/money.ts'
import { parseDateTime } from '../../foundation/lib/clock.ts'
import {
  bookingWords,
  decidedByWords,
  type MonthReport,
  moreItems,
  signedAmount,
} from '../../money/closing/month-rules.ts'
import { addPage, INK, newDocument, readPdfBytes, rule } from './check-drawing-actions.ts'
import { type TextLine, writeLine, writeMuted, writeParagraph } from './text-drawing-actions.ts'

/** Lengths in points from the upper left corner of a US Letter page. */
const PAGE = { left: 54, right: 558, top: 72, bottom: 738 } as const
const WIDTH = PAGE.right - PAGE.left
const ROW = 16
const SIZE = 9.5

/** A column of a table: its title, where it begins, and its width. */
type Column = { title: string; x: number; width: number; align?: 'right' }

/** Draws the report of a closed month as a PDF: balances, lines by kind and how they are booked, open items, decisions and cases. */
export function drawMonthReport(report: MonthReport): Promise<Buffer> {
  const { month, account, closedAt, closedBy } = report
  const title = `Reconciliation of ${account}, ${month}`
  const document = newDocument({ size: 'LETTER', title, createdAt: parseDateTime(closedAt) ?? new Date(0) })
  const paper = new Paper(document, title)
  writeLine(document, 'Bank reconciliation', { x: PAGE.left, y: 84, width: 340, size: 24, font: 'bold' })
  writeLine(document, `${account} · ${month}`, { x: PAGE.left, y: 106, width: WIDTH, size: 12 })
  writeMuted(document, `Closed by ${closedBy} on ${closedAt} UTC`, { x: PAGE.left, y: 122, width: WIDTH, size: SIZE })
  paper.y = 150
  drawEquation(paper, report)
  drawTables(paper, report)
  return readPdfBytes(document)
}

function drawEquation(paper: Paper, { openingCents, closingCents, kinds }: MonthReport): void {
  const credits = kinds.reduce((sum, { creditCents }) => sum + creditCents, 0)
  const debits = kinds.reduce((sum, { debitCents }) => sum + debitCents, 0)
  const other = closingCents - openingCents - credits + debits
  const facts: [string, string][] = [
    ['Opening balance', signedAmount(openingCents)],
    ['Credits', formatDollars(credits)],
    ['Debits', signedAmount(-debits || 0)],
    ...(other === 0 ? [] : [['Not explained by lines', signedAmount(other)] as [string, string]]),
    ['Closing balance = ledger', signedAmount(closingCents)],
  ]
  const columns: Column[] = [
    { title: '', x: PAGE.left, width: 300 },
    { title: '', x: 400, width: PAGE.right - 400, align: 'right' },
  ]
  paper.table({ title: 'Balance', columns, rows: facts, empty: '' })
}

function drawTables(paper: Paper, report: MonthReport): void {
  paper.table({
    title: 'Lines by kind',
    columns: columnsOf(['Kind', 200], ['Lines', 64, 'right'], ['Credits', 120, 'right'], ['Debits', 120, 'right']),
    rows: report.kinds.map((one) => [
      one.kind,
      String(one.count),
      formatDollars(one.creditCents),
      formatDollars(one.debitCents),
    ]),
    empty: 'The month has no lines.',
  })
  paper.table({
    title: 'How lines are booked',
    columns: columnsOf(['Account', 150], ['Decided', 170], ['Lines', 64, 'right'], ['Amount', 120, 'right']),
    rows: report.bookings.map((one) => [
      bookingWords(one),
      decidedByWords(one.decidedBy),
      String(one.count),
      signedAmount(one.cents),
    ]),
    empty: 'Nothing is booked.',
  })
  paper.table({
    title: 'Open items at the end of the month',
    columns: columnsOf(
      ['Date', 64],
      ['Movement', 84],
      ['State', 120],
      ['Payment', 106],
      ['Days', 40, 'right'],
      ['Amount', 90, 'right'],
    ),
    rows: [
      ...report.openItems.map((one) => [
        one.day,
        one.what,
        one.note,
        one.paymentId === null ? 'micro-deposit' : `…${one.paymentId.slice(-12)}`,
        String(one.ageDays),
        signedAmount(one.cents),
      ]),
      ...moreItems(report).map((text) => ['', '', text, '', '', signedAmount(report.moreOpenItems.cents)]),
    ],
    empty: 'None: the bank has booked everything.',
  })
  paper.list({
    title: 'Decisions',
    rows: report.decisions.map((one) => ({
      head: `${one.action} ${signedAmount(one.cents)} of ${one.lineDay}, by ${one.by} on ${one.at} UTC`,
      body: one.why === null ? one.detail : `${one.detail}: ${one.why}`,
    })),
    empty: 'No person had to decide about a line.',
  })
  paper.list({
    title: 'Cases',
    rows: report.cases.map((one) => ({
      head: `${one.openedOn}${one.cents === null ? '' : ` · ${signedAmount(one.cents)}`} · closed on ${one.closedOn}${one.by === null ? '' : ` by ${one.by}`}`,
      body: `${one.note} Decision: ${one.resolution}`,
    })),
    empty: 'There was no case.',
  })
}

function columnsOf(...given: [title: string, width: number, align?: 'right'][]): Column[] {
  let x: number = PAGE.left
  return given.map(([title, width, align]) => {
    const column = { title, x, width: width - 8, ...(align && { align }) }
    x += width
    return column
  })
}

/** Writes tables and lists one below the other, on as many pages as they need. */
class Paper {
  y: number = PAGE.top
  private readonly document: PDFKit.PDFDocument
  private readonly title: string
  private pages = 0

  constructor(document: PDFKit.PDFDocument, title: string) {
    this.document = document
    this.title = title
    this.nextPage()
  }

  table({ title, columns, rows, empty }: { title: string; columns: Column[]; rows: string[][]; empty: string }): void {
    this.heading(title)
    if (rows.length === 0) this.note(empty)
    if (rows.length > 0 && columns.some((column) => column.title !== '')) {
      for (const { title: text, ...place } of columns) writeMuted(this.document, text, { ...place, y: this.y, size: 8 })
      this.y += 4
      rule(this.document, { from: PAGE.left, to: PAGE.right, y: this.y })
      this.y += 14
    }
    for (const row of rows) {
      this.room(ROW)
      for (const [index, column] of columns.entries()) this.cell(row[index] ?? '', column)
      this.y += ROW
    }
    this.y += 14
  }

  list({ title, rows, empty }: { title: string; rows: { head: string; body: string }[]; empty: string }): void {
    this.heading(title)
    if (rows.length === 0) this.note(empty)
    const line = { x: PAGE.left, width: WIDTH, size: SIZE } as const
    for (const { head, body } of rows) {
      this.room(3 * ROW)
      writeLine(this.document, head, { ...line, y: this.y, minSize: 7, font: 'bold' })
      this.y = writeParagraph(this.document, body, { ...line, y: this.y + 13, maxLines: 4 }) + 6
    }
    this.y += 10
  }

  private cell(text: string, { x, width, align = undefined }: Column): void {
    const line: TextLine = { x, width, y: this.y, size: SIZE, minSize: 6, ...(align && { align }) }
    writeLine(this.document, text, line)
  }

  private heading(text: string): void {
    this.room(4 * ROW)
    writeLine(this.document, text, { x: PAGE.left, y: this.y, width: WIDTH, size: 12, font: 'bold' })
    this.y += 18
  }

  private note(text: string): void {
    writeMuted(this.document, text, { x: PAGE.left, y: this.y, width: WIDTH, size: SIZE })
    this.y += ROW + 14
  }

  /** Begins another page if the rest of this one is too small. */
  private room(height: number): void {
    if (this.y + height > PAGE.bottom) this.nextPage()
  }

  private nextPage(): void {
    addPage(this.document)
    this.document.fillColor(INK)
    this.pages++
    const foot = { y: 764, size: 8 } as const
    writeMuted(this.document, this.title, { ...foot, x: PAGE.left, width: 400 })
    writeMuted(this.document, `Page ${this.pages}`, { ...foot, x: PAGE.right - 80, width: 80, align: 'right' })
    this.y = PAGE.top
  }
}
