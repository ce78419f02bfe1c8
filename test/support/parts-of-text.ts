/** The bytes by which a part is recognized. */
const WINDOW = 4

/**
 * Returns which of the parts a text contains. Reads the text once for any number of parts, because a run searches
 * megabytes for ten thousand secrets.
 *
 * @param parts of at least four bytes
 */
export function partsOfText(text: string, parts: Iterable<string>): string[] {
  const bytes = Buffer.from(text)
  const ends = endsOf(parts)
  const found = new Set<string>()
  let window = 0
  for (let at = 0; at < bytes.length; at++) {
    window = (window >>> 8) | ((bytes[at] as number) << 24)
    if (!ends.mayBe(window)) continue
    for (const part of ends.partsWith(window)) {
      const isHere = bytes.subarray(Math.max(at + 1 - part.length, 0), at + 1).equals(part)
      if (isHere && !isPartOfId(bytes, at, part)) found.add(part.toString())
    }
  }
  return [...found]
}

/** Digits of this number or fewer occur by chance in an id, which is hexadecimal. */
const CHANCE_DIGITS = 11

/** Whether a part that ends here is only digits, and stands among letters of hexadecimal numbers. */
function isPartOfId(bytes: Buffer, end: number, part: Buffer): boolean {
  if (part.length > CHANCE_DIGITS || !/^\d+$/.test(part.toString())) return false
  const around = bytes.subarray(Math.max(end + 1 - 2 * ID_LENGTH, 0), end + ID_LENGTH).toString('latin1')
  const at = Math.min(end + 1, 2 * ID_LENGTH)
  const [before = ''] = /[\da-f-]*$/.exec(around.slice(0, at)) ?? []
  const [after = ''] = /^[\da-f-]*/.exec(around.slice(at)) ?? []
  return /[a-f]/.test(before + after)
}

/** The length of a UUID as text. */
const ID_LENGTH = 36

/** Indexes the parts by their last bytes, which differ more than the first: many secrets begin with their purpose. */
function endsOf(parts: Iterable<string>) {
  const known = new Map<number, Buffer[]>()
  const filter = new Uint8Array(1 << 16)
  for (const text of parts) {
    const part = Buffer.from(text)
    const end = part.readInt32LE(part.length - WINDOW)
    known.set(end, [...(known.get(end) ?? []), part])
    filter[hash(end)] = 1
  }
  return {
    mayBe: (window: number) => filter[hash(window)] === 1,
    partsWith: (window: number) => known.get(window) ?? [],
  }
}

const hash = (window: number): number => Math.imul(window, 0x9e3779b1) >>> 16
