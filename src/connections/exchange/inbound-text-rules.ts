/** The text of a file from the bank, with remarks about unusual bytes. */
export type InboundText = { text: string; encoding: 'ascii' | 'utf-8' | 'utf-16' | 'windows-1252'; remarks: string[] }

/**
 * Decodes a file from the bank. Never throws and never refuses a file, because one wrong character in a field must not hide the other
 * fields. Reads UTF-8, UTF-16 with or without a byte order mark, and otherwise Windows-1252. Removes padding (NULs and the DOS end-of-file
 * character) from the end. NULs elsewhere become blanks.
 */
export function decodeInbound(bytes: Buffer): InboundText {
  const { text, encoding } = decode(bytes)
  const remarks: string[] = []
  if (encoding !== 'ascii') remarks.push(`the file is in ${encoding.toUpperCase()}`)
  const end = endOf(text)
  if (end !== -1) remarks.push('the file ends with padding')
  const body = end === -1 ? text : text.slice(0, end)
  if (body.includes('\0')) remarks.push('the file contains NUL characters')
  return { text: body.replaceAll('\0', ' '), encoding, remarks }
}

/**
 * Returns the position where the padding at the end begins, or -1 if there is none. Padding consists of NULs and the DOS end-of-file
 * character.
 */
function endOf(text: string): number {
  let end = text.length
  let hasPadding = false
  for (; end > 0; end--) {
    const character = text.charAt(end - 1)
    const isPadding = character === '\0' || character === END_OF_FILE
    if (!isPadding && (hasPadding || !/\s/.test(character))) break
    hasPadding ||= isPadding
  }
  return hasPadding ? end : -1
}

/** Ctrl-Z, the end-of-file character of DOS and CP/M. */
const END_OF_FILE = String.fromCharCode(0x1a)

function decode(bytes: Buffer): Pick<InboundText, 'text' | 'encoding'> {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return utf16(bytes.subarray(2), 'le')
  if (first === 0xfe && second === 0xff) return utf16(bytes.subarray(2), 'be')
  const hasMark = first === 0xef && second === 0xbb && third === 0xbf
  const body = hasMark ? bytes.subarray(3) : bytes
  const order = hasMark ? null : utf16OrderOf(body)
  if (order) return utf16(body, order)
  if (body.every((byte) => byte < 0x80)) return { text: body.toString('latin1'), encoding: hasMark ? 'utf-8' : 'ascii' }
  const text = utf8Of(body)
  return text === null ? { text: windows1252Of(body), encoding: 'windows-1252' } : { text, encoding: 'utf-8' }
}

/**
 * Returns the byte order of UTF-16, or null for other encodings. ASCII in UTF-16 has a NUL in each pair of bytes. Padding has NULs only at
 * the end.
 */
function utf16OrderOf(bytes: Buffer): 'le' | 'be' | null {
  const sample = bytes.subarray(0, Math.min(bytes.length & ~1, 512))
  if (sample.length < 4) return null
  let [even, odd] = [0, 0]
  for (const [index, byte] of sample.entries()) {
    if (byte !== 0) continue
    if (index % 2 === 0) even++
    else odd++
  }
  const half = sample.length / 2
  if (odd > half * 0.9 && even < half * 0.1) return 'le'
  return even > half * 0.9 && odd < half * 0.1 ? 'be' : null
}

function utf16(bytes: Buffer, order: 'le' | 'be'): Pick<InboundText, 'text' | 'encoding'> {
  const whole = Buffer.from(bytes.subarray(0, bytes.length & ~1))
  return { text: (order === 'le' ? whole : whole.swap16()).toString('utf16le'), encoding: 'utf-16' }
}

function utf8Of(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Decodes Windows-1252. WHATWG's decoder maps each byte to one character, even the five that Windows leaves undefined. */
const windows1252Of = (bytes: Buffer): string => new TextDecoder('windows-1252').decode(bytes)
