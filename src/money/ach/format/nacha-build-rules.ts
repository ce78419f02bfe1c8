import assert from 'node:assert/strict'
import { formatDate, localClock } from '../../../foundation/lib/clock.ts'
import { findDiscretionaryData } from './nacha-authorization-rules.ts'
import { formatRdfi, type NachaBatch, type NachaEntry, traceNumberOf, transactionCodes } from './nacha-entry-rules.ts'
import type { NachaOrigin } from './nacha-origin-rules.ts'
import { BLOCKING_FACTOR, FILLER, writeRecord } from './nacha-record-rules.ts'
import { formatNachaName, formatNachaText } from './nacha-text-rules.ts'
import { countBlocks, entryTotals, type NachaTotals, serviceClasses, sumTotals } from './nacha-totals-rules.ts'

/** The end of each record. Some banks require this line end, and every reader accepts it. */
const LINE_END = '\r\n'

/** The modifiers that distinguish the files of a day, in order. A day has at most 36 files (Appendix Three, 3.3). */
export const FILE_ID_MODIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/**
 * Builds a NACHA file (Nacha Operating Rules, Appendix Three). Texts are converted to ASCII and cut to their fields. Other values are
 * never cut. Date and time are Pacific, like the cut-offs.
 *
 * @throws RangeError for an amount above $99,999,999.99, a total above $9,999,999,999.99, or an account number of more than 17 characters.
 * The message never contains the value
 */
export function buildNachaFile({
  origin,
  createdAt,
  timeZone,
  fileIdModifier,
  batches,
}: {
  origin: NachaOrigin
  createdAt: Date
  /** The time zone of the bank, for the date and time of the header. */
  timeZone: string
  fileIdModifier: string
  batches: readonly NachaBatch[]
}): string {
  assert.match(fileIdModifier, /^[A-Z0-9]$/, 'a file id modifier is A to Z or 0 to 9')
  assert.ok(batches.length > 0, 'a file has at least one batch')
  requireUniqueTraces(batches)

  const built = batches.map((batch, index) => buildBatch(origin, batch, index + 1))
  const records = built.flatMap(({ lines }) => lines)
  const recordCount = records.length + 2
  const lines = [
    fileHeader({ origin, createdAt, timeZone, fileIdModifier }),
    ...records,
    writeRecord('fileControl', {
      batchCount: built.length,
      blockCount: countBlocks(recordCount),
      ...sumTotals(built.map(({ totals }) => totals)),
    }),
    ...Array<string>(countBlocks(recordCount) * BLOCKING_FACTOR - recordCount).fill(FILLER),
  ]
  return lines.map((line) => line + LINE_END).join('')
}

/** Checks that trace numbers are unique. Returns refer to entries only by trace number. */
function requireUniqueTraces(batches: readonly NachaBatch[]): void {
  const sequences = batches.flatMap(({ entries }) => entries.map(({ traceSequence }) => traceSequence))
  if (new Set(sequences).size !== sequences.length) throw new RangeError('a trace sequence comes twice in the file')
}

function fileHeader({
  origin,
  createdAt,
  timeZone,
  fileIdModifier,
}: {
  origin: NachaOrigin
  createdAt: Date
  timeZone: string
  fileIdModifier: string
}): string {
  const clock = localClock(createdAt, timeZone)
  return writeRecord('fileHeader', {
    immediateDestination: origin.immediateDestination,
    immediateOrigin: origin.immediateOrigin,
    creationDate: yymmdd(clock),
    creationTime: clock.toISOString().slice(11, 16).replace(':', ''),
    fileIdModifier,
    immediateDestinationName: origin.immediateDestinationName,
    immediateOriginName: origin.immediateOriginName,
  })
}

function buildBatch(origin: NachaOrigin, batch: NachaBatch, batchNumber: number) {
  assert.ok(batch.entries.length > 0, 'a batch has at least one entry')
  // Trace numbers must ascend within a batch, even if the sequence has restarted (Appendix Three, 3.2).
  const entries = [...batch.entries].sort((a, b) => a.traceSequence - b.traceSequence)
  const totals = sumTotals(entries.map(totalsOf))
  const identity = {
    serviceClass: serviceClassOf(totals),
    companyId: origin.companyId,
    odfi: origin.odfiRoutingNumber.slice(0, 8),
    batchNumber,
  }
  const header = writeRecord('batchHeader', {
    ...identity,
    companyName: origin.companyName,
    secCode: batch.secCode,
    entryDescription: batch.entryDescription,
    effectiveEntryDate: yymmdd(batch.effectiveEntryDate),
    originatorStatus: '1', // the ODFI is bound by the Nacha rules
  })
  const lines = entries.flatMap((entry) => entryLines(origin, batch, entry))
  return { totals, lines: [header, ...lines, writeRecord('batchControl', { ...identity, ...totals })] }
}

function serviceClassOf({ debitCents, creditCents }: NachaTotals): string {
  if (debitCents === 0) return serviceClasses.credits
  return creditCents === 0 ? serviceClasses.debits : serviceClasses.mixed
}

/** Returns the text of the addenda record. Returns null if no characters can be written, because an empty record has no purpose. */
const remittanceOf = ({ remittance = '' }: NachaEntry): string | null => formatNachaText(remittance) || null

function totalsOf(entry: NachaEntry): NachaTotals {
  const { account, amountCents, direction } = entry
  return entryTotals({
    rdfi: formatRdfi(account.routingNumber),
    amountCents,
    direction,
    addendaCount: remittanceOf(entry) ? 1 : 0,
  })
}

function entryLines(origin: NachaOrigin, { secCode }: NachaBatch, entry: NachaEntry): string[] {
  const { account, direction, amountCents, receiverId } = entry
  const remittance = remittanceOf(entry)
  if (!Number.isSafeInteger(amountCents) || amountCents < 1) throw new RangeError('an amount is at least one cent')
  const traceNumber = traceNumberOf(origin, entry.traceSequence)
  const line = writeRecord('entry', {
    transactionCode: transactionCodes[account.kind][direction].entry,
    rdfi: formatRdfi(account.routingNumber),
    checkDigit: account.routingNumber.slice(8),
    accountNumber: account.accountNumber,
    amountCents,
    receiverId,
    receiverName: formatNachaName(entry.receiverName, receiverId),
    discretionaryData: findDiscretionaryData(secCode),
    addendaIndicator: remittance ? '1' : '0',
    traceNumber,
  })
  if (!remittance) return [line]
  return [
    line,
    writeRecord('remittanceAddenda', { remittance, addendaSequence: 1, entrySequence: traceNumber.slice(8) }),
  ]
}

const yymmdd = (day: Date): string => formatDate(day).slice(2).replaceAll('-', '')
