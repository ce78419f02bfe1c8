/** Measurements of the service for `app/metrics.ts`. Calls are cheap and never fail. */
export type Meter = {
  /** An answer was sent. `route` is the route pattern, or null for an unknown address. */
  answered(request: { method: string; route: string | null; status: number; seconds: number }): void
  /** A request was not written to the request log, because too many requests were waiting. */
  requestNotLogged(): void
  paymentAccepted(): void
  paymentChanged(status: string): void
  legChanged(leg: { rail: string; direction: string; status: string }): void
  webhookAttempted(attempt: { outcome: string; seconds: number }): void
  groupCommitted(size: number): void
  exceptionOpened(kind: string): void
  bankFileChanged(file: { kind: string; status: string }): void
  /** Bank files are blocked or unblocked. They are neither read nor written while the database and the exchange folder do not match. */
  exchangeBlocked(isBlocked: boolean): void
  bankFileLate(file: { kind: string; late: string }): void
  stepRan(run: { step: string; seconds: number; hasFailed: boolean }): void
  /** A background step failed for one platform. */
  stepFailed(step: string): void
  platformsFailing(step: { step: string; count: number }): void
  ledgerVerified(verification: {
    at: Date
    seconds: number
    checks: readonly { check: string; checked: number; offending: number }[]
  }): void
}

const nothing = () => {}

/** A meter that records nothing, for services without metrics. */
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
