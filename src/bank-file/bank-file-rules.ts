import { settlementDateOf } from '../rail/banking-day-rules.ts'

/** How long the transfer job may take. A file that is still in outbound/ then has missed its window. */
const TRANSMISSION_MS = 60 * 60 * 1000

export const transmissionDeadline = (createdAt: Date): Date => new Date(createdAt.getTime() + TRANSMISSION_MS)

/** The end of a file's name that says which part of it a physical file is. */
const PART = /\.(ach|pdf|csv)$/i

/** The name of a file as an operator gives it, with or without the ending of one of its parts. */
export const bankFileNameOf = (text: string): string => text.replace(PART, '')

/**
 * When a file settles that the bank had at an instant: on its effective date if it came in time, otherwise on the next
 * banking day. A file without entries has no effective date.
 */
export const settlementOf = ({ effectiveAt, arrivedAt }: { effectiveAt: Date | null; arrivedAt: Date }): Date =>
  effectiveAt !== null && arrivedAt <= effectiveAt ? effectiveAt : settlementDateOf(arrivedAt)
