import { StartProblem } from '../lib/start-problem.ts'
import type { UserEvent } from './user-status.ts'

/** What an operator sets for a user, in cents; null: that of the environment. */
export type UserLimits = { paymentCents: number | null; dayCents: number | null; monthCents: number | null }

/** What an operator decides of a user, and how the trail names it. A `verify` lifts a suspension too. */
export const operatorEvents = {
  verify: 'user_verified',
  suspend: 'user_suspended',
  close: 'user_closed',
} as const satisfies Partial<Record<UserEvent, string>>

export type OperatorEvent = keyof typeof operatorEvents

/** Cents of a limit as the command line gives it: dollars, or `default` for null. @throws StartProblem */
export function requireLimit(text: string, flag: string): number | null {
  if (text === 'default') return null
  const cents = centsOf(text)
  if (cents === 0) throw new StartProblem(`${flag} must be dollars, such as 5000 or 5000.50, or "default"`)
  return cents
}

/** Cents of an amount as the command line gives it. @throws StartProblem */
export function requireDollars(text: string, flag: string): number {
  const cents = centsOf(text)
  if (cents === 0) throw new StartProblem(`${flag} must be dollars, such as 40 or 40.64`)
  return cents
}

const centsOf = (text: string): number => (/^\d{1,12}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0)

/** A limit as the trail shows it. */
export const limitText = (cents: number | null): string => (cents === null ? 'default' : (cents / 100).toFixed(2))
