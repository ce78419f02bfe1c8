/** The characters of E-13B (ISO 1004-1): ten digits, and the symbols that separate the fields. */
export const MICR_SYMBOLS = [
  ...(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const),
  ...(['transit', 'amount', 'on-us', 'dash'] as const),
] as const
export type MicrSymbol = (typeof MICR_SYMBOLS)[number]

/** A character of the line. Positions count from the right edge of the check, as in readers (ANSI X9.100-160). */
export type MicrCharacter = { position: number; symbol: MicrSymbol }

/** The place of the line on the check, in inches from its right and bottom edges (ANSI X9.100-160). */
export const MICR_GEOMETRY = {
  cellInches: 0.013,
  columns: 7,
  rows: 9,
  pitchInches: 0.125, // eight characters to the inch, right edge to right edge
  firstRightEdgeInches: 5 / 16, // the right edge of position 1
  clearBandInches: 5 / 8, // the band that contains only the line
  bandBottomInches: 3 / 16, // the bottom of the print band, which is a quarter inch high, in the middle of the clear band
  bandTopInches: 7 / 16,
} as const

/**
 * The first and last position of each field. Positions 1 to 12 stay blank, because the bank of first deposit may encode the amount there.
 */
export const MICR_FIELDS = {
  amount: [1, 12],
  onUs: [14, 32],
  transit: [33, 43],
  auxiliaryOnUs: [45, 65], // only on business size checks: a personal size check ends before it
} as const

const SHEETS = [
  {
    symbols: ['0', '1', '2', '3', '4'],
    rows: [
      '#######  ...##..  ...####  ..####.  .##....',
      '#.....#  ....#..  ......#  .....#.  .##....',
      '#.....#  ....#..  ......#  .....#.  .##....',
      '#.....#  ....#..  ......#  .....#.  .##....',
      '#.....#  ....#..  ...####  ..####.  .##....',
      '#.....#  ...####  ...#...  .....##  .##..##',
      '#.....#  ...####  ...#...  .....##  .######',
      '#.....#  ...####  ...#...  .....##  .....##',
      '#######  ...####  ...####  ..#####  .....##',
    ],
  },
  {
    symbols: ['5', '6', '7', '8', '9'],
    rows: [
      '..#####  .####..  ..#####  .#####.  .######',
      '..#....  .#..#..  ..#...#  .#...#.  .#....#',
      '..#....  .#..#..  ..#...#  .#...#.  .#....#',
      '..#....  .#.....  ......#  .#...#.  .#....#',
      '..#####  .#.....  ....###  .#####.  .######',
      '......#  .######  ....#..  ##...##  .....##',
      '......#  .#....#  ....#..  ##...##  .....##',
      '......#  .#....#  ....#..  ##...##  .....##',
      '..#####  .######  ....#..  #######  .....##',
    ],
  },
  {
    symbols: ['transit', 'amount', 'on-us', 'dash'],
    rows: [
      '....###  .....##  .......  .......',
      '....###  .....##  ....###  .......',
      '##..###  .....##  #.#.###  .......',
      '##.....  ...#.##  #.#.###  ##.##.#',
      '##.....  ...#...  #.#.###  ##.##.#',
      '##.....  ##.#...  #.#....  ##.##.#',
      '##..###  ##.....  #.#....  ##.##.#',
      '....###  ##.....  #.#....  .......',
      '....###  ##.....  .......  .......',
    ],
  },
] as const

/** The shape of each character as nine rows of seven cells, top row first. `#` is ink. */
export const MICR_GLYPHS = Object.fromEntries(
  SHEETS.flatMap(({ symbols, rows }) =>
    symbols.map((symbol, index) => [symbol, rows.map((row) => row.split('  ')[index] as string)]),
  ),
) as unknown as Record<MicrSymbol, readonly string[]>

export type MicrOrder = {
  size: 'business' | 'personal'
  routingNumber: string
  accountNumber: string
  checkNumber: string
}

/**
 * Returns the characters of a check's line, from right to left. A check number is left out if it contains other characters than digits, or
 * too many digits for its field, because the field is optional.
 *
 * @throws RangeError for a routing number that is not nine digits, and for a value that does not fit its field
 */
export function micrLine({ size, routingNumber, accountNumber, checkNumber }: MicrOrder): MicrCharacter[] {
  if (!/^\d{9}$/.test(routingNumber)) throw new RangeError('a routing number has nine digits')
  if (!/^[\d-]*\d[\d-]*$/.test(accountNumber)) throw new RangeError('an account number has digits and dashes only')
  const serial = isSerial(checkNumber) ? symbolsOf(padSerial(checkNumber, size)) : null
  const account = [...symbolsOf(accountNumber), 'on-us' as const]
  const serialBeside = size === 'personal' && serial ? [null, ...serial] : []
  return [
    ...onUsField([...account, ...serialBeside]),
    ...field('transit', ['transit', ...symbolsOf(routingNumber), 'transit'], MICR_FIELDS.transit[1]),
    ...(size === 'business' && serial ? auxiliaryOnUsField(serial) : []),
  ]
}

