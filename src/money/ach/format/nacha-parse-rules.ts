import { createHash } from 'node:crypto'
import type { AccountKind } from '../../../foundation/core/environment.ts'
import type { AchReturnCode } from '../../rail/ach-return-rules.ts'
import { achReturnKind, type ChangeCode, isAchReturnCode, isChangeCode } from '../../rail/return-code-rules.ts'
import { type CorrectedData, parseCorrectedData } from './nacha-change-rules.ts'
import { totalsProblems } from './nacha-control-rules.ts'
import { accountKindFromCode, type Direction, directionFromCode, isAnswerCode } from './nacha-entry-rules.ts'
import {
  amountOf,
  type BatchFrame,
  type EntryFrame,
  type FileFrame,
  frameLines,
  readDirection,
} from './nacha-frame-rules.ts'
import { findRecordName, linesOf, type NachaLine, type NachaLines, type NachaProblem } from './nacha-line-rules.ts'
import { readRecord, recordProblems } from './nacha-record-rules.ts'

/** A parsed entry: one that we sent, incoming money, or the subject of a return or a correction. */
export type ReadEntry = {
  line: number
  /** The entry detail record and its addenda records. */
  records: NachaLine[]
  secCode: string
  companyId: string
  /** Whether both the header and the control record of the batch name `companyId`. */
  isCompanySure: boolean
  entryDescription: string
  /** The settlement day as a day of the year, which the ACH operator sets. */
  settlementDay: number | null
  traceNumber: string
  direction: Direction
  accountKind: AccountKind | null
  routingNumber: string
  accountNumber: string
  amountCents: number
  receiverId: string
  receiverName: string
  remittances: string[]
}

/** A returned entry. `direction` is the direction of the original entry. */
export type ReadReturn = ReadEntry & {
  returnCode: AchReturnCode
  originalTraceNumber: string
  /** The bank of the original entry, or null if it cannot be read. No decision depends on it alone. */
  originalRdfi: string | null
  /** The date of death for R14 and R15, as YYMMDD. */
  dateOfDeath: string | null
  information: string
}

/** A notification of change. `corrected` is empty for C13 and C14, which concern our file instead of the receiver. */
export type ReadCorrection = ReadEntry & {
  changeCode: ChangeCode
  originalTraceNumber: string
  originalRdfi: string | null
  corrected: CorrectedData
}

/**
 * The reason why an entry needs a decision. `unread`: it cannot be understood, or may concern any of our entries. `incoming`: money from
 * another originator, which concerns none of our entries.
 */
export type SetAsideKind = 'unread' | 'correction_unread' | 'contested' | 'incoming'

export type ReadSetAside = Omit<ReadEntry, 'amountCents' | 'direction'> & {
  kind: SetAsideKind
  why: string
  originalTraceNumber: string | null
  amountCents: number | null
  direction: Direction | null
}

export type NachaContent = {
  /** The file header, which identifies the file, or null if it is missing. Date and time are YYMMDD and HHMM. */
  header: {
    immediateDestination: string
    immediateOrigin: string
    creationDate: string
    creationTime: string
    fileIdModifier: string
  } | null
  entries: ReadEntry[]
  returns: ReadReturn[]
  corrections: ReadCorrection[]
  setAside: ReadSetAside[]
}

/**
 * One NACHA file of a physical file, with its first and last line. If it has problems, its content contains the readable records, and
 * entries may be missing.
 */
export type NachaReading = {
  firstLine: number
  lastLine: number
  content: NachaContent
  contentHash: Buffer
  problems: NachaProblem[]
  /** The number of all problems. `problems` contains only the first ones. */
  problemCount: number
  /** Fields that violate Nacha's format and that Remit does not use. */
  remarks: NachaProblem[]
}

/** The maximum number of listed problems. A file of another format has as many problems as lines. */
const MAX_PROBLEMS = 50

/**
 * Reads the NACHA files of a physical file. Never throws. Each entry is read separately. An invalid field that Remit does not use causes no
 * refusal. Problems and remarks contain lines, positions and totals, and never an account number or a name.
 */
export const parseNachaFiles = (text: string): NachaReading[] => linesOf(text).map(parseLines)

function parseLines({ firstLine, lastLine, lines, problems: misshapen }: NachaLines): NachaReading {
  const { frame, problems: misplaced } = frameLines(lines)
  const problems = [...misshapen, ...misplaced, ...totalsProblems(frame)].sort((a, b) => a.line - b.line)
  return {
    firstLine,
    lastLine,
    content: contentOf(frame),
    contentHash: hashOf(lines),
    problems: problems.slice(0, MAX_PROBLEMS),
    problemCount: problems.length,
    remarks: remarksOn(lines),
  }
}

