import { promisify } from 'node:util'
import { inflate } from 'node:zlib'

/** The maximum number of pixels that pdfkit decodes itself, which takes about half a second. */
const MAX_DECODED_PIXELS = 8_000_000

/** The channels and allowed bit depths of each color type (PNG specification, table 11.1). */
const colorTypes: Record<number, { channels: number; depths: readonly number[] }> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
}

type Chunk = { type: string; data: Buffer; bytes: Buffer }
type Header = { width: number; height: number; depth: number; colorType: number; isInterlaced: boolean }

/**
 * Reduces a PNG to the chunks that are drawn. Returns null if pdfkit cannot draw it. pdfkit does not check files: a wrong length makes it
 * hang, and pixels that do not match the header crash it.
 */
export async function drawablePng(file: Buffer): Promise<Buffer | null> {
  const chunks = readChunks(file)
  const header = chunks?.[0] && readHeader(chunks[0])
  if (!chunks || !header) return null
  const { depth, colorType, isInterlaced } = header
  const isIndexed = colorType === 3
  // pdfkit misplaces the transparency of palette images with several pixels per byte.
  const kept = ['IHDR', 'PLTE', 'IDAT', 'IEND', ...(isIndexed && depth < 8 ? [] : ['tRNS'])]
  const drawn = chunks.filter(({ type }) => kept.includes(type))
  const count = (type: string) => drawn.filter((chunk) => chunk.type === type).length
  if (count('IHDR') !== 1 || count('IDAT') === 0 || (isIndexed && count('PLTE') !== 1)) return null
  const mustDecode = isInterlaced || colorType === 4 || colorType === 6 || (isIndexed && count('tRNS') > 0)
  const pixels = Buffer.concat(drawn.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  if (mustDecode && !(await isDecodable(header, pixels))) return null
  return Buffer.concat([file.subarray(0, 8), ...drawn.map(({ bytes }) => bytes)])
}

function readChunks(file: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at)
    if (end > file.length) return null
    const type = file.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: file.subarray(at + 8, end - 4), bytes: file.subarray(at, end) })
    if (type === 'IEND') return chunks
    at = end
  }
  return null
}

function readHeader({ type, data }: Chunk): Header | null {
  if (type !== 'IHDR' || data.length !== 13) return null
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
  const [depth, colorType, compression, filter, interlace] = data.subarray(8) as unknown as [
    number,
    number,
    number,
    number,
    number,
  ]
  const isKnown = colorTypes[colorType]?.depths.includes(depth) && compression === 0 && filter === 0 && interlace <= 1
  return isKnown && width > 0 && height > 0 ? { width, height, depth, colorType, isInterlaced: interlace === 1 } : null
}

/** The passes of an interlaced image: first column, first row, and the steps in both directions (PNG specification, 8.2). */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

async function isDecodable(header: Header, compressed: Buffer): Promise<boolean> {
  const { width, height, depth, colorType, isInterlaced } = header
  if (width * height > MAX_DECODED_PIXELS) return false
  // pdfkit misreads interlaced images with several pixels per byte or with empty passes.
  if (isInterlaced && (depth < 8 || width < 5 || height < 5)) return false
  const pixelBytes = ((colorTypes[colorType]?.channels ?? 0) * depth) / 8
  const passes = (isInterlaced ? adam7 : [[0, 0, 1, 1] as const]).map(([x, y, dx, dy]) => ({
    rowBytes: 1 + Math.ceil((width - x) / dx) * pixelBytes,
    rows: Math.ceil((height - y) / dy),
  }))
  const length = passes.reduce((sum, { rowBytes, rows }) => sum + rowBytes * rows, 0)
  const bytes = await promisify(inflate)(compressed, { maxOutputLength: length }).catch(() => null)
  if (bytes?.length !== length) return false
  let at = 0
  for (const { rowBytes, rows } of passes) {
    for (let row = 0; row < rows; row++, at += rowBytes) if ((bytes[at] as number) > 4) return false
  }
  return true
}
