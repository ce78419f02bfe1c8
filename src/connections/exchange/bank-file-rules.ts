import type { Connection } from '../../foundation/core/connections.ts'
import { type BankCalendar, nextSettlementDate } from '../../foundation/lib/banking-day.ts'

/** The time limit of the transfer job. A file that is still in outbound/ after that has missed its window. */
const TRANSMISSION_MS = 60 * 60 * 1000

export const transmissionDeadline = (createdAt: Date): Date => new Date(createdAt.getTime() + TRANSMISSION_MS)

/** Matches the extension of a physical file, which identifies the part. */
const PART = /\.(ach|pdf|csv|txt|xml)$/i

/** Returns the name of a bank file from the operator's text, which may have the extension of a part. */
export const parseOutgoingFileName = (text: string): string => text.replace(PART, '')

/**
 * Returns the settlement time of a file that reached the bank at `arrivedAt`: its effective date if it was in time, otherwise the next
 * banking day. A file without entries has no effective date.
 */
export const fileSettlementTime = (
  { effectiveAt, arrivedAt }: { effectiveAt: Date | null; arrivedAt: Date },
  calendar: BankCalendar,
): Date => (effectiveAt !== null && arrivedAt <= effectiveAt ? effectiveAt : nextSettlementDate(arrivedAt, calendar))

/** The maximum size of a file from the bank. A day's returns of a large originator are far smaller. */
export const MAX_INBOUND_BYTES = 16 * 1024 * 1024

/** Returns the report about a file that was set aside as a whole. */
export const reportOnFile = (name: string, problems: readonly string[]): string =>
  [`Nothing was taken from ${name}. It was set aside because of:`, '', ...problems.map((one) => `  ${one}`), ''].join(
    '\n',
  )

/** The kinds of files from a bank. The name of a file shows its kind. Files whose name matches no kind are ACH files. */
export const INBOUND_KINDS = ['ach', 'paid checks', 'mail', 'mail scan', 'statement', 'order answers'] as const
export type InboundKind = (typeof INBOUND_KINDS)[number]

export const INBOUND_STATUSES = ['RECEIVED', 'READ', 'SET_ASIDE'] as const
export type InboundStatus = (typeof INBOUND_STATUSES)[number]

/** The parts of a connection that contain name patterns. */
export type NamingConnection = Pick<Connection, 'statements' | 'iso20022'>

export function kindOfInbound(name: string, { statements, iso20022 }: NamingConnection): InboundKind {
  if (iso20022?.reportNames.some((pattern) => fits(name, pattern))) return 'order answers'
  if (statements?.names.some((pattern) => fits(name, pattern))) return 'statement'
  if (/^paid-.*\.(csv|txt)$/i.test(name)) return 'paid checks'
  if (/^mail-.*\.json$/i.test(name)) return 'mail'
  return /^mail-.*\.pdf$/i.test(name) ? 'mail scan' : 'ach'
}

/** Returns whether a name matches a pattern with `*` for any characters, regardless of case. */
function fits(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const text = name.toLowerCase()
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
