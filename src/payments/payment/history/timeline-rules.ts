import type { LegEvent } from '../../../money/rail/leg-status.ts'
import type { PaymentEvent, PaymentStatus } from '../payment-status.ts'
import type { PaymentRow } from '../payment-types.ts'
import type { HistoryRow, InvoicePaymentRow } from './history-store.ts'

/**
 * The subject of an entry: the payment itself, its debit (the money is pulled), its credit (the money is pushed to the
 * recipient), the refund to the sender, or a mail to the payee.
 */
export const TIMELINE_KINDS = ['payment', 'debit', 'credit', 'refund', 'mail'] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** The mails to a payee. `invite`: the first mail to a payee without an account. `notify`: another mail, which the sender requested. */
export const MAIL_EVENTS = ['invite', 'notify'] as const
export type MailEvent = (typeof MAIL_EVENTS)[number]

export type TimelineEntry = Pick<
  HistoryRow,
  'status' | 'rail' | 'returnCode' | 'cents' | 'eventId' | 'actor' | 'actorId' | 'createdAt'
> & {
  position: number
  kind: TimelineKind
  event: 'create' | PaymentEvent | LegEvent | MailEvent
  realAt: Date | null
}

const kindOfLeg: Record<string, TimelineKind> = {
  payment_pull: 'debit',
  payment_push: 'credit',
  payment_refund: 'refund',
}

/** The fields of a payment that its timeline needs. `realAt` is the real time of its creation, null if unknown. */
export type TimelinePayment = Pick<PaymentRow, 'createdAt' | 'status' | 'rail'> & {
  isInvited: boolean
  realAt: Date | null
}

/**
 * Creates the timeline of a payment from its creation and its history. The history does not contain the deposit at the creation of a
 * payment to a known account, so that entry is added here.
 */
export function timelineOf(payment: TimelinePayment, history: readonly HistoryRow[]): TimelineEntry[] {
  const atCreation = { ...NOTHING, createdAt: payment.createdAt, realAt: payment.realAt }
  const entries: Omit<TimelineEntry, 'position'>[] = [
    { ...atCreation, kind: 'payment', event: 'create', status: 'UNPAID' },
    ...(payment.isInvited ? [{ ...atCreation, kind: 'mail', event: 'invite' } as const] : []),
    ...(wasDepositedAtCreation(payment, history) ? [{ ...atCreation, ...depositOf(payment, history) }] : []),
    ...history.map((row) => ({
      ...row,
      kind: kindOfRow(row),
      event: row.event as TimelineEntry['event'],
    })),
  ]
  return entries.map((entry, index) => ({ ...entry, position: index + 1 }))
}

const NOTHING = { status: null, rail: null, returnCode: null, cents: null, eventId: null, actor: null, actorId: null }

const kindOfRow = ({ kind, purpose }: HistoryRow): TimelineKind =>
  kind === 'leg' ? (kindOfLeg[purpose as string] as TimelineKind) : kind

/** The events that can follow the status UNPAID. */
const FIRST_EVENTS = ['deposit', 'receive', 'print', 'send', 'void', 'expire']

/** Returns whether a payment was deposited when it was created. A later deposit is recorded before the first event of its first leg. */
function wasDepositedAtCreation({ status }: TimelinePayment, history: readonly HistoryRow[]): boolean {
  const first = history.find(({ kind }) => kind !== 'mail')
  if (!first) return status !== 'UNPAID'
  return first.kind === 'leg' || !FIRST_EVENTS.includes(first.event)
}

/** Returns the entry of a deposit at the creation. A payment into a wallet is PAID at once. */
function depositOf({ status, rail }: TimelinePayment, history: readonly HistoryRow[]) {
  const isPaid = history.length === 0 && status === 'PAID'
  return {
    kind: 'payment',
    event: isPaid ? 'receive' : 'deposit',
    status: isPaid ? 'PAID' : 'IN_PROCESS',
    rail: history.length === 0 ? rail : null,
  } as const
}

/** A payment for an invoice. It became PAID at `paidAt`, or ended without paying at `endedAt`. */
export type InvoicePayment = { id: string; createdAt: Date; paidAt: Date | null; endedAt: Date | null }

const ENDS: readonly PaymentStatus[] = ['FAILED', 'VOID', 'EXPIRED', 'REFUNDED']

/** Groups the rows by payment. A payment from wallet to wallet is PAID at once, without a change of status. */
export function invoicePaymentsOf(rows: readonly InvoicePaymentRow[]): InvoicePayment[] {
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, changes]) => {
    const [{ status, createdAt }] = changes as [InvoicePaymentRow]
    const firstOf = (statuses: readonly PaymentStatus[]) =>
      changes.find(({ changedTo }) => changedTo !== null && statuses.includes(changedTo))?.changedAt ?? null
    return {
      id,
      createdAt,
      paidAt: firstOf(['PAID']) ?? (status === 'PAID' ? createdAt : null),
      endedAt: firstOf(ENDS),
    }
  })
}
