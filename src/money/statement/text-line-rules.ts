import type { StatementReader } from './statement-types.ts'

/** A line of a file, without its end, and its number. */
export type TextLine = { text: string; line: number }

export type LineSplitter = { write(text: string): TextLine[]; end(): TextLine[] }

/** The maximum length of a line. A longer one means that the file is not divided into lines. */
export const MAX_LINE_LENGTH = 1_000_000

/** A file that cannot be divided into its parts. Nothing after the reported place is read. */
export class FrameProblem extends Error {
  override name = 'FrameProblem'
  readonly place: string
  constructor(place: string, message: string) {
    super(message)
    this.place = place
  }
}

/** Divides a text that arrives in pieces into lines, with any line ends. @throws FrameProblem if a line is too long */
export function createLineSplitter(): LineSplitter {
  let waiting = ''
  let count = 0
  const numbered = (text: string): TextLine => ({ text, line: ++count })
  return {
    write(text) {
      const all = waiting + text
      // The line feed of a CRLF may be in the next piece.
      const held = all.endsWith('\r') ? '\r' : ''
      const lines = all.slice(0, all.length - held.length).split(/\r\n|\r|\n/)
      waiting = `${lines.pop() ?? ''}${held}`
      if (waiting.length > MAX_LINE_LENGTH) {
        throw new FrameProblem(
          `line ${count + 1}`,
          `the line is longer than ${MAX_LINE_LENGTH.toLocaleString('en-US')} characters`,
        )
      }
      return lines.map(numbered)
    },
    end() {
      const lines = waiting.split(/\r\n|\r|\n/)
      if (lines.at(-1) === '') lines.pop()
      waiting = ''
      return lines.map(numbered)
    },
  }
}

/** Creates a reader for a format with lines. `take` gets each line, and `end` follows the last one. */
export function readLines(reading: { take(line: TextLine): void; end(): void }): StatementReader {
  const splitter = createLineSplitter()
  return {
    write(text) {
      for (const line of splitter.write(text)) reading.take(line)
    },
    end() {
      for (const line of splitter.end()) reading.take(line)
      reading.end()
    },
  }
}
