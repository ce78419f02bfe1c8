import type { Random } from './careless-bank.ts'

// Changes of a valid file in one place, for tests that no data in it is lost.

/** A changed file, and a description of the change. */
export type Mutation = { what: string; bytes: Buffer }

const GARBAGE = ',,,;;;\t|""\'\'()-+$#*. 0123456789abcxyzÑ—\r\n\0\x1a\f'

export const joined = (lines: readonly string[], end = '\r\n'): string => lines.map((line) => line + end).join('')

/** Random changes that do not depend on the format. */
export function mutationsBy(random: Random) {
  const below = (limit: number): number => Math.floor(random() * limit)
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  const garbage = (length: number): string => Array.from({ length }, () => pick([...GARBAGE])).join('')

  function changeByte(text: string): Mutation {
    const bytes = Buffer.from(text)
    const at = below(bytes.length)
    const how = pick(['replace', 'replace', 'swap digit', 'delete', 'insert'])
    const byte = how === 'swap digit' ? 0x30 + below(10) : below(256)
    const tail = bytes.subarray(how === 'insert' ? at : at + 1)
    const middle = how === 'delete' ? Buffer.alloc(0) : Buffer.from([byte])
    return { what: `${how} byte ${at} by ${byte}`, bytes: Buffer.concat([bytes.subarray(0, at), middle, tail]) }
  }

  /** Without totals, a removed line cannot be detected. */
  function changeLine(lines: readonly string[], { hasTotals }: { hasTotals: boolean }): Mutation {
    const at = below(lines.length)
    const other = below(lines.length)
    const line = lines[at] as string
    const hows = ['twice', 'swap', 'cut', 'insert', 'two in one', ...(hasTotals ? ['delete', 'blank', 'garbage'] : [])]
    const how = pick(hows)
    const changed: Record<string, () => string[]> = {
      twice: () => lines.toSpliced(at, 0, line),
      swap: () => lines.with(at, lines[other] as string).with(other, line),
      cut: () => lines.with(at, line.slice(0, 1 + below(line.length))),
      insert: () => lines.toSpliced(at, 0, garbage(below(60))),
      'two in one': () => lines.toSpliced(at, 2, `${line}${pick(['', ' ', ','])}${lines[at + 1] ?? ''}`),
      delete: () => lines.toSpliced(at, 1),
      blank: () => lines.with(at, ''),
      garbage: () => lines.with(at, garbage(1 + below(80))),
    }
    return { what: `line ${at}: ${how}`, bytes: Buffer.from(joined(changed[how]?.() ?? [])) }
  }

  function changeEncoding(text: string): Mutation {
    const utf16 = Buffer.from(text, 'utf16le')
    const encodings: Record<string, () => Buffer> = {
      'windows-1252': () => Buffer.from(text.replaceAll('’', '\x92'), 'latin1'),
      'utf-8 with mark': () => Buffer.from(`\ufeff${text}`),
      'utf-16': () => Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
      'utf-16 big': () => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
      'utf-16 without mark': () => utf16,
      'utf-16 without its first byte': () => utf16.subarray(1),
      'utf-16 without its last byte': () => utf16.subarray(0, -1),
      padded: () => Buffer.concat([Buffer.from(text), Buffer.from('\x1a'), Buffer.alloc(below(200))]),
    }
    const what = pick(Object.keys(encodings))
    return { what, bytes: encodings[what]?.() ?? Buffer.alloc(0) }
  }

  function changeLineEnds(lines: readonly string[]): Mutation {
    const ends = ['\r', '\n', '\r\n', '\r\r\n', '\n\n', '\n\r', '\f\r\n', ' \r\n', ',\r\n', '\t\r\n']
    const end = pick([...ends, 'mixed'])
    const text = end === 'mixed' ? lines.map((line) => line + pick(ends)).join('') : joined(lines, end)
    return { what: `line ends ${JSON.stringify(end)}`, bytes: Buffer.from(text) }
  }

  /** Changes a piece of a line. `between` matches the beginnings of pieces, such as each bracket. */
  function changePiece(content: readonly string[], between: RegExp): Mutation {
    const at = below(content.length)
    const pieces = (content[at] as string).split(between)
    const piece = below(pieces.length)
    const old = pieces[piece] as string
    const how = pick(['blank', 'garbage', 'digits', 'twice', 'cut', 'of another line', 'remove', 'reversed'])
    const changed: Record<string, () => string> = {
      blank: () => old.charAt(0),
      garbage: () => old.charAt(0) + garbage(1 + below(12)),
      digits: () => `${old.charAt(0)}${below(3000)}`,
      twice: () => old + old,
      cut: () => old.slice(0, below(old.length)),
      'of another line': () => pick(pick(content).split(between)),
      remove: () => '',
      reversed: () => [...old].reverse().join(''),
    }
    const text = pieces.with(piece, changed[how]?.() ?? '').join('')
    return { what: `piece ${piece} of line ${at}: ${how}`, bytes: Buffer.from(joined(content.with(at, text))) }
  }

  return { below, pick, garbage, changeByte, changeLine, changePiece, changeEncoding, changeLineEnds }
}
