import type { LineProposal } from '../../answers.ts'
import { signedDollars } from '../../shown/dollars.ts'

const isId = (name: string): boolean => /^[0-9a-f]{32}$/.test(name)
const isFile = (name: string): boolean => /^\d{8}-[A-Z0-9]$/.test(name)

/** An account of the operator in words: `bank_errors` becomes "bank errors". */
export const accountWords = (name: string): string => name.replaceAll('_', ' ')

/** Returns the label of a proposal's button, which says what the proposal does. */
export function proposalWords({ legs, parts, payment }: LineProposal): string {
  if (parts.length === 0) return legs.length === 1 ? 'Match payment' : `Match ${legs.length} payments`
  const own = parts.filter(({ name }) => !isId(name) && !isFile(name))
  const hasLeg = own.length < parts.length
  if (hasLeg && own.length === 0) return 'Match file'
  if (!hasLeg && own.length === 1) return `Book to ${accountWords(own[0]?.name ?? '')}`
  const rest = own.map(({ name, amount }) => `${signedDollars(amount)} to ${accountWords(name)}`).join(', ')
  if (!hasLeg) return `Book ${rest}`
  const what = parts.some(({ name }) => isFile(name)) ? ' file' : payment === null ? '' : ' payment'
  return `Match${what}, ${rest}`
}

const KINDS: Record<string, string> = {
  ach: 'ACH',
  check: 'Check',
  wire: 'Wire',
  realtime: 'Real-time payment',
  card: 'Card',
  deposit: 'Deposit',
  transfer: 'Transfer',
  fee: 'Fee',
  interest: 'Interest',
  return: 'Return',
}

export const kindWords = (kind: string): string => KINDS[kind] ?? 'Other'

const ACTIONS: Record<string, string> = { match: 'Matched', split: 'Booked', ignore: 'Ignored' }

export const actionWords = (action: string): string => ACTIONS[action] ?? action

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A month such as 2026-03 in words: "March 2026". */
export const monthWords = (month: string): string => monthFormat.format(new Date(`${month}-01T00:00:00Z`))
