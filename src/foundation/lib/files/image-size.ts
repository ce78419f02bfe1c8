import { isJpeg, isPng } from './file-type.ts'

export type ImageSize = { pixels: number; decodedBytes: number }

/** The maximum number of pixels of an image: a US Letter page at 500 dpi. */
export const MAX_IMAGE_PIXELS = 25_000_000

const MAX_DECODED_BYTES = 100 * 2 ** 20

/** Returns whether a PNG or JPEG is small enough to decode, according to its header. */
export function isOfDecodableSize(image: Buffer): boolean {
  const size = imageSize(image)
  return size !== null && size.pixels <= MAX_IMAGE_PIXELS && size.decodedBytes <= MAX_DECODED_BYTES
}

/** Returns the size in the header of a PNG or JPEG. Returns null for an empty image, another format, or a header without a size. */
export function imageSize(image: Buffer): ImageSize | null {
  const size = isPng(image) ? pngSize(image) : isJpeg(image) ? jpegSize(image) : null
  return size && size.pixels > 0 ? size : null
}

/** The channels of each color type (PNG specification, table 11.1). A palette image is drawn with three. */
const PNG_CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 }

function pngSize(image: Buffer): ImageSize | null {
  if (image.length < 29) return null
  const pixels = image.readUInt32BE(16) * image.readUInt32BE(20)
  const channels = PNG_CHANNELS[image.readUInt8(25)]
  return channels === undefined ? null : { pixels, decodedBytes: (pixels * channels * image.readUInt8(24)) / 8 }
}

/** Returns the size of a JPEG. Its frame header follows other segments, each with its length (ITU-T T.81, annex B). */
function jpegSize(image: Buffer): ImageSize | null {
  for (let at = 2; at + 10 <= image.length; at += 2 + image.readUInt16BE(at + 2)) {
    const [mark, type] = [image.readUInt8(at), image.readUInt8(at + 1)]
    if (mark !== 0xff) return null
    const isFrameHeader = type >= 0xc0 && type <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(type)
    if (!isFrameHeader) continue
    const pixels = image.readUInt16BE(at + 5) * image.readUInt16BE(at + 7)
    return { pixels, decodedBytes: (pixels * image.readUInt8(at + 9) * image.readUInt8(at + 4)) / 8 }
  }
  return null
}
