import { namesOfIds } from '../../../foundation/audit/audit-actions.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { type PaymentTransfer, transfersOf } from '../../../money/ledger/ledger-actions.ts'
import { getPayment, isSenderSide } from '../payment-actions.ts'
import type { PaymentKey } from '../payment-types.ts'
import { findBeginning, insertMailHistory, listHistory, listInvoicePayments } from './history-store.ts'
import {
  type InvoicePayment,
  invoicePaymentsOf,
  type MailEvent,
  type TimelineEntry,
  timelineOf,
} from './timeline-rules.ts'

/** A timeline with its ledger entries. `names` has the names of the actors by id. */
export type Timeline = { entries: TimelineEntry[]; ledger: PaymentTransfer[]; names: Record<string, string> }

/**
 * Returns the events of a payment, in order, with its ledger entries. Only the owner sees names and webhook events. A recipient sees only
 * the changes of the status.
 *
 * @throws ApiError payment_not_found
 */
export async function getTimeline(deps: Deps, caller: Caller, paymentId: string): Promise<Timeline> {
  const payment = await getPayment(deps, caller, paymentId)
  const key = { platformId: payment.platformId, paymentId: payment.id }
  const [history, { isInvited, keyAt }, ledger] = await Promise.all([
    listHistory(deps.sql, key),
    findBeginning(deps.sql, key),
    transfersOf(deps, key),
  ])
  const realAt = deps.settings.hasMovableClock ? keyAt : payment.createdAt
  const entries = timelineOf({ ...payment, isInvited, realAt }, history)
  if (!isSenderSide(caller, payment))
    return { entries: entries.filter(isOfRecipient).map(withoutActor), ledger: [], names: {} }
  if (!caller.isOwner) return { entries: entries.map(withoutEvent), ledger, names: {} }
  const actorIds = entries.map(({ actorId }) => actorId).filter((id) => id !== null)
  return { entries, ledger, names: await namesOfIds(deps, key.platformId, actorIds) }
}

const isOfRecipient = ({ kind }: TimelineEntry): boolean => kind === 'payment'

/** Removes the webhook event, which only the owner may see. */
const withoutEvent = (entry: TimelineEntry): TimelineEntry => ({ ...entry, eventId: null })

const withoutActor = (entry: TimelineEntry, index: number): TimelineEntry => ({
  ...withoutEvent(entry),
  position: index + 1,
  actor: null,
  actorId: null,
})

/** Records a mail about a payment. The caller holds its lock. `deps` has the clock of its platform. */
export const recordMail = (deps: TxDeps, payment: PaymentKey, event: MailEvent): Promise<void> =>
  insertMailHistory(deps.sql, payment, {
    event,
    actor: deps.actor,
    now: deps.clock.now(),
    realNow: deps.realClock.now(),
  })

/** Lists the payments for an invoice on the platform of its payer, the earliest first. */
export const getInvoicePayments = async (
  deps: Pick<Deps, 'sql'>,
  invoice: { platformId: string; invoiceId: string },
): Promise<InvoicePayment[]> => invoicePaymentsOf(await listInvoicePayments(deps.sql, invoice))
