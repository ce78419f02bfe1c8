import assert from 'node:assert/strict'
import { inflateSync } from 'node:zlib'
import { MICR_GLYPHS } from '../../src/payments/drawing/micr-rules.ts'

// Reads PDFs written by pdfkit, in inches from the upper left corner of the page.

export const CHECK_INCHES = { width: 8.5, height: 3.5 }

/** The MICR line of a check, with letters for the special symbols: T transit, U on-us. */
export function micrText(page: Page): string {
  const top = CHECK_INCHES.height - (5 / 16 + 4.5 * 0.013)
  const symbols = micrShapes(page).map(({ outlines, box }) => {
    const ink = inkOf(outlines, { left: box.right - 7 * 0.013, top }).join()
    return Object.keys(MICR_GLYPHS).find((symbol) => MICR_GLYPHS[symbol as never as '0'].join() === ink)
  })
  return symbols.map((symbol) => ({ transit: 'T', 'on-us': 'U' })[symbol as string] ?? symbol ?? '?').join('')
}

/** The shapes in the clear band, from left to right. */
export const micrShapes = (page: Page): Shape[] =>
  page.shapes.filter(isInBand).sort((one, other) => one.box.left - other.box.left)

export const isInBand = ({ box }: { box: Box }) =>
  box.bottom > CHECK_INCHES.height - 5 / 8 && box.top < CHECK_INCHES.height

/** The grid of a character, sampled in the middle of each cell (even-odd rule). */
export function inkOf(outlines: Point[][], { left, top }: { left: number; top: number }): string[] {
  const isInk = (x: number, y: number) =>
    outlines.flatMap((outline) =>
      outline.filter(([x1, y1], index) => {
        const [x2, y2] = outline[(index + 1) % outline.length] as Point
        return y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)
      }),
    ).length %
      2 ===
    1
  const cells = (row: number) =>
    Array.from({ length: 7 }, (_, column) => isInk(left + (column + 0.5) * 0.013, top + (row + 0.5) * 0.013))
  return Array.from({ length: 9 }, (_, row) =>
    cells(row)
      .map((ink) => (ink ? '#' : '.'))
      .join(''),
  )
}

export type Point = readonly [x: number, y: number]
export type Box = { left: number; right: number; top: number; bottom: number }
export type PlacedText = { text: string; box: Box }
export type Shape = { outlines: Point[][]; box: Box; isFilled: boolean; color: string }
export type Page = { texts: PlacedText[]; shapes: Shape[]; images: Box[] }
type Matrix = readonly [number, number, number, number, number, number]
type TextState = { matrix: Matrix; font: PdfFont; size: number }
type State = { matrix: Matrix; color: string; lineWidth: number }

export function readPages(pdf: Buffer): Page[] {
  const object = objectsOf(pdf)
  const kids = /\/Type \/Pages\n.*?\/Kids \[(.*?)\]/s.exec(pdf.toString('latin1'))?.[1] ?? ''
  const fonts = new Map<string, PdfFont>()
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, id]) => {
    const page = object(id)
    const resources = object(/\/Resources (\d+)/.exec(page)?.[1])
    for (const [, name, font] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      if (!fonts.has(name as string)) fonts.set(name as string, readFont(object, object(font)))
    }
    return readContent(streamOf(object(/\/Contents (\d+)/.exec(page)?.[1])), fonts)
  })
}

