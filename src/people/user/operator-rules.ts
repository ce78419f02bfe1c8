import { StartProblem } from '../../foundation/lib/start-problem.ts'
import type { UserEvent } from './user-status.ts'

/** The decisions of the operator, and their names in the audit trail. `verify` also lifts a suspension. */
export const operatorEvents = {
  verify: 'user_verified',
  suspend: 'user_suspended',
  close: 'user_closed',
} as const satisfies Partial<Record<UserEvent, string>>

export type OperatorEvent = keyof typeof operatorEvents

/** Parses a limit from the command line into cents. Accepts dollars, or `default` for null. @throws StartProblem */
export function requireLimit(text: string, flag: string): number | null {
  if (text === 'default') return null
  const cents = centsOf(text)
  if (cents === 0) throw new StartProblem(`${flag} must be an amount in dollars such as 5000 or 5000.50, or "default".`)
  return cents
}

/** Parses an amount from the command line into cents. @throws StartProblem */
export function requireDollars(text: string, flag: string): number {
  const cents = centsOf(text)
  if (cents === 0) throw new StartProblem(`${flag} must be an amount in dollars such as 40 or 40.64.`)
  return cents
}

const centsOf = (text: string): number => (/^\d{1,12}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0)