/** Returns a hash of the records of a file. It does not depend on line ends or encoding. */
function hashOf(lines: readonly NachaLine[]): Buffer {
  const last = lines.findLastIndex(({ text }) => !/^9+$/.test(text))
  const hash = createHash('sha256')
  for (const { text } of lines.slice(0, last + 1)) hash.update(`${text}\n`)
  return hash.digest()
}

function remarksOn(lines: readonly NachaLine[]): NachaProblem[] {
  const remarks: NachaProblem[] = []
  for (const { number, text } of lines) {
    const record = findRecordName(text)
    if (record === null || text.startsWith('99999')) continue
    for (const problem of recordProblems(record, text)) remarks.push({ line: number, problem })
    if (remarks.length >= MAX_PROBLEMS) break
  }
  return remarks
}

function contentOf({ header, batches }: FileFrame): NachaContent {
  const content: NachaContent = {
    header: header && {
      immediateDestination: header.immediateDestination.trim(),
      immediateOrigin: header.immediateOrigin.trim(),
      creationDate: header.creationDate,
      creationTime: header.creationTime.trim(),
      fileIdModifier: header.fileIdModifier,
    },
    entries: [],
    returns: [],
    corrections: [],
    setAside: [],
  }
  for (const batch of batches) for (const entry of batch.entries) addTo(content, batch, entry)
  return content
}

function addTo(content: NachaContent, batch: BatchFrame, frame: EntryFrame): void {
  const entry = readEntry(batch, frame)
  const named = (record: string) => frame.addenda.filter((line) => findRecordName(line.text) === record)
  const [returns, changes] = [named('returnAddenda'), named('changeAddenda')]
  const [[returned], [changed]] = [returns, changes]
  if (returns.length + changes.length > 1) content.setAside.push(judgeSeveral(entry, [...returns, ...changes]))
  else if (returned) addJudged(content, content.returns, judgeReturn(entry, returned))
  else if (changed) addJudged(content, content.corrections, judgeCorrection(entry, changed))
  else addJudged(content, content.entries, judgeOther(entry, frame))
}

const addJudged = <One extends ReadEntry>(content: NachaContent, list: One[], judged: One | ReadSetAside): void =>
  void (isSetAside(judged) ? content.setAside.push(judged) : list.push(judged))

const isSetAside = (judged: ReadEntry | ReadSetAside): judged is ReadSetAside => 'why' in judged

/** An entry whose amount or direction may be unreadable. */
type PartlyRead = Omit<ReadEntry, 'amountCents' | 'direction'> & {
  amountCents: number | null
  direction: Direction | null
}

function readEntry({ header, control }: BatchFrame, frame: EntryFrame): PartlyRead {
  const { line, entry, addenda } = frame
  const remittances = addenda.filter((record) => findRecordName(record.text) === 'remittanceAddenda')
  const companyId = header?.companyId.trim() ?? ''
  return {
    line: line.number,
    records: [line, ...addenda],
    secCode: header?.secCode ?? '',
    companyId,
    isCompanySure: companyId !== '' && control?.values.companyId.trim() === companyId,
    entryDescription: header?.entryDescription.trim() ?? '',
    settlementDay: Number(header?.settlementDay) || null,
    traceNumber: entry.traceNumber,
    direction: readDirection(frame),
    accountKind: accountKindFromCode(entry.transactionCode),
    routingNumber: entry.rdfi + entry.checkDigit,
    accountNumber: entry.accountNumber.trim(),
    amountCents: amountOf(frame),
    receiverId: entry.receiverId.trim(),
    receiverName: entry.receiverName.trim(),
    remittances: remittances.map(({ text }) => readRecord('remittanceAddenda', text).remittance.trimEnd()),
  }
}

const setAside = (
  entry: PartlyRead,
  kind: SetAsideKind,
  { why, trace = null }: { why: string; trace?: string | null },
): ReadSetAside => ({ ...entry, kind, why, originalTraceNumber: trace })

/** Returns an entry with its amount and direction, or null if one of them cannot be read. */
function whole(entry: PartlyRead): ReadEntry | null {
  const { amountCents, direction } = entry
  return amountCents === null || direction === null ? null : { ...entry, amountCents, direction }
}

const traceOf = (digits: string): string | null => (/^\d{15}$/.test(digits) ? digits : null)
const rdfiOrNull = (digits: string): string | null => (/^\d{8}$/.test(digits) ? digits : null)

