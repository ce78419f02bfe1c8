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
  bankFileChanged(file: { connection: string; kind: string; status: string }): void
  /** A connection is blocked or unblocked. Its files are neither read nor written while the database and its state folder do not match. */
  exchangeBlocked(connection: { connection: string; isBlocked: boolean }): void
  bankFileLate(file: { connection: string; kind: string; late: string }): void
  /** Whether nothing came from a bank in the time that its connection expects. */
  bankSilent(connection: { connection: string; isSilent: boolean }): void
  /** A session at a bank's server ended. */
  sessionEnded(session: { connection: string; outcome: string; seconds: number }): void
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
  bankSilent: nothing,
  sessionEnded: nothing,
  stepRan: nothing,
  stepFailed: nothing,
  platformsFailing: nothing,
  ledgerVerified: nothing,
}
