import { type NachaProblem, textLines } from './nacha-line-rules.ts'

/** The outcome of a file at the bank or the ACH operator. */
export type AcknowledgedAs = 'accepted' | 'accepted_with_errors' | 'pending' | 'duplicate' | 'rejected'

export type NachaAcknowledgement = {
  outcome: AcknowledgedAs
  /** The file, identified by fields of its header. */
  file: { immediateOrigin: string; creationDate: string; fileIdModifier: string }
  /** The totals that the bank received, or null if the report does not name them. */
  totals: { batchCount: number; entryCount: number; debitCents: number; creditCents: number } | null
  /** Error lines, as printed: `FH238-INVALID IMMEDIATE ORIGIN`. */
  errors: string[]
  /** The rejected parts of an accepted file, or null if the report does not name them. */
  rejected: { batchNumbers: number[]; traceNumbers: string[] } | null
}

/**
 * The wordings of outcomes. The first match counts: a partly accepted file must not count as rejected, because all its entries would be
 * sent again.
 */
const outcomes: readonly (readonly [RegExp, AcknowledgedAs])[] = [
  [/DUPLICATE/, 'duplicate'],
  [/NOT ACCEPTED/, 'rejected'],
  [/ACCEPTED WITH NO REJECT/, 'accepted'],
  [/PENDED FILE ACCEPTED/, 'accepted'],
  [/PARTIAL|ACCEPTED.*REJECTED|REJECTED.*ACCEPTED/, 'accepted_with_errors'],
  [/REJECTED/, 'rejected'],
  [/PENDED|PENDING/, 'pending'],
  [/ACCEPTED WITH (?!NO )/, 'accepted_with_errors'],
  [/ACCEPTED/, 'accepted'],
]

/** Matches the head of a page in the operator's own form: the name of the report, the length of its rows, and their number. */
const PAGE_HEAD = /AJ001A\d\dA\d{5} */

/**
 * Returns the printed lines of a file. In the operator's own form, a page is one line without line ends, and each row begins with a
 * character for its kind (FedACH Computer Interface Protocol Specifications). Banks pass it on with or without these characters.
 */
export function printedLines(text: string): string[] {
  const [, ...pages] = text.split(PAGE_HEAD)
  if (pages.length === 0) return textLines(text)
  const rows = pages.flatMap(textLines).flatMap((line) => line.match(/.{1,81}/g) ?? [''])
  const hasKinds = /^1[ *]/.test(rows.find((row) => row.trim() !== '') ?? '')
  return hasKinds ? rows.map((row) => row.slice(1)) : rows
}

const LABELED_LINE =
  /^[ \t*]*(FILE STATUS|IMMEDIATE (ORIGIN|DESTINATION)|FILE CREATION DATE|FILE ID(ENTIFICATION)? MODIFIER)\b/i

/** Returns whether a line begins with a label of acknowledgments. The label in the middle of a line does not count. */
export const hasAcknowledgementLabel = (line: string): boolean => LABELED_LINE.test(line)

/**
 * Reads acknowledgments in the format of the Federal Reserve's operator ("Acknowledgement of ACH File Deposits"), which banks pass on. A
 * file has one or more reports of labels and values. Nacha defines no format. Never throws. If the file has problems, nothing in it is
 * used.
 */
export function parseNachaAcknowledgements(
  text: string,
): { acknowledgements: NachaAcknowledgement[]; problems: [] } | { acknowledgements: []; problems: NachaProblem[] } {
  const reports = reportsOf(text)
  if (reports.length === 0) return { acknowledgements: [], problems: [{ line: 1, problem: 'the file is empty' }] }
  const read = reports.map(({ report }) => readReport(report))
  const problems = read.flatMap((result, index) => {
    const line = reports[index]?.line ?? 1
    const missing = 'missing' in result ? result.missing : []
    return missing.map((label) => ({ line, problem: `acknowledgment ${index + 1} has no ${label}` }))
  })
  if (problems.length > 0) return { acknowledgements: [], problems }
  return { acknowledgements: read.filter((result) => 'outcome' in result), problems: [] }
}

const END = /END OF ACKNOWLEDGE?MENT/

/** Splits a file into reports. Each has the number of its first line that contains a letter. */
function reportsOf(text: string): { line: number; report: string }[] {
  const lineCount = (part: string) => part.split(/\r\n|\n|\r/).length - 1
  let line = 1
  return text
    .toUpperCase()
    .split(END)
    .flatMap((report) => {
      const start = report.search(/[A-Z]/)
      const firstLine = line + lineCount(report.slice(0, Math.max(start, 0)))
      line += lineCount(report)
      return start === -1 ? [] : [{ line: firstLine, report }]
    })
}

function readReport(report: string): NachaAcknowledgement | { missing: string[] } {
  const status = valueAfter(report, /FILE STATUS:? *([A-Z -]+)/)
  const outcome = status && outcomes.find(([pattern]) => pattern.test(status))?.[1]
  const immediateOrigin = valueAfter(report, /IMMEDIATE ORIGIN: *([0-9A-Z-]+)/)?.replaceAll('-', '')
  const creationDate = creationDateOf(report)
  const fileIdModifier = valueAfter(report, /FILE ID(?:ENTIFICATION)? MODIFIER:? *([A-Z0-9])(?![A-Z0-9])/)
  if (!outcome || !immediateOrigin || !creationDate || !fileIdModifier) {
    const found = { status: outcome, 'immediate origin': immediateOrigin, 'creation date': creationDate }
    const rows = Object.entries({ ...found, 'file id modifier': fileIdModifier })
    return { missing: rows.filter(([, value]) => !value).map(([label]) => label) }
  }
  return {
    outcome,
    file: { immediateOrigin, creationDate, fileIdModifier },
    totals: totalsOf(report),
    errors: report.match(ERROR_LINE) ?? [],
    rejected: outcome === 'accepted_with_errors' ? rejectedOf(report) : null,
  }
}

