import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { drawablePng } from '../../../foundation/lib/files/drawable-png.ts'
import { imagePage } from './attachment-actions.ts'

type Image = {
  width?: number
  height?: number
  depth?: number
  colorType?: number
  interlace?: number
  pixels?: Buffer
  extra?: Buffer[]
}

const PALETTE = chunk('PLTE', Buffer.alloc(48))
const TRANSPARENCY = chunk('tRNS', Buffer.alloc(16))

test('PNGs of every color type are drawn, with transparency and interlacing, and metadata is dropped', async () => {
  const good: Record<string, Image> = {
    gray: { colorType: 0, pixels: Buffer.alloc(3 * 4) },
    'black and white': { colorType: 0, depth: 1, pixels: Buffer.alloc(3 * 2) },
    color: { colorType: 2, pixels: Buffer.alloc(3 * 10) },
    'gray with alpha': { colorType: 4, pixels: Buffer.alloc(3 * 7) },
    'color with alpha': { colorType: 6, pixels: Buffer.alloc(3 * 13) },
    'color with alpha, 16 bits': { colorType: 6, depth: 16, pixels: Buffer.alloc(3 * 25) },
    palette: { colorType: 3, pixels: Buffer.alloc(3 * 4), extra: [PALETTE] },
    'palette with transparency': { colorType: 3, pixels: Buffer.alloc(3 * 4), extra: [PALETTE, TRANSPARENCY] },
    'palette of 4 bits with transparency': {
      colorType: 3,
      depth: 4,
      pixels: Buffer.alloc(3 * 3),
      extra: [PALETTE, TRANSPARENCY],
    },
    interlaced: { width: 8, height: 8, colorType: 2, interlace: 1, pixels: Buffer.alloc(15 + 64 * 3) },
    'with a long comment': {
      colorType: 2,
      pixels: Buffer.alloc(3 * 10),
      extra: [chunk('tEXt', Buffer.alloc(400_000, 'a'))],
    },
  }
  for (const [name, image] of Object.entries(good)) {
    const pdf = (await imagePage(png(image))) ?? assert.fail(name)
    assert.match(pdf.toString('latin1'), /^%PDF-.*\/Subtype \/Image.*%%EOF\s*$/s, name)
  }
})

test('a PNG with a false header is refused, because it would hang pdfkit or crash the process', async () => {
  const endless = Buffer.concat([png({}).subarray(0, 33), Buffer.from('fffffff461616161', 'hex'), Buffer.alloc(64)])
  const bad: Record<string, Buffer> = {
    'no chunks': png({}).subarray(0, 8),
    'no end': png({}).subarray(0, -12),
    'no pixels': Buffer.concat([png({}).subarray(0, 33), chunk('IEND', Buffer.alloc(0))]),
    'a chunk of negative length': endless,
    'a chunk longer than the file': Buffer.concat([
      png({}).subarray(0, 33),
      Buffer.from('7fffffff', 'hex'),
      Buffer.from('IDATxxxxxxxx'),
    ]),
    'two headers': png({ extra: [header({})] }),
    'a header that is not the first': Buffer.concat([png({}).subarray(0, 8), PALETTE, png({}).subarray(8)]),
    'a short header': Buffer.concat([png({}).subarray(0, 8), chunk('IHDR', Buffer.alloc(12)), png({}).subarray(33)]),
    'no width': png({ width: 0, pixels: Buffer.alloc(3) }),
    'an unknown color type': png({ colorType: 5 }),
    'a depth that its color type has not': png({ colorType: 6, depth: 4 }),
    'an unknown interlacing': png({ interlace: 2 }),
    'a palette that is not there': png({ colorType: 3, pixels: Buffer.alloc(3 * 4) }),
    'too few pixels': png({ pixels: Buffer.alloc(3 * 13 - 1) }),
    'too many pixels': png({ pixels: Buffer.alloc(3 * 13 + 1) }),
    'a bomb': png({ pixels: Buffer.alloc(50_000_000) }),
    'more pixels than are decoded': png({ width: 4_000, height: 4_000 }),
    'an unknown filter': png({ pixels: Buffer.alloc(3 * 13, 9) }),
    'pixels that are not compressed': Buffer.concat([
      png({}).subarray(0, 33),
      chunk('IDAT', Buffer.from('nonsense')),
      chunk('IEND', Buffer.alloc(0)),
    ]),
    'interlaced and tiny': png({ width: 4, height: 4, interlace: 1, pixels: Buffer.alloc(100) }),
  }
  for (const [name, file] of Object.entries(bad)) assert.equal(await drawablePng(file), null, name)
})

test('an image damaged at any byte is drawn or refused', async () => {
  const images = [
    png({}),
    png({ colorType: 3, pixels: Buffer.alloc(3 * 4), extra: [PALETTE, TRANSPARENCY] }),
    png({ width: 8, height: 8, interlace: 1, pixels: Buffer.alloc(15 + 64 * 4) }),
    Buffer.from('ffd8ffc0001108000200020301110002110003110affd9', 'hex'),
  ]
  const damage = fc.array(fc.tuple(fc.nat({ max: 200 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...images),
      damage,
      fc.option(fc.nat({ max: 100 })),
      async (image, changes, cut) => {
        const file = Buffer.from(image)
        for (const [at, byte] of changes) if (at >= 3 && at < file.length) file[at] = byte
        await imagePage(file.subarray(0, cut ?? undefined))
      },
    ),
    { numRuns: 500 },
  )
})

/** Creates a PNG of 3 × 3 RGBA pixels, unless `image` says otherwise. */
function png(image: Image): Buffer {
  const { pixels = Buffer.alloc(3 * 13), extra = [] } = image
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    header(image),
    ...extra,
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function header({ width = 3, height = 3, depth = 8, colorType = 6, interlace = 0 }: Image): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([depth, colorType, 0, 0, interlace], 8)
  return chunk('IHDR', data)
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}
