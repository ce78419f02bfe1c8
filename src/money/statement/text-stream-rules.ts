/** Decodes the bytes of a file in pieces. */
export type TextStream = { write(bytes: Buffer): string; end(): string }

/**
 * Decodes a file like `decodeInbound`, but as a stream: UTF-8, UTF-16 with or without a byte order mark, or the encoding that an XML
 * declaration names. Pieces that are not valid UTF-8 are read as Windows-1252. Never throws. NULs and the end-of-file character of DOS
 * become blanks.
 */
export function createTextStream(): TextStream {
  let waiting: Buffer = Buffer.alloc(0)
  let decoder: InstanceType<typeof TextDecoder> | null = null
  let isStarted = false
  const start = (bytes: Buffer): Buffer => {
    const { encoding, markLength } = encodingOf(bytes)
    isStarted = true
    if (encoding !== 'utf-8') decoder = new TextDecoder(encoding)
    return bytes.subarray(markLength)
  }
  const decode = (bytes: Buffer): string => plain(decoder ? decoder.decode(bytes, { stream: true }) : mixedText(bytes))
  return {
    write(given) {
      let bytes: Buffer = waiting.length > 0 ? Buffer.concat([waiting, given]) : given
      waiting = Buffer.alloc(0)
      if (!isStarted && bytes.length < SAMPLE_BYTES) {
        waiting = bytes
        return ''
      }
      if (!isStarted) bytes = start(bytes)
      if (decoder) return decode(bytes)
      const end = lastWholeCharacter(bytes)
      waiting = Buffer.from(bytes.subarray(end))
      return decode(bytes.subarray(0, end))
    },
    end() {
      const bytes = isStarted ? waiting : start(waiting)
      return decode(bytes) + (decoder ? plain(decoder.decode()) : '')
    },
  }
}

/** The number of bytes from which the encoding is detected. */
const SAMPLE_BYTES = 512

function encodingOf(bytes: Buffer): { encoding: string; markLength: number } {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', markLength: 2 }
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', markLength: 2 }
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', markLength: 3 }
  const order = utf16OrderOf(bytes.subarray(0, SAMPLE_BYTES))
  if (order) return { encoding: order, markLength: 0 }
  return { encoding: declaredEncodingOf(bytes.subarray(0, SAMPLE_BYTES)), markLength: 0 }
}

/** Detects UTF-16: in ASCII text, each pair of bytes contains a NUL. */
function utf16OrderOf(sample: Buffer): 'utf-16le' | 'utf-16be' | null {
  const pairs = sample.length >> 1
  if (pairs < 2) return null
  let [even, odd] = [0, 0]
  for (let at = 0; at < pairs * 2; at++) {
    if (sample[at] !== 0) continue
    if (at % 2 === 0) even++
    else odd++
  }
  if (odd > pairs * 0.9 && even < pairs * 0.1) return 'utf-16le'
  return even > pairs * 0.9 && odd < pairs * 0.1 ? 'utf-16be' : null
}

/** Returns the encoding in `<?xml … encoding="…"?>` if this program supports it. UTF-8 is checked in any case. */
function declaredEncodingOf(sample: Buffer): string {
  const [, label = ''] = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(sample.toString('latin1')) ?? []
  if (label === '' || /utf-?(8|16)/i.test(label)) return 'utf-8'
  try {
    return new TextDecoder(label).encoding
  } catch {
    return 'utf-8'
  }
}

/** Returns the position before the last bytes, which may be part of an unfinished character. */
function lastWholeCharacter(bytes: Buffer): number {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 4 && (bytes[end - 1] as number) >= 0x80) end--
  return bytes.length - end === 4 ? bytes.length : end
}

function mixedText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const END_OF_FILE = String.fromCharCode(0x1a)

const plain = (text: string): string => text.replaceAll('\0', ' ').replaceAll(END_OF_FILE, ' ')