/** Formats the number of a business check for people, with the same digits as in the MICR line. */
export const printedNumber = (checkNumber: string): string =>
  isSerial(checkNumber) ? padSerial(checkNumber, 'business') : checkNumber

const isSerial = (checkNumber: string) => /^\d{1,19}$/.test(checkNumber)

const padSerial = (checkNumber: string, size: MicrOrder['size']) =>
  checkNumber.padStart(size === 'business' ? 6 : 4, '0')

const symbolsOf = (text: string) =>
  [...text].map((character): MicrSymbol => (character === '-' ? 'dash' : (character as MicrSymbol)))

/**
 * Places the account number. It begins at position 31, after a blank next to the transit field, as banks print it. A long number also uses
 * position 32.
 */
function onUsField(symbols: (MicrSymbol | null)[]): MicrCharacter[] {
  const [lowest, highest] = MICR_FIELDS.onUs
  const leftmost = symbols.length > highest - lowest ? highest : highest - 1
  return field('onUs', symbols, leftmost)
}

/** Places the check number. Its right symbol is at position 45, next to the blank that separates it from the transit field. */
function auxiliaryOnUsField(serial: MicrSymbol[]): MicrCharacter[] {
  const symbols: MicrSymbol[] = ['on-us', ...serial, 'on-us']
  return field('auxiliaryOnUs', symbols, MICR_FIELDS.auxiliaryOnUs[0] + symbols.length - 1)
}

function field(name: keyof typeof MICR_FIELDS, symbols: (MicrSymbol | null)[], leftmost: number): MicrCharacter[] {
  const [lowest, highest] = MICR_FIELDS[name]
  if (leftmost > highest || leftmost - symbols.length + 1 < lowest) {
    throw new RangeError(`the ${name} field of the MICR line is too short`)
  }
  const characters = symbols.map((symbol, index) => symbol && { position: leftmost - index, symbol })
  return characters.filter((character) => character !== null).reverse()
}

/** Returns the right edge of a position, in inches from the right edge of the check. */
export const rightEdgeInches = (position: number): number =>
  MICR_GEOMETRY.firstRightEdgeInches + (position - 1) * MICR_GEOMETRY.pitchInches

/**
 * Returns the bottom of the characters, in inches from the bottom edge of the check. They are in the middle of the print band, so that they
 * stay in the band on slightly misplaced paper.
 */
export function baselineInches(): number {
  const { bandBottomInches, bandTopInches, cellInches, rows } = MICR_GEOMETRY
  return (bandBottomInches + bandTopInches - rows * cellInches) / 2
}

/** A corner of an outline in cells: column from the left, row from the top. */
export type Corner = readonly [column: number, row: number]

/** Returns the outlines of a character with its cells merged: closed polygons to fill, outer ones clockwise and holes counterclockwise. */
export function glyphOutlines(symbol: MicrSymbol): readonly Corner[][] {
  const known = outlinesOf.get(symbol)
  if (known) return known
  const outlines = traceOutlines(MICR_GLYPHS[symbol])
  outlinesOf.set(symbol, outlines)
  return outlines
}

/** The outlines of characters that were drawn before, because tracing one takes longer than drawing it. */
const outlinesOf = new Map<MicrSymbol, readonly Corner[][]>()

function traceOutlines(rows: readonly string[]): Corner[][] {
  const edges = boundaryEdges(rows)
  const outlines: Corner[][] = []
  for (let start = edges.keys().next().value; start; start = edges.keys().next().value) {
    outlines.push(withoutStraightCorners(traceOutline(edges, start)))
  }
  return outlines
}

/** Finds the edges of inked cells that border an empty cell, from corner to corner, with the ink on the right. */
function boundaryEdges(rows: readonly string[]): Map<string, Corner> {
  const isInk = (column: number, row: number) => rows[row]?.[column] === '#'
  const edges = new Map<string, Corner>()
  rows.forEach((cells, y) => {
    for (let x = 0; x < cells.length; x++) {
      if (!isInk(x, y)) continue
      if (!isInk(x, y - 1)) edges.set(`${x},${y}`, [x + 1, y])
      if (!isInk(x + 1, y)) edges.set(`${x + 1},${y}`, [x + 1, y + 1])
      if (!isInk(x, y + 1)) edges.set(`${x + 1},${y + 1}`, [x, y + 1])
      if (!isInk(x - 1, y)) edges.set(`${x},${y + 1}`, [x, y])
    }
  })
  return edges
}

/** Follows the edges of one outline. No two cells of a character touch only at a corner, so each corner leads to exactly one other. */
function traceOutline(edges: Map<string, Corner>, start: string): Corner[] {
  const loop: Corner[] = []
  for (let from = start; edges.has(from); ) {
    const to = edges.get(from) as Corner
    edges.delete(from)
    loop.push(to)
    from = to.join()
  }
  return loop
}

function withoutStraightCorners(loop: Corner[]): Corner[] {
  return loop.filter(([x, y], index) => {
    const [beforeX, beforeY] = loop.at(index - 1) as Corner
    const [afterX, afterY] = loop[(index + 1) % loop.length] as Corner
    return !(beforeX === x && x === afterX) && !(beforeY === y && y === afterY)
  })
}