const valueAfter = (report: string, pattern: RegExp): string | undefined => pattern.exec(report)?.[1]

/** Converts the creation date of a report from month/day/year to YYMMDD. */
function creationDateOf(report: string): string | undefined {
  const [, month, day, year] = /FILE CREATION DATE[A-Z/ ]*: *(\d\d)\/(\d\d)\/(?:20)?(\d\d)/.exec(report) ?? []
  return month && day && year && year + month + day
}

function totalsOf(report: string): NachaAcknowledgement['totals'] {
  const batchCount = valueAfter(report, /BATCHES: *([\d,]+)/)
  const entryCount = valueAfter(report, /ENTRY\/ADDENDA: *([\d,]+)/)
  const debits = valueAfter(report, /DEBITS?: *\$? *([\d,]*\.\d\d)/)
  const credits = valueAfter(report, /CREDITS?: *\$? *([\d,]*\.\d\d)/)
  if (!batchCount || !entryCount || !debits || !credits) return null
  const [batches, entries, debitCents, creditCents] = [batchCount, entryCount, debits, credits].map(digitsOf)
  return { batchCount: batches, entryCount: entries, debitCents, creditCents } as NachaAcknowledgement['totals']
}

const digitsOf = (text: string): number => Number(text.replace(/[,.]/g, ''))

const ERROR_LINE = /\b[A-Z]{2}\d{3}-[^\r\n]*[^\r\n ]/g

/** Matches an entry detail record, which operators print below the error, and captures its trace number. */
const ENTRY_IMAGE = /6[2-5]\d{10}.{17}\d{10}.{39}[01](\d{15})/g

type Rejected = NonNullable<NachaAcknowledgement['rejected']>

/**
 * Returns the rejected parts of a file. A report with a section for each batch gives the status of each batch there. Otherwise, the errors
 * name the rejected parts.
 */
const rejectedOf = (report: string): NachaAcknowledgement['rejected'] =>
  report.includes('BATCH STATUS:') ? rejectedBySections(report) : rejectedByErrors(report)

/** Returns the subjects of the errors: entries by trace number, and whole batches by number. Returns null if an error names neither. */
function rejectedByErrors(report: string): Rejected | null {
  const rejected = subjectsOf(report, /\bBATCH (?:NUMBER|NO\.?) *[:=]? *(\d{1,7})\b/g)
  const isNamed = rejected.every(({ traceNumbers, batchNumbers }) => traceNumbers.length + batchNumbers.length > 0)
  if (rejected.length === 0 || !isNamed) return null
  return {
    batchNumbers: [...new Set(rejected.flatMap(({ batchNumbers }) => batchNumbers))],
    traceNumbers: [...new Set(rejected.flatMap(({ traceNumbers }) => traceNumbers))],
  }
}

/**
 * Returns the batches whose sections say that they are rejected, and the entries that other errors name. Returns null if the status of a
 * batch is open, or if another error names no entry. The errors of a batch follow its status, before the section of the next batch.
 */
function rejectedBySections(report: string): Rejected | null {
  const [top = '', ...sections] = report.split(/(?=\bBATCH NUMBER: *\d)/)
  const batchNumbers: number[] = []
  const others = [top]
  for (const section of sections) {
    const status = valueAfter(section, /BATCH STATUS: *([A-Z -]+)/) ?? ''
    if (/REJECTED/.test(status)) batchNumbers.push(Number(valueAfter(section, /(\d+)/)))
    else if (/^BATCH ACCEPTED/.test(status)) others.push(section)
    else return null
  }
  const errors = others.flatMap((text) => subjectsOf(text, /\bBATCH (\d{1,7})\b/g))
  const isNamed = errors.every(
    ({ traceNumbers, batchNumbers: named }) =>
      traceNumbers.length > 0 || (named.length > 0 && named.every((batch) => batchNumbers.includes(batch))),
  )
  const traceNumbers = [...new Set(errors.flatMap((error) => error.traceNumbers))]
  return isNamed && batchNumbers.length + traceNumbers.length > 0 ? { batchNumbers, traceNumbers } : null
}

/** Returns the entries or, if there are none, the batches that each error of a text names. */
function subjectsOf(text: string, batchNumber: RegExp): Rejected[] {
  const [, ...blocks] = text.split(/(?=\b[A-Z]{2}\d{3}-)/)
  return blocks.map((block) => {
    const labeled = [...block.matchAll(/TRACE (?:NUMBER|NO\.?) *[:=]? *(\d{15})/g)]
    const traceNumbers = [...labeled, ...block.matchAll(ENTRY_IMAGE)].map(([, trace]) => trace as string)
    const batchNumbers = [...block.matchAll(batchNumber)].map(([, batch]) => Number(batch))
    return { traceNumbers, batchNumbers: traceNumbers.length > 0 ? [] : batchNumbers }
  })
}
