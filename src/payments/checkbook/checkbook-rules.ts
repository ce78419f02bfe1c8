import { afterBankingDays } from '../../foundation/lib/banking-day.ts'
import { csvForMachine } from '../../foundation/lib/text/csv.ts'
import { addressCells } from '../payment/paper-rules.ts'
import type { PostalAddress } from '../payment/payment-rules.ts'
import type { CheckbookEvent, CheckbookStatus } from './checkbook-status.ts'

export const CHECKS_PER_BOOK = 30

/** The highest check number that a payment can get (specification.md 3.1). */
export const MAX_CHECK_NUMBER = 100_000_000

/** Sort orders of the list. */
export const checkbookSorts = { DATE: 'timestamptz' } as const

const HOUR_MS = 60 * 60 * 1000

/** The milliseconds in which an order can be canceled. After that, it is sent to the printer. */
export const TIME_TO_CANCEL_MS = HOUR_MS

/** The milliseconds until a stopped user's order is checked again. */
export const POSTPONED_MS = HOUR_MS

/** In sandbox and demo, a checkbook that is mailed to this ZIP code is returned. */
export const MAGIC_RETURNED_ZIP = '00000'

const DAYS_UNTIL_RETURN = 5

type SimulatedStep = { event: CheckbookEvent; at: Date }

/** Returns the next step of the simulated printer in a status, or null if there is none. */
export function nextSimulatedStep(
  { status, zip }: { status: CheckbookStatus; zip: string },
  now: Date,
): SimulatedStep | null {
  if (status === 'PENDING') return { event: 'print', at: new Date(now.getTime() + TIME_TO_CANCEL_MS) }
  if (status === 'IN_PROCESS') return { event: 'mail', at: afterBankingDays(now, 1) }
  if (status === 'MAILED' && zip === MAGIC_RETURNED_ZIP) {
    return { event: 'return', at: afterBankingDays(now, DAYS_UNTIL_RETURN) }
  }
  return null
}

/** The event that is due in a status. */
export const simulatedEvents: Partial<Record<CheckbookStatus, CheckbookEvent>> = {
  PENDING: 'print',
  IN_PROCESS: 'mail',
  MAILED: 'return',
}

export type TrackingStep = { at: Date; location: string }

/** Returns the tracking steps of a book, in order. */
export function trackingOf({ status, printedAt, mailedAt, endedAt }: CheckbookProgress): TrackingStep[] {
  const steps: [at: Date | null, location: string][] = [
    [printedAt, 'Accepted by the printer'],
    [mailedAt, 'Handed to the post'],
    [endedAt, status === 'RETURNED' ? 'Returned' : 'Canceled'],
  ]
  return steps.flatMap(([at, location]) => (at ? [{ at, location }] : []))
}

type CheckbookProgress = {
  status: CheckbookStatus
  printedAt: Date | null
  mailedAt: Date | null
  endedAt: Date | null
}

const MANIFEST_COLUMNS = 'checkbook,first_number,last_number,name,line_1,line_2,city,state,zip,country,mail_type'.split(
  ',',
)

export type ManifestLine = {
  id: string
  firstNumber: number
  lastNumber: number
  name: string
  address: PostalAddress
  mailType: string
}

/** Formats the printer's instructions, which are delivered with the PDF. */
export const manifestOf = ({ id, firstNumber, lastNumber, name, address, mailType }: ManifestLine): string =>
  csvForMachine([
    MANIFEST_COLUMNS,
    [id, String(firstNumber), String(lastNumber), name, ...addressCells(address), mailType],
  ])
