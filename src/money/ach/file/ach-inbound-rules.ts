import { decodeInbound } from '../../../connections/exchange/inbound-text-rules.ts'
import { withoutZeros } from '../../../foundation/core/account-number.ts'
import { formatDollars } from '../../../foundation/core/money.ts'
import type { HeldAccount } from '../../../foundation/exception/bank-case-rules.ts'
import {
  hasAcknowledgementLabel,
  type NachaAcknowledgement,
  parseNachaAcknowledgements,
  printedLines,
} from '../format/nacha-acknowledgement-rules.ts'
import type { Direction } from '../format/nacha-entry-rules.ts'
import {
  isBatchRecord,
  isFileHeader,
  type NachaLine,
  type NachaProblem,
  textLines,
} from '../format/nacha-line-rules.ts'
import {
  type NachaContent,
  type NachaReading,
  parseNachaFiles,
  type ReadCorrection,
  type ReadReturn,
  type ReadSetAside,
  type SetAsideKind,
} from '../format/nacha-parse-rules.ts'

/** The content of a file from the bank. `lines` are its first lines, for the operator. */
export type InboundReading = { remarks: string[] } & (
  | { kind: 'nacha'; files: NachaReading[] }
  | { kind: 'acknowledgement'; acknowledgements: NachaAcknowledgement[] }
  | { kind: null; problems: string[]; lines: NachaLine[]; isEmpty: boolean }
)

/**
 * Reads a file from the bank. Never throws. The structure of the file decides its kind, because words can mislead: a receiver may be named
 * "Acknowledgment LLC".
 */
export function readInbound(bytes: Buffer): InboundReading {
  const { text, remarks } = decodeInbound(bytes)
  const lines = textLines(text)
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first === -1) return unread([{ line: 1, problem: 'the file is empty' }], { lines: [], isEmpty: true })
  if (isFileHeader(lines[first] ?? '')) return { kind: 'nacha', files: parseNachaFiles(text), remarks }
  const printed = printedLines(text)
  if (printed.some(hasAcknowledgementLabel)) return readAcknowledgements(printed, remarks)
  if (lines.some(isBatchRecord)) return { kind: 'nacha', files: parseNachaFiles(text), remarks }
  return unread([{ line: first + 1, problem: NEITHER }], { lines: firstLinesOf(lines) })
}

/** Returns unusual facts about a file that have no effect on how it is applied. */
export const remarksOf = (reading: InboundReading): string[] => [
  ...reading.remarks,
  ...(reading.kind === 'nacha' ? problemLines(reading.files.flatMap(({ remarks }) => remarks)) : []),
]

const NEITHER =
  'neither the header of a NACHA file (record type 1, with 094101 in positions 35 to 40) nor a labeled line of an acknowledgment'

function readAcknowledgements(lines: readonly string[], remarks: string[]): InboundReading {
  const { acknowledgements, problems } = parseNachaAcknowledgements(lines.join('\n'))
  if (problems.length > 0) return unread(problems, { lines: firstLinesOf(lines) })
  return { kind: 'acknowledgement', acknowledgements, remarks }
}

/** Returns the result for a file that cannot be used at all. */
export function unread(
  problems: readonly NachaProblem[],
  { lines, isEmpty = false }: { lines: NachaLine[]; isEmpty?: boolean },
): InboundReading {
  return { kind: null, problems: problemLines(problems), lines, isEmpty, remarks: [] }
}

/** The number of lines that a case shows, which is enough to recognize a file. */
const MAX_LINES = 40
const MAX_LINE_LENGTH = 200

const firstLinesOf = (lines: readonly string[]): NachaLine[] =>
  lines.slice(0, MAX_LINES).map((text, index) => ({ number: index + 1, text: text.slice(0, MAX_LINE_LENGTH) }))

/** A NACHA file in a physical file that was already applied or already waits for a decision. */
export type KnownFile = { firstLine: number; lastLine: number; reason: string }

/**
 * Separates new NACHA files from known ones. Banks may send a file again, together with others or in another encoding.
 *
 * @param used the names of earlier files, by content hash in hexadecimal
 */
export function excludeUsed(
  files: readonly NachaReading[],
  used: ReadonlyMap<string, string>,
): { fresh: NachaReading[]; known: KnownFile[] } {
  const seen = new Map(used)
  const fresh: NachaReading[] = []
  const known: KnownFile[] = []
  for (const file of files) {
    const { firstLine, lastLine } = file
    const content = file.contentHash.toString('hex')
    const name = seen.get(content)
    if (name !== undefined) known.push({ firstLine, lastLine, reason: sameContent(name) })
    else fresh.push(file)
    seen.set(content, name ?? `the file in lines ${firstLine} to ${lastLine}`)
  }
  return { fresh, known }
}

