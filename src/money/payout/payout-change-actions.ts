import type { TxDeps } from '../../foundation/db/deps.ts'
import { recordBankCase } from '../../foundation/exception/bank-case-actions.ts'
import type { BankCaseKind } from '../../foundation/exception/bank-case-rules.ts'
import { applyLegEvent, endStop, type LegHandlers } from '../rail/leg-actions.ts'
import type { LegRow } from '../rail/leg-store.ts'
import type { ReturnCode } from '../rail/return-code-rules.ts'
import { hasEnded, legEventOf, type PayoutEvent, type PayoutStatus, payoutTransitions } from './payout-status.ts'
import { type PayoutRow, updatePayout } from './payout-store.ts'

/** An order and its leg. The subject of the leg and the order are locked. */
export type LockedPayout = { payout: PayoutRow; leg: LegRow }

/** The columns that change with an event, in addition to the status. */
export type PayoutChange = Partial<
  Pick<
    PayoutRow,
    'processorId' | 'accountMark' | 'sentOn' | 'cancelAnsweredAt' | 'nextAt' | 'feeCents' | 'lastProblem' | 'tries'
  > & { returnCode: ReturnCode }
>

/**
 * Applies one event of the state table to an order, and its effect to the leg. All status changes of orders use this function.
 *
 * @returns false if the order or its leg does not allow the event. In that case, nothing has changed
 */
export async function applyPayoutEvent(
  tx: TxDeps,
  handlers: LegHandlers,
  { payout, leg }: LockedPayout,
  event: PayoutEvent,
  { returnCode, ...change }: PayoutChange = {},
): Promise<boolean> {
  const { from, to } = payoutTransitions[event]
  const legEvent = legEventOf(event, leg)
  const now = tx.clock.now()
  if (!(from as readonly PayoutStatus[]).includes(payout.status)) return false
  if (legEvent) {
    const given = returnCode === undefined ? {} : { returnCode }
    const isApplied =
      legEvent === 'cancel'
        ? await endStop(tx, handlers, leg)
        : (await applyLegEvent(tx, handlers[leg.purpose], leg, legEvent, given)) !== null
    if (!isApplied) return false
  }
  await updatePayout(tx.sql, payout, {
    ...payout,
    ...{ tries: 0, lastProblem: null, nextAt: null, ...change },
    from: [payout.status],
    status: to,
    unknownSince: to === 'UNKNOWN' ? now : null,
    paidAt: event === 'pay' ? now : payout.paidAt,
  })
  if (hasEnded(to)) tx.afterCommit(tx.wake)
  return true
}

/** Changes when an order is tried or asked about again, without changing its status. */
export const reschedulePayout = (
  tx: TxDeps,
  { payout }: LockedPayout,
  change: Omit<PayoutChange, 'returnCode'> & Partial<Pick<PayoutRow, 'unknownSince'>>,
): Promise<boolean> => updatePayout(tx.sql, payout, { ...payout, ...change, from: [payout.status] })

/** Records a case about an order, once for each event. `event`: the contradiction, or since when the state is unknown. */
export const recordPayoutCase = (
  tx: TxDeps,
  { payout, leg }: LockedPayout,
  { kind, note, event }: { kind: BankCaseKind & `payout_${string}`; note: string; event: string },
): Promise<void> =>
  recordBankCase(tx, {
    kind,
    connectionId: payout.connectionId,
    source: 'payout',
    file: { id: leg.id, name: leg.id },
    line: 0,
    event,
    isBankWide: false,
    leg,
    cents: leg.cents,
    note,
    content: { lines: [] },
  })
