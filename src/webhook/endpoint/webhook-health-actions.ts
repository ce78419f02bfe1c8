import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { findOwnerEmail } from '../../foundation/db/owner-emails.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { sendMail } from '../../foundation/mail/mail-actions.ts'
import { failPendingDeliveries } from '../delivery/delivery-store.ts'
import { type AttemptResult, type Health, healthMails, type Verdict, verdictFor } from './webhook-health-rules.ts'
import { type ObservedEndpoint, updateDisabled, updateWarnedAt } from './webhook-health-store.ts'
import type { EndpointKey } from './webhook-store.ts'

/**
 * Reviews an endpoint after the last failed attempt of a session. Notifies the owner once if the endpoint has failed for an hour. Disables
 * the endpoint if it has failed for five days or is gone. Due deliveries were tried first, so a jump of the clock cannot disable an
 * endpoint.
 */
export async function reviewHealth(deps: Deps, endpoint: ObservedEndpoint, health: Health, failure: AttemptResult) {
  const verdict = verdictFor(health, failure)
  if (verdict === 'warn') return inTransaction(deps, (tx) => warnOwner(tx, endpoint, failure))
  if (verdict === null) return
  const isDisabled = await inTransaction(deps, (tx) => disable(tx, endpoint, verdict, failure))
  if (isDisabled) await failAllPending(deps, endpoint)
}

async function warnOwner(deps: TxDeps, endpoint: ObservedEndpoint, failure: AttemptResult): Promise<void> {
  if (await updateWarnedAt(deps.sql, endpoint, failure.startedAt)) await notifyOwner(deps, endpoint, 'warn', failure)
}

async function disable(
  deps: TxDeps,
  endpoint: ObservedEndpoint,
  reason: 'GONE' | 'FAILING',
  failure: AttemptResult,
): Promise<boolean> {
  if (!(await updateDisabled(deps.sql, endpoint, { reason, now: failure.startedAt }))) return false
  const { platformId } = endpoint
  const actor = { platformId, userId: null, credential: { kind: 'service' }, origin: null } as const
  await recordAudit(deps, actor, 'endpoint_disabled', new URL(endpoint.url).host)
  await notifyOwner(deps, endpoint, reason, failure)
  return true
}

async function notifyOwner(
  deps: TxDeps,
  { platformId, url }: ObservedEndpoint,
  what: Exclude<Verdict, null>,
  failure: AttemptResult,
): Promise<void> {
  const to = await findOwnerEmail(deps.sql, platformId)
  await sendMail(deps, { to, ...healthMails[what]({ name: deps.settings.name, host: new URL(url).host, failure }) })
}

const DELIVERIES_PER_STATEMENT = 1_000

/** Fails all PENDING deliveries of an endpoint, in bounded batches. @returns their number */
export async function failAllPending(deps: Pick<Deps, 'sql'>, endpoint: EndpointKey): Promise<number> {
  let count = 0
  for (;;) {
    const done = await failPendingDeliveries(deps.sql, endpoint, DELIVERIES_PER_STATEMENT)
    count += done
    if (done < DELIVERIES_PER_STATEMENT) return count
  }
}
