const PDF = Buffer.from('%PDF-')
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])

/** Returns whether a file starts with the signature of a PDF. */
export const isPdf = (file: Buffer): boolean => startsWith(file, PDF)
export const isPng = (file: Buffer): boolean => startsWith(file, PNG)
export const isJpeg = (file: Buffer): boolean => startsWith(file, JPEG)

const startsWith = (file: Buffer, magic: Buffer) => file.subarray(0, magic.length).equals(magic)
