import { directionFromCode } from './nacha-entry-rules.ts'
import { isFiller, type NachaLine, type NachaProblem } from './nacha-line-rules.ts'
import { type RecordValues, readRecord } from './nacha-record-rules.ts'

/** An entry record with its addenda records. */
export type EntryFrame = { line: NachaLine; entry: RecordValues<'entry'>; addenda: NachaLine[] }
export type BatchFrame = {
  line: number
  /** The header of the batch, or null if it is missing. */
  header: RecordValues<'batchHeader'> | null
  entries: EntryFrame[]
  control: { line: number; values: RecordValues<'batchControl'> } | null
}
export type FileFrame = {
  header: RecordValues<'fileHeader'> | null
  batches: BatchFrame[]
  control: { line: number; values: RecordValues<'fileControl'> } | null
}

/** Returns the records of a file as a tree, and each place where a record is missing or out of order. Skips all fill lines. */
export function frameLines(lines: readonly NachaLine[]): { frame: FileFrame; problems: NachaProblem[] } {
  const frame: FileFrame = { header: null, batches: [], control: null }
  const problems: NachaProblem[] = []
  for (const line of lines) {
    if (isFiller(line.text)) continue
    const problem = addRecord(frame, line)
    if (problem !== null) problems.push({ line: line.number, problem })
  }
  const end = lines.at(-1)?.number ?? 1
  if (!frame.header) problems.unshift({ line: lines[0]?.number ?? 1, problem: 'the file header record is missing' })
  if (!frame.control) problems.push({ line: end, problem: 'cut off: the file control record is missing' })
  return { frame, problems }
}

/** Adds a record to the tree. @returns null, or the reason why the record is out of order */
function addRecord(frame: FileFrame, line: NachaLine): string | null {
  const { number, text } = line
  const type = text.charAt(0)
  if (frame.control) return `record type ${printable(type)} after the file control record`
  const batch = frame.batches.at(-1)
  const open = batch && !batch.control ? batch : null
  switch (type) {
    case '1':
      if (frame.header || frame.batches.length > 0) return 'a second file header record'
      frame.header = readRecord('fileHeader', text)
      return null
    case '5':
      frame.batches.push({ line: number, header: readRecord('batchHeader', text), entries: [], control: null })
      return open ? 'a batch header record before the control record of the last batch' : null
    case '6':
      if (!open) frame.batches.push({ line: number, header: null, entries: [], control: null })
      frame.batches.at(-1)?.entries.push({ line, entry: readRecord('entry', text), addenda: [] })
      return open ? null : 'an entry outside a batch'
    case '7':
      open?.entries.at(-1)?.addenda.push(line)
      return open && open.entries.length > 0 ? null : 'an addenda record without an entry'
    case '8':
      if (!open) return 'a batch control record without a batch'
      open.control = { line: number, values: readRecord('batchControl', text) }
      return null
    case '9':
      frame.control = { line: number, values: readRecord('fileControl', text) }
      return open ? 'the file control record comes before that of the last batch' : null
    default:
      return `unknown record type ${printable(type)}`
  }
}

const printable = (type: string): string => (/[!-~]/.test(type) ? type : 'beyond ASCII')

/** Returns the amount of an entry in cents, or null if it cannot be read. */
export function amountOf({ entry }: EntryFrame): number | null {
  return /^\d{10}$/.test(entry.amountCents) ? Number(entry.amountCents) : null
}

export const readDirection = ({ entry }: EntryFrame) => directionFromCode(entry.transactionCode)
