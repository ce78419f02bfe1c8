import { directionOf } from './nacha-entry-rules.ts'
import { type NachaLine, type NachaProblem, recordNameOf } from './nacha-line-rules.ts'
import { type RecordValues, readRecord } from './nacha-record-rules.ts'
import { blockCountOf, entryTotals, type NachaTotals, serviceClasses, sumTotals } from './nacha-totals-rules.ts'

export type EntryRecords = { line: number; entry: RecordValues<'entry'>; addenda: NachaLine[] }
export type BatchRecords = {
  line: number
  header: RecordValues<'batchHeader'>
  entries: EntryRecords[]
  control: RecordValues<'batchControl'>
  controlLine: number
}
export type FileRecords = {
  header: RecordValues<'fileHeader'>
  batches: BatchRecords[]
  control: RecordValues<'fileControl'>
  controlLine: number
  recordCount: number
}

/** The records as a tree. The order of the lines must be valid. */
export function fileRecordsOf(lines: readonly NachaLine[]): FileRecords {
  const [first, last] = endsOf(lines)
  return {
    header: readRecord('fileHeader', first.text),
    batches: groupsFrom('5', lines.slice(1, -1)).map(batchRecordsOf),
    control: readRecord('fileControl', last.text),
    controlLine: last.number,
    recordCount: lines.length,
  }
}

function batchRecordsOf(lines: readonly NachaLine[]): BatchRecords {
  const [first, last] = endsOf(lines)
  return {
    line: first.number,
    header: readRecord('batchHeader', first.text),
    entries: groupsFrom('6', lines.slice(1, -1)).map(entryRecordsOf),
    control: readRecord('batchControl', last.text),
    controlLine: last.number,
  }
}

function entryRecordsOf([line, ...addenda]: readonly NachaLine[]): EntryRecords {
  const { number, text } = line as NachaLine
  return { line: number, entry: readRecord('entry', text), addenda }
}

const endsOf = (lines: readonly NachaLine[]) => [lines[0], lines.at(-1)] as [NachaLine, NachaLine]

/** Splits the lines into groups that each begin with a record of a type. */
function groupsFrom(type: string, lines: readonly NachaLine[]): NachaLine[][] {
  const groups: NachaLine[][] = []
  for (const line of lines) {
    if (line.text.startsWith(type)) groups.push([])
    groups.at(-1)?.push(line)
  }
  return groups
}

/** Contradictions within a file: wrong counts, hashes and totals, and records that disagree. */
export function controlProblems(file: FileRecords): NachaProblem[] {
  const entries = file.batches.flatMap((batch) => batch.entries.flatMap(entryProblems))
  if (entries.length > 0) return entries // wrong entries make wrong totals, which need no report of their own
  const totals = file.batches.map(totalsOf)
  return [
    ...file.batches.flatMap((batch, index) => batchProblems(batch, totals[index] as NachaTotals)),
    ...differences(file.controlLine, [
      ['batch count', Number(file.control.batchCount), file.batches.length],
      ['block count', Number(file.control.blockCount), blockCountOf(file.recordCount)],
      ...totalsRows(file.control, sumTotals(totals)),
    ]),
  ]
}

function entryProblems({ line, entry, addenda }: EntryRecords): NachaProblem[] {
  const problems: string[] = []
  if (!directionOf(entry.transactionCode)) problems.push(`unknown transaction code ${entry.transactionCode}`)
  if (entry.addendaIndicator !== (addenda.length > 0 ? '1' : '0')) {
    problems.push(`addenda indicator ${entry.addendaIndicator} with ${addenda.length} addenda records`)
  }
  return [
    ...problems.map((problem) => ({ line, problem })),
    ...addenda.flatMap((record, index) => addendaProblems(entry.traceNumber, record, index)),
  ]
}

/** Each addenda record names its entry. */
function addendaProblems(traceNumber: string, line: NachaLine, index: number): NachaProblem[] {
  const record = recordNameOf(line.text)
  if (record === null) return []
  if (record !== 'remittanceAddenda') {
    const isOfEntry = line.text.endsWith(traceNumber)
    return isOfEntry ? [] : [{ line: line.number, problem: 'the trace number is not that of the entry' }]
  }
  const { addendaSequence, entrySequence } = readRecord(record, line.text)
  return differences(line.number, [
    ['addenda sequence', Number(addendaSequence), index + 1],
    ['entry sequence', entrySequence, traceNumber.slice(8)],
  ])
}

function batchProblems(batch: BatchRecords, totals: NachaTotals): NachaProblem[] {
  const { header, control } = batch
  return [
    ...serviceClassProblems(batch, totals),
    ...repeatedTraces(batch),
    ...differences(batch.controlLine, [
      ['service class', control.serviceClass, header.serviceClass],
      // Return files sometimes leave it blank: only the header requires it.
      ['company id', control.companyId.trim() ? control.companyId : header.companyId, header.companyId],
      ['originating bank', control.odfi, header.odfi],
      ['batch number', control.batchNumber, header.batchNumber],
      ...totalsRows(control, totals),
    ]),
  ]
}

function serviceClassProblems({ line, header }: BatchRecords, { debitCents, creditCents }: NachaTotals) {
  const { serviceClass } = header
  const problem = (text: string): NachaProblem[] => [{ line, problem: `service class ${serviceClass}${text}` }]
  if (!(Object.values(serviceClasses) as string[]).includes(serviceClass)) return problem(' is unknown')
  if (serviceClass === serviceClasses.credits && debitCents > 0) return problem(' with debits')
  if (serviceClass === serviceClasses.debits && creditCents > 0) return problem(' with credits')
  return []
}

/** Trace numbers are unique only within a batch: banks restart their sequences (Appendix Three, 3.3). */
function repeatedTraces({ entries }: BatchRecords): NachaProblem[] {
  const seen = new Set<string>()
  return entries.flatMap(({ line, entry }) => {
    if (seen.has(entry.traceNumber)) return [{ line, problem: `trace number ${entry.traceNumber} comes twice` }]
    seen.add(entry.traceNumber)
    return []
  })
}

function totalsOf({ entries }: BatchRecords): NachaTotals {
  const each = entries.map(({ entry, addenda }) =>
    entryTotals({
      rdfi: entry.rdfi,
      amountCents: Number(entry.amountCents),
      direction: directionOf(entry.transactionCode) ?? 'credit',
      addendaCount: addenda.length,
    }),
  )
  return sumTotals(each)
}

type Row = [what: string, stated: string | number, found: string | number]

const totalsRows = (control: Record<keyof NachaTotals, string>, totals: NachaTotals): Row[] => [
  ['entry and addenda count', Number(control.entryCount), totals.entryCount],
  ['entry hash', Number(control.entryHash), totals.entryHash],
  ['debit total in cents', Number(control.debitCents), totals.debitCents],
  ['credit total in cents', Number(control.creditCents), totals.creditCents],
]

const differences = (line: number, rows: Row[]): NachaProblem[] =>
  rows
    .filter(([, stated, found]) => stated !== found)
    .map(([what, stated, found]) => ({ line, problem: `${what} is ${stated}, and should be ${found}` }))