/** The fonts of a document by their PostScript names, and whether the font file is embedded. */
export function readFonts(pdf: Buffer): { name: string; isEmbedded: boolean; isSubset: boolean }[] {
  const object = objectsOf(pdf)
  const fonts = [
    ...pdf
      .toString('latin1')
      .matchAll(/^\d+ 0 obj\n<<\n\/Type \/Font\n\/Subtype \/(Type0|Type1|TrueType)\n.*?\nendobj/gms),
  ]
  return fonts.map(([font]) => {
    const name = /\/BaseFont \/(\S+)/.exec(font)?.[1] as string
    const descendant = /\/DescendantFonts \[(\d+)/.exec(font)?.[1]
    const descriptor = descendant && /\/FontDescriptor (\d+)/.exec(object(descendant))?.[1]
    const file = descriptor && /\/FontFile[23] (\d+)/.exec(object(descriptor))?.[1]
    const isEmbedded = file !== undefined && file !== '' && streamOf(object(file)).length > 1_000
    return { name: name.replace(/^[A-Z]{6}\+/, ''), isEmbedded, isSubset: /^[A-Z]{6}\+/.test(name) }
  })
}

type ReadObject = (id: string | undefined) => string

function objectsOf(pdf: Buffer): ReadObject {
  const objects = new Map(
    [...pdf.toString('latin1').matchAll(/^(\d+) 0 obj\n(.*?)\nendobj/gms)].map(([, id, body]) => [id, body as string]),
  )
  return (id) => objects.get(id) ?? assert.fail(`no object ${id}`)
}

function streamOf(body: string): string {
  const bytes = Buffer.from(body.slice(body.indexOf('stream\n') + 7, body.lastIndexOf('\nendstream')), 'latin1')
  return (/\/FlateDecode/.test(body) ? inflateSync(bytes) : bytes).toString('latin1')
}

/** The text of each glyph, and its width in thousandths of the size. */
type PdfFont = { text: string[]; widths: number[] }

function readFont(object: ReadObject, font: string): PdfFont {
  const cmap = streamOf(object(/\/ToUnicode (\d+)/.exec(font)?.[1]))
  const text = [...cmap.matchAll(/^<[0-9a-f]{4}> <[0-9a-f]{4}> \[(.*)\]$/gm)].flatMap(([, ranges = '']) =>
    [...ranges.matchAll(/<([0-9a-f ]*)>/g)].map(([, hex = '']) =>
      String.fromCharCode(...hex.split(' ').map((unit) => Number.parseInt(unit, 16))),
    ),
  )
  const widths = /\/W \[0 \[(.*?)\]/s.exec(object(/\/DescendantFonts \[(\d+)/.exec(font)?.[1]))?.[1] ?? ''
  return { text, widths: widths.trim().split(/\s+/).map(Number) }
}

function readContent(content: string, fonts: Map<string, PdfFont>): Page {
  const page: Page = { texts: [], shapes: [], images: [] }
  let state: State = { matrix: [1, 0, 0, 1, 0, 0], color: '', lineWidth: 1 }
  const saved: State[] = []
  let outlines: Point[][] = []
  let text: TextState = { matrix: state.matrix, font: { text: [], widths: [] }, size: 0 }
  const place = (x: number, y: number, matrix = state.matrix): Point => {
    const [a, b, c, d, e, f] = matrix
    return [(a * x + c * y + e) / 72, 11 - (b * x + d * y + f) / 72]
  }
  const paint = (isFilled: boolean) => {
    const pad = isFilled ? 0 : state.lineWidth / 144
    page.shapes.push({ outlines, box: boxOf(outlines.flat(), pad), isFilled, color: state.color })
    outlines = []
  }
  for (const [, operands = '', operator] of content.matchAll(/^(.*?) ?([A-Za-z*]+)$/gm)) {
    const numbers = operands.split(' ').map(Number)
    const [x = 0, y = 0, width = 0, height = 0] = numbers
    if (operator === 'q') saved.push(state)
    else if (operator === 'Q') state = saved.pop() ?? assert.fail('Q without q')
    else if (operator === 'cm') state = { ...state, matrix: multiply(numbers as unknown as Matrix, state.matrix) }
    else if (operator === 'scn') state = { ...state, color: operands }
    else if (operator === 'w') state = { ...state, lineWidth: x }
    else if (operator === 'm') outlines.push([place(x, y)])
    else if (operator === 'l') outlines.at(-1)?.push(place(x, y))
    else if (operator === 're') outlines.push([place(x, y), place(x + width, y + height)])
    else if (operator === 'S') paint(false)
    else if (operator === 'f*' || operator === 'f') paint(true)
    else if (operator === 'Tm') text.matrix = multiply(numbers as unknown as Matrix, state.matrix)
    else if (operator === 'Tf')
      text = { ...text, font: fonts.get(operands.slice(1, operands.indexOf(' '))) ?? assert.fail(operands), size: y }
    else if (operator === 'TJ') page.texts.push(placeText(operands, text))
    else if (operator === 'Do') page.images.push(boxOf([place(0, 0), place(1, 0), place(0, 1), place(1, 1)], 0))
    else assert.match(operator as string, /^(h|BT|ET|cs|CS|SCN|gs|d)$/, 'all drawing operators are known')
  }
  return page

  function placeText(operands: string, { matrix, font, size }: TextState): PlacedText {
    let [string, width] = ['', 0]
    for (const [, hex = '', adjustment] of operands.matchAll(/<([0-9a-f]*)>|(-?[\d.]+)/g)) {
      width -= Number(adjustment ?? 0)
      for (const [code] of hex.matchAll(/.{4}/g)) {
        const glyph = Number.parseInt(code, 16)
        string += font.text[glyph]
        width += font.widths[glyph] ?? assert.fail(`no width of glyph ${glyph}`)
      }
    }
    const corners = [0, (width * size) / 1_000].flatMap((x) =>
      [-0.21 * size, 0.72 * size].map((y) => place(x, y, matrix)),
    )
    return { text: string, box: boxOf(corners, 0) }
  }
}

function multiply([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}

function boxOf(points: Point[], pad: number): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return {
    left: Math.min(...xs) - pad,
    right: Math.max(...xs) + pad,
    top: Math.min(...ys) - pad,
    bottom: Math.max(...ys) + pad,
  }
}
