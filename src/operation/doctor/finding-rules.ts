import type { EnvironmentName } from '../../foundation/core/environment.ts'

/** The result of one check. `remedy`: what the operator can do about it. */
export type Verdict =
  | { status: 'ok'; found: string; remedy: null }
  | { status: 'warning' | 'failure'; found: string; remedy: string }

/** A verdict in the report of `remit doctor`. Programs may rely on the id. `environment`: null for the whole machine. */
export type Finding = { id: string; environment: EnvironmentName | null } & Verdict

export const ok = (found: string): Verdict => ({ status: 'ok', found, remedy: null })
export const warning = (found: string, remedy: string): Verdict => ({ status: 'warning', found, remedy })
export const failure = (found: string, remedy: string): Verdict => ({ status: 'failure', found, remedy })

/** Returns a failure if the value reaches one limit, a warning if it reaches the other, and otherwise neither. */
export function byLimits(value: number, limits: { warning: number; failure: number }) {
  if (value >= limits.failure) return failure
  return value >= limits.warning ? warning : (found: string) => ok(found)
}

const EXIT_CODES = { ok: 0, warning: 1, failure: 2 }

/** Returns the exit code. 0: no problem. 1: a warning. 2: a failure. */
export const exitCodeOf = (findings: readonly Finding[]): number =>
  Math.max(0, ...findings.map(({ status }) => EXIT_CODES[status]))

/** Formats a duration for people: 90 → "2 minutes". */
export function duration(seconds: number): string {
  const [size, unit] = (
    [
      [86_400, 'day'],
      [3_600, 'hour'],
      [60, 'minute'],
    ] as const
  ).find(([s]) => seconds >= s) ?? [1, 'second']
  const count = Math.round(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
