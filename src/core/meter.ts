/** What the parts of the service say of themselves as it happens, for `app/metrics.ts`. Cheap, and never fails. */
export type Meter = {
  /** `route` is the pattern, null where there is none. */
  answered(request: { method: string; route: string | null; status: number; seconds: number }): void
  paymentAccepted(): void
  paymentChanged(status: string): void
  legChanged(leg: { rail: string; direction: string; status: string }): void
  webhookAttempted(attempt: { outcome: string; seconds: number }): void
  groupCommitted(size: number): void
  exceptionOpened(kind: string): void
  bankFileChanged(file: { kind: string; status: string }): void
  /** Whether bank files are neither read nor written, because database and exchange folder differ. */
  exchangeBlocked(isBlocked: boolean): void
  bankFileLate(file: { kind: string; late: string }): void
  stepRan(run: { step: string; seconds: number; hasFailed: boolean }): void
  /** The work of one platform within a pass. */
  stepFailed(step: string): void
  platformsFailing(step: { step: string; count: number }): void
  ledgerVerified(verification: {
    at: Date
    seconds: number
    checks: readonly { check: string; checked: number; offending: number }[]
  }): void
}

const nothing = () => {}

/** Where nobody asks for metrics. */
export const noMeter: Meter = {
  answered: nothing,
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
