import type { NachaAcknowledgement } from './nacha-acknowledgement-rules.ts'
import { readRecord } from './nacha-record-rules.ts'

// Reads our own files, which are known to be valid.

type Totals = NonNullable<NachaAcknowledgement['totals']>

const linesOf = (content: string): string[] => content.split('\r\n')

/** Returns the counts and totals of the file control record. `entryCount` includes addenda records. */
export function readControlTotals(content: string): Totals {
  const line = linesOf(content).find((one) => one.startsWith('9'))
  const { batchCount, entryCount, debitCents, creditCents } = readRecord('fileControl', line ?? '')
  return {
    batchCount: Number(batchCount),
    entryCount: Number(entryCount),
    debitCents: Number(debitCents),
    creditCents: Number(creditCents),
  }
}

/** Returns the names of the totals that differ. */
export const differingTotals = (stated: Totals, sent: Totals): string[] =>
  (Object.keys(sent) as (keyof Totals)[])
    .filter((name) => stated[name] !== sent[name])
    .map((name) => `${totalNames[name]} ${stated[name]} instead of ${sent[name]}`)

const totalNames: Record<keyof Totals, string> = {
  batchCount: 'batch count',
  entryCount: 'entry and addenda count',
  debitCents: 'debit total in cents',
  creditCents: 'credit total in cents',
}

/** Lists the trace numbers of all entries with the numbers of their batches, in file order. */
export function tracesOf(content: string): { batchNumber: number; traceNumber: string }[] {
  let batchNumber = 0
  return linesOf(content).flatMap((line) => {
    if (line.startsWith('5')) batchNumber = Number(readRecord('batchHeader', line).batchNumber)
    return line.startsWith('6') ? [{ batchNumber, traceNumber: readRecord('entry', line).traceNumber }] : []
  })
}

export type SentReceiver = { routingNumber: string; accountNumber: string; receiverId: string }

/** Returns the receiver of the entry with a trace number. */
export function receiverInFile(content: string, traceNumber: string): SentReceiver | null {
  const line = linesOf(content).find((one) => one.startsWith('6') && one.endsWith(traceNumber))
  if (!line) return null
  const { rdfi, checkDigit, accountNumber, receiverId } = readRecord('entry', line)
  return { routingNumber: rdfi + checkDigit, accountNumber: accountNumber.trim(), receiverId: receiverId.trim() }
}