export const sameContent = (name: string) => `the same content as ${name}, which was read before`

/** Returns whether a NACHA file is complete: its totals match its entries. */
export const isComplete = ({ problems }: NachaReading): boolean => problems.length === 0

/** An entry of a file, identified by its lines. `set_aside`: it cannot be applied. `repeated`: it is in the file twice. */
export type InboundEntry = { line: number; records: NachaLine[]; traceNumber: string | null } & (
  | { kind: 'return'; one: ReadReturn }
  | { kind: 'correction'; one: ReadCorrection }
  | { kind: 'set_aside'; setAside: SetAsideKind; reason: string; cents: number | null; isForeign: boolean }
  | { kind: 'repeated'; reason: string }
)

/** Lists the entries of NACHA files, in the order of their lines. `companyId` is our company. */
export function entriesOf(files: readonly NachaReading[], companyId: string): InboundEntry[] {
  const entries = files.flatMap(({ content }) => entriesOfContent(content, companyId)).sort((a, b) => a.line - b.line)
  return markRepeated(entries)
}

const entriesOfContent = (
  { entries, returns, corrections, setAside }: NachaContent,
  companyId: string,
): InboundEntry[] => [
  ...returns.map((one): InboundEntry => ({ ...placeOf(one), kind: 'return', one })),
  ...corrections.map((one): InboundEntry => ({ ...placeOf(one), kind: 'correction', one })),
  ...setAside.map((one): InboundEntry => setAsideEntry(one, companyId)),
  ...entries.map((one): InboundEntry => {
    const why = 'neither a return nor a notification of change'
    return setAsideEntry({ ...one, kind: 'incoming', why, originalTraceNumber: null }, companyId)
  }),
]

const placeOf = ({ line, records, originalTraceNumber: traceNumber }: ReadReturn | ReadCorrection | ReadSetAside) => ({
  line,
  records,
  traceNumber,
})

const setAsideEntry = (one: ReadSetAside, companyId: string): InboundEntry => ({
  ...placeOf(one),
  kind: 'set_aside',
  setAside: one.kind,
  reason: one.why,
  cents: one.amountCents,
  isForeign: isForeign(one, companyId),
})

/**
 * Returns whether an entry belongs to another company at the same bank: both the header and the control record of its batch name that
 * company.
 */
export const isForeign = (one: Pick<ReadReturn, 'companyId' | 'isCompanySure'>, companyId: string): boolean =>
  one.isCompanySure && one.companyId.toUpperCase() !== companyId.trim().toUpperCase()

/** Returns why a bank cannot mean an entry: it was sent over another connection. Null: it may mean it. */
export const sentToAnotherBank = (
  entry: { connectionId: string },
  { connectionId }: { connectionId: string },
): string | null =>
  entry.connectionId === connectionId
    ? null
    : `it names an entry that was sent to another bank, over the connection ${entry.connectionId}`

/**
 * Returns why an entry that was sent cannot be returned by the bank of a connection, or null. If an entry was recalled, its payment has
 * another entry, or none.
 */
export const refusalOfReturn = (
  entry: { connectionId: string; isRecalled: boolean },
  bank: { connectionId: string },
): string | null =>
  sentToAnotherBank(entry, bank) ??
  (entry.isRecalled ? 'the entry was recalled, because its file, its batch or it alone was rejected' : null)

/**
 * Marks repeated returns. If two returns in a file name the same entry, one of the trace numbers is damaged, and that return is set aside.
 * Only an identical record counts as a repetition.
 */
function markRepeated(entries: readonly InboundEntry[]): InboundEntry[] {
  const seen = new Map<string, InboundEntry>()
  return entries.map((entry): InboundEntry => {
    if (entry.kind !== 'return' || entry.traceNumber === null) return entry
    const former = seen.get(entry.traceNumber)
    if (!former) {
      seen.set(entry.traceNumber, entry)
      return entry
    }
    const { line, records, traceNumber } = entry
    if (textOf(entry) === textOf(former)) {
      return { kind: 'repeated', line, records, traceNumber, reason: `the same entry as in line ${former.line}` }
    }
    const reason = `return ${entry.one.returnCode} that names the same entry as line ${former.line}`
    const cents = entry.one.amountCents
    return { kind: 'set_aside', line, records, traceNumber, setAside: 'unread', reason, cents, isForeign: false }
  })
}