/** Judges an entry with several returns or notifications of change, as banks write them when they dishonor or contest a return. */
function judgeSeveral(entry: PartlyRead, answers: readonly NachaLine[]): ReadSetAside {
  const values = answers.map(({ text }) => readRecord('returnAddenda', text))
  const codes = values.map(({ returnCode }) => returnCode.toUpperCase())
  const isContested = codes.some((code) => isAchReturnCode(code) && achReturnKind(code) !== 'return')
  const trace = traceOf(values[0]?.originalTraceNumber ?? '')
  const why = `several returns or notifications of change of one entry: ${codes.map(codeText).join(', ')}`
  return setAside(entry, isContested ? 'contested' : 'unread', { why, trace })
}

function judgeReturn(entry: PartlyRead, { text }: NachaLine): ReadReturn | ReadSetAside {
  const values = readRecord('returnAddenda', text)
  const returnCode = values.returnCode.toUpperCase()
  const trace = traceOf(values.originalTraceNumber)
  if (trace === null)
    return setAside(entry, 'unread', {
      why: `return ${codeText(returnCode)} whose original trace number cannot be read`,
    })
  if (!isAchReturnCode(returnCode))
    return setAside(entry, 'unread', { why: `unknown return code ${codeText(returnCode)}`, trace })
  const kind = achReturnKind(returnCode)
  if (kind !== 'return') return setAside(entry, 'contested', { why: `${kind} return ${returnCode}`, trace })
  const read = whole(entry)
  if (!read)
    return setAside(entry, 'unread', {
      why: `return ${returnCode} whose amount or transaction code cannot be read`,
      trace,
    })
  return {
    ...read,
    returnCode,
    originalTraceNumber: trace,
    originalRdfi: rdfiOrNull(values.originalRdfi),
    dateOfDeath: /^\d{6}$/.test(values.dateOfDeath) ? values.dateOfDeath : null,
    information: values.information.trim(),
  }
}

function judgeCorrection(entry: PartlyRead, { text }: NachaLine): ReadCorrection | ReadSetAside {
  const values = readRecord('changeAddenda', text)
  const changeCode = values.changeCode.toUpperCase()
  const trace = traceOf(values.originalTraceNumber)
  // A damaged return can look like a notification of change with an unknown code. Such an entry may concern any of our entries.
  if (!/^C\d\d$/.test(changeCode))
    return setAside(entry, 'unread', { why: `unknown change code ${codeText(changeCode)}`, trace })
  const unread = (why: string) => setAside(entry, 'correction_unread', { why, trace })
  if (trace === null) return unread(`notification of change ${changeCode} whose original trace number cannot be read`)
  if (/^C6\d$/.test(changeCode)) return unread(`refused notification of change ${changeCode}`)
  if (!isChangeCode(changeCode)) return unread(`unknown change code ${changeCode}`)
  const corrected = parseCorrectedData(changeCode, values.correctedData + values.reserved2)
  if (!corrected) return unread(`notification of change ${changeCode} whose corrected data cannot be read`)
  // The amount of a notification of change is zero, so an unreadable one does not matter.
  const direction = entry.direction ?? directionFromCode('27')
  if (!direction) return unread('unknown transaction code')
  const read: ReadEntry = { ...entry, amountCents: entry.amountCents ?? 0, direction }
  return { ...read, changeCode, originalTraceNumber: trace, originalRdfi: rdfiOrNull(values.originalRdfi), corrected }
}

function judgeOther(
  entry: PartlyRead,
  { entry: { transactionCode, addendaIndicator }, addenda }: EntryFrame,
): ReadEntry | ReadSetAside {
  const isUnknown = addenda.some(({ text }) => !isEntryAddenda(text, entry))
  if (isUnknown) return setAside(entry, 'unread', { why: 'an addenda record of an unknown type' })
  // Returns and notifications of change have their own transaction codes and an addenda record.
  if (isAnswerCode(transactionCode) || (addendaIndicator === '1' && addenda.length === 0)) {
    return setAside(entry, 'unread', { why: 'a return or a notification of change without its addenda record' })
  }
  return whole(entry) ?? setAside(entry, 'unread', { why: 'an entry whose amount or transaction code cannot be read' })
}

/** Returns whether an addenda record belongs to an entry: 02 (of a terminal), 05, or 10 to 18 (of an international entry). */
const isEntryAddenda = (text: string, { secCode }: PartlyRead): boolean =>
  /^70[25]/.test(text) || (secCode === 'IAT' && /^71[0-8]/.test(text))

/** Returns a code for a message, if it is too short to be a part of an account number. */
const codeText = (code: string): string => (/^[A-Z0-9]{1,3}$/.test(code.trim()) ? code.trim() : 'that cannot be read')
