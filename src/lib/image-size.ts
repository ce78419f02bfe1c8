import { isJpeg, isPng } from './file-type.ts'

/** How many pixels a PNG or JPEG says it has; null where it does not say, or is neither. */
export function pixelsOf(image: Buffer): number | null {
  if (isPng(image)) return image.length < 24 ? null : image.readUInt32BE(16) * image.readUInt32BE(20)
  return isJpeg(image) ? jpegPixels(image) : null
}

/** The frame header follows other segments, each with its length (ITU-T T.81, annex B). */
function jpegPixels(image: Buffer): number | null {
  for (let at = 2; at + 9 <= image.length; at += 2 + image.readUInt16BE(at + 2)) {
    const [mark, type] = [image.readUInt8(at), image.readUInt8(at + 1)]
    if (mark !== 0xff) return null
    const isFrameHeader = type >= 0xc0 && type <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(type)
    if (isFrameHeader) return image.readUInt16BE(at + 5) * image.readUInt16BE(at + 7)
  }
  return null
}
