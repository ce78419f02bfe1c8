import type { EnvironmentName } from '../../foundation/core/environment.ts'

/** The judgment of one check. `remedy`: what the operator does about it. */
export type Verdict =
  | { status: 'ok'; found: string; remedy: null }
  | { status: 'warning' | 'failure'; found: string; remedy: string }

/** A verdict as `remit doctor` reports it. Programs may rely on the id. `environment`: null for the whole machine. */
export type Finding = { id: string; environment: EnvironmentName | null } & Verdict

export const ok = (found: string): Verdict => ({ status: 'ok', found, remedy: null })
export const warning = (found: string, remedy: string): Verdict => ({ status: 'warning', found, remedy })
export const failure = (found: string, remedy: string): Verdict => ({ status: 'failure', found, remedy })

/** A failure at or above one limit, a warning at or above the other. */
export function byLimits(value: number, limits: { warning: number; failure: number }) {
  if (value >= limits.failure) return failure
  return value >= limits.warning ? warning : (found: string) => ok(found)
}

const EXIT_CODES = { ok: 0, warning: 1, failure: 2 }

/** 0: all is well. 1: a warning. 2: a failure. */
export const exitCodeOf = (findings: readonly Finding[]): number =>
  Math.max(0, ...findings.map(({ status }) => EXIT_CODES[status]))

/** A duration as people say it: 90 → "2 minutes". */
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
