import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import { PDFiumLibrary } from '@hyzyla/pdfium'

const DOTS_PER_INCH = 150
const POINTS_PER_INCH = 72
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

let library: Promise<PDFiumLibrary> | null = null

/** Renders the first page of a PDF as a PNG. Blocks the process for about 20 ms, so it runs in `app/drawing-process.ts`. */
export async function renderPicture(pdf: Buffer): Promise<Buffer> {
  library ??= PDFiumLibrary.init()
  try {
    return await pngOf(await firstPage(await library, pdf))
  } catch (error) {
    library = null // discarded, because the state of its memory is unknown
    throw error
  }
}

/** A picture with four bytes per pixel: red, green, blue and an unused one. The name that pdfium gives the format does not matter. */
type Bitmap = { width: number; height: number; data: Uint8Array }

async function firstPage(pdfium: PDFiumLibrary, pdf: Buffer): Promise<Bitmap> {
  const document = await pdfium.loadDocument(pdf)
  try {
    return await document.getPage(0).render({ scale: DOTS_PER_INCH / POINTS_PER_INCH, render: 'bitmap' })
  } finally {
    document.destroy()
  }
}

/** Writes a PNG with eight bits per channel and no row filters (PNG specification, 11). */
async function pngOf({ width, height, data }: Bitmap): Promise<Buffer> {
  const rows = Buffer.alloc(height * (1 + width * 3))
  let to = 0
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (pixel % width === 0) to++
    for (let channel = 0; channel < 3; channel++) rows[to++] = data[pixel * 4 + channel] as number
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const pixels = await promisify(deflate)(rows)
  return Buffer.concat([PNG_SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
