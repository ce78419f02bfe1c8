import { cutToWidth, firstLines, type Measure, printable, wrapText } from '../../foundation/lib/text/paper-text.ts'
import type { Font } from './paper-font-actions.ts'

/** The color of labels and notes. */
export const MUTED = '#555555'

/** The position and style of a line of text. `y` is its baseline. All lengths are points from the upper left corner of the page. */
export type TextLine = {
  x: number
  y: number
  width: number
  size: number
  /** The smallest font size that is tried before the text is cut. */
  minSize?: number
  font?: Font
  align?: 'left' | 'center' | 'right'
}

/** Writes one line within its width. If necessary, reduces the font size and then cuts the text with an ellipsis. */
export function writeLine(document: PDFKit.PDFDocument, text: string, line: TextLine): void {
  const { x, y, width, minSize = line.size, font = 'regular', align = 'left' } = line
  const clean = printable(text)
  const size = fittingSize(document, { text: clean, width, size: line.size, minSize, font })
  const measure = measureIn(document, { font, size })
  const cut = cutToWidth(clean, { width, measure })
  const free = width - measure(cut)
  const left = x + { left: 0, center: free / 2, right: free }[align]
  document.text(cut, left, y, { lineBreak: false, baseline: 'alphabetic' })
}

/** Writes one line in the color of labels and notes. The next text is black again. */
export function writeMuted(document: PDFKit.PDFDocument, text: string, line: TextLine): void {
  document.fillColor(MUTED)
  writeLine(document, text, line)
  document.fillColor('black')
}

/** Writes a text on as many lines as it needs, at most `maxLines`. Returns the baseline of the line after the last. */
export function writeParagraph(
  document: PDFKit.PDFDocument,
  text: string,
  { maxLines, ...line }: TextLine & { maxLines?: number },
): number {
  const { width, size, font = 'regular' } = line
  const wrapped = wrapText(printable(text), { width, measure: measureIn(document, { font, size }) })
  const lines = maxLines === undefined ? wrapped : firstLines(wrapped, maxLines)
  const lineHeight = size * 1.4
  lines.forEach((part, index) => {
    writeLine(document, part, { ...line, y: line.y + index * lineHeight })
  })
  return line.y + lines.length * lineHeight
}

/** Returns the largest font size, in steps of half a point, at which a text fits into `width`. Returns `minSize` if no size fits. */
export function fittingSize(
  document: PDFKit.PDFDocument,
  { text, width, size, minSize, font }: { text: string; width: number; size: number; minSize: number; font: Font },
): number {
  let fitting = size
  while (fitting > minSize && measureIn(document, { font, size: fitting })(text) > width) fitting -= 0.5
  return Math.max(fitting, minSize)
}

/** Sets font and size, and returns a function that measures text with them. */
export function measureIn(document: PDFKit.PDFDocument, { font, size }: { font: Font; size: number }): Measure {
  document.font(font).fontSize(size)
  return (text) => document.widthOfString(text)
}
