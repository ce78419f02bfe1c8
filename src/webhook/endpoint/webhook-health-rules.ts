import type { EnvironmentName } from '../../foundation/core/environment.ts'
import { serviceMail } from '../../foundation/mail/mail-rules.ts'
import type { Outcome } from '../delivery/delivery-status.ts'

/** The milliseconds above which an endpoint counts as slow. Slow endpoints have their own lane. */
export const SLOW_MS = 2_000

/**
 * The milliseconds for which an endpoint must fail before its owner is notified. After `DISABLED_AFTER_MS` without a success, the endpoint
 * is disabled.
 */
export const WARNED_AFTER_MS = 3_600_000
export const DISABLED_AFTER_DAYS = 5
const DISABLED_AFTER_MS = DISABLED_AFTER_DAYS * 24 * 3_600_000

/** HTTP 410 means that the receiver wants no more webhooks. */
const GONE = 410

export type Health = {
  isSlow: boolean
  /** The time of the first failed attempt since the last success, in platform time. Null if the last attempt succeeded. */
  failingSince: Date | null
}

export type AttemptResult = {
  outcome: Outcome
  httpStatus: number | null
  /** The reason why no status was received, as a sentence. Null if there was a status. */
  error: string | null
  startedAt: Date
  durationMs: number
}

export const healthAfter = (health: Health, { outcome, startedAt, durationMs }: AttemptResult): Health => ({
  isSlow: outcome === 'timed_out' || durationMs > SLOW_MS,
  failingSince: outcome === 'acknowledged' ? null : (health.failingSince ?? startedAt),
})

export const isSameHealth = (a: Health, b: Health): boolean =>
  a.isSlow === b.isSlow && a.failingSince?.getTime() === b.failingSince?.getTime()

export const isGone = ({ httpStatus }: Pick<AttemptResult, 'httpStatus'>): boolean => httpStatus === GONE

/** The consequence of a failed attempt for its endpoint. */
export type Verdict = 'GONE' | 'FAILING' | 'warn' | null

export function verdictFor({ failingSince }: Health, failure: AttemptResult): Verdict {
  if (isGone(failure)) return 'GONE'
  const failingMs = failingSince ? failure.startedAt.getTime() - failingSince.getTime() : 0
  if (failingMs >= DISABLED_AFTER_MS) return 'FAILING'
  return failingMs >= WARNED_AFTER_MS ? 'warn' : null
}

type FailingEndpoint = { name: EnvironmentName; host: string; failure: Pick<AttemptResult, 'httpStatus' | 'error'> }

/** Emails to owners about failing endpoints. They contain only the host of a URL, because the rest may contain a secret. */
export const healthMails = {
  warn: ({ name, host, failure }: FailingEndpoint) =>
    serviceMail(
      name,
      `Your webhooks to ${host} are failing (Remit ${name})`,
      `All webhooks from your Remit ${name} account to ${host} have failed for more than an hour.`,
      lastReason(failure),
      'We keep trying. To fix this, check the failed attempts in your settings, under Webhooks. Your server must respond with a status from 200 to 299.',
      `We disable the endpoint after ${DISABLED_AFTER_DAYS} days without a successful delivery.`,
    ),
  FAILING: ({ name, host, failure }: FailingEndpoint) =>
    serviceMail(
      name,
      `Your webhooks to ${host} were disabled (Remit ${name})`,
      `All webhooks from your Remit ${name} account to ${host} have failed for ${DISABLED_AFTER_DAYS} days, so we disabled the endpoint.`,
      lastReason(failure),
      'When your server works again, enable the endpoint in your settings, under Webhooks. You can replay missed events there for 30 days.',
    ),
  GONE: ({ name, host }: FailingEndpoint) =>
    serviceMail(
      name,
      `Your webhooks to ${host} were disabled (Remit ${name})`,
      `Your server at ${host} responded to a webhook from your Remit ${name} account with status 410 (Gone), so we disabled the endpoint.`,
      'If this was a mistake, enable the endpoint in your settings, under Webhooks. You can replay missed events there for 30 days.',
    ),
}

const lastReason = ({ httpStatus, error }: FailingEndpoint['failure']): string =>
  httpStatus === null
    ? `At the last attempt, there was no response: ${error}.`
    : `At the last attempt, your server responded with status ${httpStatus}.`
