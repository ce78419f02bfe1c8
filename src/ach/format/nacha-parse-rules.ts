import { createHash } from 'node:crypto'
import type { AccountKind } from '../../core/environment.ts'
import {
  type AchReturnCode,
  achReturnKind,
  type ChangeCode,
  changeCodes,
  isAchReturnCode,
  isChangeCode,
} from '../../rail/return-code-rules.ts'
import {
  type BatchRecords,
  controlProblems,
  type EntryRecords,
  type FileRecords,
  fileRecordsOf,
} from './nacha-control-rules.ts'
import { accountKindOf, type Direction, directionOf } from './nacha-entry-rules.ts'
import { linesOf, type NachaLine, type NachaLines, type NachaProblem, recordNameOf } from './nacha-line-rules.ts'
import { readRecord, recordProblems } from './nacha-record-rules.ts'

/** An entry as read: one that we sent, incoming money, or the subject of a return or correction. */
export type ReadEntry = {
  line: number
  secCode: string
  companyId: string
  entryDescription: string
  /** Day of the year of the settlement, set by the ACH operator. */
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

/** A returned entry. `direction` is that of the original entry, not of the money. */
export type ReadReturn = ReadEntry & {
  returnCode: AchReturnCode
  originalTraceNumber: string
  originalRdfi: string
  /** YYMMDD, with R14 and R15. */
  dateOfDeath: string | null
  information: string
}

export type CorrectedData = {
  routingNumber?: string
  accountNumber?: string
  accountKind?: AccountKind
  receiverId?: string
}

/** A notification of change. With an empty `corrected` (C13, C14) it concerns our file, not the receiver. */
export type ReadCorrection = ReadEntry & {
  changeCode: ChangeCode
  originalTraceNumber: string
  originalRdfi: string
  corrected: CorrectedData
}

/** A valid entry that needs manual review. `isReturn`: the bank may have the money of the entry that it names. */
export type ReadSetAside = ReadEntry & { why: string; originalTraceNumber: string | null; isReturn: boolean }

export type NachaContent = {
  /** Identifies the file. Date and time as in the file: YYMMDD, HHMM. */
  header: {
    immediateDestination: string
    immediateOrigin: string
    creationDate: string
    creationTime: string
    fileIdModifier: string
  }
  entries: ReadEntry[]
  returns: ReadReturn[]
  corrections: ReadCorrection[]
  setAside: ReadSetAside[]
}

/** One NACHA file of a physical file, with its first and last line. */
export type NachaReading = { firstLine: number; lastLine: number } & (
  | { content: NachaContent; contentHash: Buffer; problems: [] }
  | { content: null; contentHash: null; problems: NachaProblem[]; problemCount: number }
)

/** A garbage file has as many problems as lines. These are enough to recognize it. */
const MAX_PROBLEMS = 50

/** SEC codes that we send. CTX, IAT and others belong to other originators. */
const OWN_CLASSES = ['PPD', 'CCD', 'WEB']

/**
 * Reads the NACHA files of a physical file: each is valid, or has a list of reasons why it is rejected. Never throws.
 * Problems name lines, positions and totals, never an account number or a name.
 */
export const parseNachaFiles = (text: string): NachaReading[] => linesOf(text).map(parseLines)

function parseLines({ firstLine, lastLine, lines, problems }: NachaLines): NachaReading {
  const refused = (all: NachaProblem[]): NachaReading => {
    const counted = { problems: all.slice(0, MAX_PROBLEMS), problemCount: all.length }
    return { firstLine, lastLine, content: null, contentHash: null, ...counted }
  }
  if (problems.length > 0) return refused(problems)
  const fields = lines.flatMap(fieldProblems)
  if (fields.length > 0) return refused(fields)
  const file = fileRecordsOf(lines)
  const contradictions = controlProblems(file)
  if (contradictions.length > 0) return refused(contradictions)
  return { firstLine, lastLine, content: contentOf(file), contentHash: hashOf(lines), problems: [] }
}

/** Identifies a file by its records, however it was stored. */
function hashOf(lines: readonly NachaLine[]): Buffer {
  const hash = createHash('sha256')
  for (const { text } of lines) hash.update(`${text}\n`)
  return hash.digest()
}

function contentOf({ header, batches }: FileRecords): NachaContent {
  const { creationDate, creationTime, fileIdModifier, immediateDestination, immediateOrigin } = header
  const content: NachaContent = {
    header: {
      immediateDestination: immediateDestination.trim(),
      immediateOrigin: immediateOrigin.trim(),
      creationDate,
      creationTime: creationTime.trim(),
      fileIdModifier,
    },
    entries: [],
    returns: [],
    corrections: [],
    setAside: [],
  }
  for (const batch of batches) for (const records of batch.entries) addTo(content, batch, records)
  return content
}

function fieldProblems(line: NachaLine): NachaProblem[] {
  const record = recordNameOf(line.text)
  if (record === null) return []
  return recordProblems(record, line.text).map((problem) => ({ line: line.number, problem }))
}

function addTo(content: NachaContent, batch: BatchRecords, records: EntryRecords): void {
  const entry = readEntry(batch, records)
  const returned = records.addenda.find((line) => recordNameOf(line.text) === 'returnAddenda')
  const changed = records.addenda.find((line) => recordNameOf(line.text) === 'changeAddenda')
  if (returned) addReturn(content, entry, returned)
  else if (changed) addCorrection(content, entry, changed)
  else if (OWN_CLASSES.includes(entry.secCode)) content.entries.push(entry)
  else
    content.setAside.push({
      ...entry,
      originalTraceNumber: null,
      isReturn: false,
      why: `entry of class ${entry.secCode}`,
    })
}

function readEntry({ header }: BatchRecords, { line, entry, addenda }: EntryRecords): ReadEntry {
  const remittances = addenda.filter((record) => recordNameOf(record.text) === 'remittanceAddenda')
  return {
    line,
    secCode: header.secCode,
    companyId: header.companyId.trim(),
    entryDescription: header.entryDescription.trim(),
    settlementDay: Number(header.settlementDay) || null,
    traceNumber: entry.traceNumber,
    direction: directionOf(entry.transactionCode) as Direction,
    accountKind: accountKindOf(entry.transactionCode),
    routingNumber: entry.rdfi + entry.checkDigit,
    accountNumber: entry.accountNumber.trim(),
    amountCents: Number(entry.amountCents),
    receiverId: entry.receiverId.trim(),
    receiverName: entry.receiverName.trim(),
    remittances: remittances.map(({ text }) => readRecord('remittanceAddenda', text).remittance.trimEnd()),
  }
}

function addReturn(content: NachaContent, entry: ReadEntry, { text }: NachaLine): void {
  const { returnCode, originalTraceNumber, originalRdfi, dateOfDeath, information } = readRecord('returnAddenda', text)
  const setAside = (why: string) => content.setAside.push({ ...entry, originalTraceNumber, isReturn: true, why })
  if (!isAchReturnCode(returnCode)) return void setAside(`unknown return code ${returnCode}`)
  const kind = achReturnKind(returnCode)
  if (kind !== 'return') return void setAside(`${kind} return ${returnCode}`)
  if (!OWN_CLASSES.includes(entry.secCode)) return void setAside(`return of class ${entry.secCode}`)
  content.returns.push({
    ...entry,
    returnCode,
    originalTraceNumber,
    originalRdfi,
    dateOfDeath: dateOfDeath.trim() || null,
    information: information.trim(),
  })
}

function addCorrection(content: NachaContent, entry: ReadEntry, { text }: NachaLine): void {
  const { changeCode, originalTraceNumber, originalRdfi, correctedData } = readRecord('changeAddenda', text)
  const setAside = (why: string) => content.setAside.push({ ...entry, originalTraceNumber, isReturn: false, why })
  if (/^C6\d$/.test(changeCode)) return void setAside(`refused notification of change ${changeCode}`)
  if (!isChangeCode(changeCode)) return void setAside(`unknown change code ${changeCode}`)
  const corrected = correctedOf(changeCode, correctedData)
  if (!corrected) return void setAside(`notification of change ${changeCode} whose corrected data cannot be read`)
  content.corrections.push({ ...entry, changeCode, originalTraceNumber, originalRdfi, corrected })
}

/** The corrected data, or null when a value that the code announces is missing. */
function correctedOf(changeCode: ChangeCode, correctedData: string): CorrectedData | null {
  const positions: Record<string, readonly [number, number]> = changeCodes[changeCode].corrected
  const corrected: CorrectedData = {}
  for (const [name, [first, last]] of Object.entries(positions)) {
    const value = correctedData.slice(first - 1, last).trim()
    const accountKind = accountKindOf(value)
    if (name === 'routingNumber' && /^\d{9}$/.test(value)) corrected.routingNumber = value
    else if (name === 'accountNumber' && value !== '') corrected.accountNumber = value
    else if (name === 'receiverId' && value !== '') corrected.receiverId = value
    else if (name === 'transactionCode' && accountKind) corrected.accountKind = accountKind
    else return null
  }
  return corrected
}
