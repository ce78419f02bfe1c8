/** Measurements that the service reports, for `app/metrics.ts`. Calls are cheap and never fail. */
export type Meter = {
  /** `route` is the route pattern, or null for an unknown address. */
  answered(request: { method: string; route: string | null; status: number; seconds: number }): void
  /** A request was not written into the request log, because too many wait. */
  requestNotLogged(): void
  paymentAccepted(): void
  paymentChanged(status: string): void
  legChanged(leg: { rail: string; direction: string; status: string }): void
  webhookAttempted(attempt: { outcome: string; seconds: number }): void
  groupCommitted(size: number): void
  exceptionOpened(kind: string): void
  bankFileChanged(file: { kind: string; status: string }): void
  /** Whether bank files are neither read nor written because the database and the exchange folder do not match. */
  exchangeBlocked(isBlocked: boolean): void
  bankFileLate(file: { kind: string; late: string }): void
  stepRan(run: { step: string; seconds: number; hasFailed: boolean }): void
  /** A step failed for one platform within a pass. */
  stepFailed(step: string): void
  platformsFailing(step: { step: string; count: number }): void
  ledgerVerified(verification: {
    at: Date
    seconds: number
    checks: readonly { check: string; checked: number; offending: number }[]
  }): void
}

const nothing = () => {}

/** Used when metrics are disabled. */
export const noMeter: Meter = {
  answered: nothing,
  requestNotLogged: nothing,
  paymentAccepted: nothing,
  paymentChanged: nothing,
  legChanged: nothing,
  webhookAttempted: nothing,
  groupCommitted: nothing,
  exceptionOpened: nothing,
  bankFileChanged: nothing,
  exchangeBlocked: nothing,
  bankFileLate: nothing,
  stepRan: nothing,
  stepFailed: nothing,
  platformsFailing: nothing,
  ledgerVerified: nothing,
}