const textOf = ({ records }: InboundEntry): string => records.map(({ text }) => text).join('\n')

export const problemLines = (problems: readonly NachaProblem[], problemCount = problems.length): string[] => {
  const named = problems.slice(0, MAX_PROBLEMS).map(({ line, problem }) => `line ${line}: ${problem}`)
  const moreCount = problemCount - named.length
  return moreCount > 0 ? [...named, `and ${moreCount} more`] : named
}

/** The maximum number of problems in a report. A file of another format has as many problems as lines. */
const MAX_PROBLEMS = 50

/** The entry with a trace number, as it was sent. */
export type OriginalEntry = { direction: Direction; cents: number; companyId: string; rdfi: string }

/** Explains why a return or a notification of change does not match the entry that its trace number names. Returns null if it matches. */
export function findMismatch(sent: OriginalEntry, one: ReadReturn | ReadCorrection): string | null {
  const what = 'returnCode' in one ? `return ${one.returnCode}` : `notification of change ${one.changeCode}`
  if (sent.direction !== one.direction) return `${what} of a ${one.direction}: the entry was a ${sent.direction}`
  if ('returnCode' in one && sent.cents !== one.amountCents) {
    return `${what} of ${formatDollars(one.amountCents)}: the entry was of ${formatDollars(sent.cents)}`
  }
  if (isForeign(one, sent.companyId)) {
    return `${what} for company ${one.companyId}: the entry was sent for company ${sent.companyId}`
  }
  if (one.originalRdfi !== null && sent.rdfi !== one.originalRdfi) {
    return `${what} from bank ${one.originalRdfi}: the entry went to bank ${sent.rdfi}`
  }
  return null
}

/**
 * Returns whether the account number in a return differs from the entry's. Masked, padded and shortened numbers do not count as different.
 */
export function isOtherAccount(sent: string, returned: string): boolean {
  const [ours, theirs] = [withoutPadding(sent), withoutPadding(returned)]
  if (!/^\d{4,}$/.test(theirs)) return false
  return !ours.startsWith(theirs) && !ours.endsWith(theirs) && !theirs.endsWith(ours) && !theirs.startsWith(ours)
}

/** Returns whether two accounts are the same, regardless of leading zeros. */
export const isSameAccount = (a: HeldAccount, b: HeldAccount): boolean =>
  a.routingNumber === b.routingNumber && withoutPadding(a.accountNumber) === withoutPadding(b.accountNumber)

const withoutPadding = (accountNumber: string): string => withoutZeros(accountNumber.replaceAll(/[ -]/g, ''))

/** An entry that was not applied. `line` is its line in the file. For an acknowledgment, it is the position in the file. */
export type SetAside = { line: number; traceNumber: string | null; reason: string }

/** The number of returns, corrections and acknowledgments that were applied from a file. */
export type InboundCounts = { returns: number; corrections: number; acknowledgements: number }

/** A NACHA file in a physical file from which nothing was applied. */
export type UnusedFile = { firstLine: number; lastLine: number; problems: string[] }

export const describeUnreadFile = ({ firstLine, lastLine, problems, problemCount }: NachaReading): UnusedFile => ({
  firstLine,
  lastLine,
  problems: problemLines(problems, problemCount),
})

export const describeKnownFile = ({ firstLine, lastLine, reason }: KnownFile): UnusedFile => ({
  firstLine,
  lastLine,
  problems: [`line ${firstLine}: ${reason}`],
})

/** Returns the report about the entries of a file that were not applied, or null if all were. */
export function reportOnEntries(
  name: string,
  counts: InboundCounts,
  { entries, files }: { entries: readonly SetAside[]; files: readonly UnusedFile[] },
): string | null {
  if (entries.length === 0 && files.length === 0) return null
  return [
    `Of ${name}, these were not applied. "remit exceptions list" shows those that need a decision:`,
    '',
    ...files.flatMap(({ firstLine, lastLine, problems }) => [
      `  lines ${firstLine} to ${lastLine}: nothing was taken from the file in these lines:`,
      ...problems.map((problem) => `    ${problem}`),
    ]),
    ...entries.map(({ line, traceNumber, reason }) => {
      return `  ${line}: ${traceNumber ? `trace number ${traceNumber}: ` : ''}${reason}`
    }),
    '',
    `Used: ${Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}.`,
    '',
  ].join('\n')
}
