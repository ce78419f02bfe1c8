import { FrameProblem, type TextLine } from './text-line-rules.ts'

/** One record of a BAI2 file with its continuation records (88). The `parts` have no record code and no slash at their end. */
export type Bai2Record = { code: string; line: number; parts: string[]; count: number }

export type RecordProblem = { line: number; message: string }

/** Combines records with their continuations. `onRecord` is called with each record when the next one begins. */
export type RecordAssembler = { write(line: TextLine): void; end(): void }

const RECORD = /^\s*(01|02|03|16|49|88|98|99)\s*(?:,|\/|$)/

/** The maximum number of continuations of a record. */
const MAX_PARTS = 10_000

/**
 * Matches the start of the next record on the same line. It must follow a slash or a gap and look like a record in its first fields,
 * because texts contain slashes and numbers.
 */
const NEXT_RECORD =
  /(?:\/[ \t]*|[ \t]{2,})(?=(?:16,\d{3},[+-]?\d*,[0-2SVDZ]?(?:,|\/)|49,[+-]?\d+,\d+\s*(?:\/|$)|9[89],[+-]?\d+,\d+,\d+\s*(?:\/|$)|03,[^,/]*,[A-Z]{0,3},(?:\d{3})?,|02,[^,/]*,[^,/]*,[1-4],\d{6}))|\/[ \t]+(?=88,)/g

export function createRecordAssembler(
  onRecord: (record: Bai2Record) => void,
  onProblem: (problem: RecordProblem) => void,
): RecordAssembler {
  let open: Bai2Record | null = null
  const finish = () => {
    if (open) onRecord(open)
    open = null
  }
  const continueText = (text: string, line: number): void => {
    // A text that continues on the next line has no commas there, and its record does not end with a slash.
    const last = open?.parts.at(-1)
    const isWrapped = open?.code === '16' && last !== undefined && !last.endsWith('/') && !text.includes(',')
    if (isWrapped) open?.parts.splice(-1, 1, `${last} ${text.trim()}`)
    else onProblem({ line, message: 'the line does not begin with the code of a record, so it was not read' })
  }
  const take = (text: string, line: number): void => {
    const [begin, code = ''] = RECORD.exec(text) ?? []
    if (begin === undefined) {
      continueText(text, line)
      return
    }
    const part = text.slice(begin.endsWith('/') ? begin.length - 1 : begin.length).trimEnd()
    if (code !== '88') {
      finish()
      open = { code, line, parts: [part], count: 1 }
    } else if (!open) {
      onProblem({ line, message: 'a continuation (88) without a record before it' })
    } else {
      if (open.parts.length >= MAX_PARTS)
        throw new FrameProblem(`line ${line}`, `a record with more than ${MAX_PARTS} continuations`)
      open.parts.push(part)
      open.count++
    }
  }
  return {
    write({ text, line }) {
      for (const piece of recordsOf(text)) if (piece.trim() !== '') take(piece, line)
    },
    end: finish,
  }
}

export const isRecord = (text: string): boolean => RECORD.test(text)

function recordsOf(text: string): string[] {
  const pieces: string[] = []
  let from = 0
  for (const { 0: gap, index } of text.matchAll(NEXT_RECORD)) {
    pieces.push(text.slice(from, index + (gap.startsWith('/') ? 1 : 0)))
    from = index + gap.length
  }
  pieces.push(text.slice(from))
  return pieces
}

/** Removes the slash at the end of a record, or of a part before a continuation. */
export const withoutEnd = (part: string): string => part.replace(/\/\s*$/, '')

/**
 * Returns the fields of a record whose last field is not a text. Continuations are joined field by field before the fields are interpreted.
 */
export const fieldsOf = ({ parts }: Bai2Record): string[] =>
  parts.flatMap((part) => withoutEnd(part).split(',')).map((field) => field.trim())

/**
 * The fields of a transaction (16). `head` contains the fields before the text. The text may contain commas and slashes, and can continue
 * over several lines.
 */
export type DetailFields = { head: string[]; text: string }

/**
 * Returns the fields of a transaction. @param lengthOf returns the number of fields before the text, from the fields that are known so far
 */
export function detailFieldsOf({ parts }: Bai2Record, lengthOf: (head: readonly string[]) => number): DetailFields {
  const head: string[] = []
  const text: string[] = []
  for (const part of parts) {
    let rest: string | null = withoutEnd(part)
    while (rest !== null && head.length < lengthOf(head)) {
      const comma: number = rest.indexOf(',')
      head.push((comma === -1 ? rest : rest.slice(0, comma)).trim())
      rest = comma === -1 ? null : rest.slice(comma + 1)
    }
    if (rest !== null && rest.trim() !== '') text.push(rest.trim())
  }
  return { head, text: text.join(' ') }
}
