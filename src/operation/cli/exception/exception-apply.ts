import { ISO_RAILS } from '../../../foundation/core/connections.ts'
import { connectionOfRail } from '../../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { findOpenBankCase, findStillOpenCase, recordApplied } from '../../../foundation/exception/bank-case-actions.ts'
import type { AppliedCase, CaseValues } from '../../../foundation/exception/bank-case-rules.ts'
import type { OpenBankCase } from '../../../foundation/exception/bank-case-store.ts'
import { closeException, requireOpenException } from '../../../foundation/exception/exception-actions.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { applyAchCase, applyReadableFile } from '../../../money/ach/file/ach-decision-actions.ts'
import { assignByHand } from '../../../money/ach/file/ach-joined-actions.ts'
import { applyOrderCase, isCaseOfOrder } from '../../../money/iso20022/order/order-decision-actions.ts'
import { payByLostOrder } from '../../../money/iso20022/order/order-restore-actions.ts'
import { applyPayoutCase, whileNotCalled } from '../../../money/payout/payout-decision-actions.ts'
import { payByLostPayout } from '../../../money/payout/payout-restore-actions.ts'
import { findLegs } from '../../../money/rail/leg-actions.ts'
import { releaseUnlessHeld, settleBankCase } from '../../../money/rail/leg-release-actions.ts'
import type { LegKey } from '../../../money/rail/leg-store.ts'
import { payByOtherRail } from '../../../money/rail/restore-hold-actions.ts'
import { applyPaidCase } from '../../../payments/check/paid/paid-decision-actions.ts'
import { assignCheckByHand } from '../../../payments/check/printing/print-restore-actions.ts'
import { achHooks, legHandlers } from '../../scheduler/leg-handlers.ts'

/** Applies a decision in the transaction that has locked its case. */
type Apply = (tx: TxDeps, given: { row: OpenBankCase; values: CaseValues }) => Promise<AppliedCase>

/** The function that applies the decision about a case, by the source of the case. */
const applies: Record<OpenBankCase['source'], Apply> = {
  transfer: async () => {
    throw new StartProblem('This case cannot be applied. "remit exceptions show" lists what can be done.')
  },
  ach: (tx, given) => applyAchCase(tx, achHooks, given),
  paid: (tx, { row, values }) => applyPaidCase(tx, legHandlers, { row, content: row.content, values }),
  // The operator puts corrected mail into inbound/ under another name.
  mail: async () => {
    throw new StartProblem('Put the corrected file into inbound/ under another name, then close this case with a note.')
  },
  order: (tx, given) => applyOrderCase(tx, legHandlers, given),
  payout: (tx, given) => applyPayoutCase(tx, legHandlers, given),
  statement: async (tx, given) => {
    if (await isCaseOfOrder(tx, given.row)) return applyOrderCase(tx, legHandlers, given)
    throw new StartProblem('Decide about lines of statements with "remit reconcile", and close the case with a note.')
  },
}

/** The options with which a case can be applied. */
function optionsOf({ source, kind }: OpenBankCase): readonly (keyof CaseValues)[] {
  if (source === 'order' || source === 'statement') return ['trace', 'code']
  if (source === 'payout') return ['code']
  if (source === 'ach') {
    if (kind === 'entry_unread') return ['trace', 'code']
    return kind === 'file_unread' ? [] : ['routing', 'account', 'type']
  }
  if (kind === 'entry_unread') return ['account', 'number', 'amount', 'date']
  return kind === 'check_amount_differs' ? ['date'] : []
}

const OPTIONS = ['trace', 'code', 'routing', 'account', 'type', 'number', 'amount', 'date'] as const

/** @throws StartProblem if an option is given that has no effect on the case */
function requireFitting(row: OpenBankCase, values: CaseValues): void {
  const [other] = OPTIONS.filter((name) => values[name] !== undefined && !optionsOf(row).includes(name))
  if (other === undefined) return
  const names = optionsOf(row).map((name) => `--${name}`)
  const known = names.length > 0 ? `It takes ${names.join(', ')}.` : 'It takes only --note.'
  throw new StartProblem(`--${other} has no effect on this case (${row.kind}). ${known}`)
}

type Decision = { id: string; note: string; by: string; values: CaseValues }

/** Applies a case with the given values, and closes it. @returns a text that says what was done @throws StartProblem */
export async function applyDecision(deps: Deps, decision: Decision): Promise<string> {
  const row = await inTransaction(deps, (tx) => findOpenBankCase(tx, decision.id))
  if (!row) return inTransaction(deps, (tx) => applyException(tx, decision))
  if (row.kind === 'payment_missing')
    throw new StartProblem('Nothing can be applied for this case. Close it with a note.')
  const apply = applies[row.source]
  if (row.source === 'payout') return whileNotCalled(deps, row, () => applyOpenCase(deps, decision, apply))
  if (row.source !== 'ach' || row.kind !== 'file_unread') return applyOpenCase(deps, decision, apply)
  requireFitting(row, decision.values)
  const applied = await applyReadableFile(deps, achHooks, row)
  return applyOpenCase(deps, decision, async () => applied)
}

/**
 * Applies an open case and closes it. All of this is one transaction, which locks the case first: of two operators who decide at the same
 * time, only one changes anything.
 */
const applyOpenCase = (deps: Deps, { id, note, by, values }: Decision, apply: Apply): Promise<string> =>
  inTransaction(deps, async (tx) => {
    const row = await findOpenBankCase(tx, id)
    if (!row) throw new Error(`the case ${id} is gone`)
    requireFitting(row, values)
    const applied = await apply(tx, { row, values })
    const resolution = `${applied.done} ${note}`
    await recordApplied(tx, row, { platformIds: applied.platformIds, resolution, by })
    const open = await findStillOpenCase(tx, id)
    if (open && endsByItself(open))
      return `${applied.done} The case stays open until the bank has answered the other orders.`
    if (open) await settleBankCase(tx, legHandlers, { row: open, resolution, by })
    return `${applied.done} The case is closed.`
  })

/**
 * A case about all orders of a message is closed only with the answer to the last order. Otherwise the other orders would wait without a
 * case.
 */
const endsByItself = ({ kind }: OpenBankCase): boolean => kind === 'order_unanswered'

/** Assigns a payment that is held after a restore to its entry at the bank, its check or its order, which the operator has found. */
async function applyException(tx: TxDeps, { id, note, by, values }: Decision): Promise<string> {
  const exception = await requireOpenException(tx, id)
  const { kind, platformId, legId } = exception
  if (kind !== 'maybe_at_bank' || !legId)
    throw new StartProblem('This exception cannot be applied. Close it with a note: remit exceptions close.')
  await closeException(tx, exception, { resolution: note, by })
  await releaseUnlessHeld(tx, legHandlers, exception)
  const done = await assignHeld(tx, { platformId, id: legId }, values)
  return `${done} The exception is closed.`
}

/** Assigns a held payment to the order, the check or the ACH entry that the operator names, by its rail. @throws StartProblem */
async function assignHeld(tx: TxDeps, key: LegKey, { trace, number, code }: CaseValues): Promise<string> {
  const { platformId, id: legId } = key
  const [leg] = await findLegs(tx, [key])
  const paid = await payByOtherRail(tx, legHandlers, { leg: key, name: trace ?? number ?? '', code })
  if (paid !== null) return paid
  if (ISO_RAILS.some((rail) => rail === leg?.rail)) return payByLostOrder(tx, legHandlers, { leg: key, trace, code })
  if (leg && connectionOfRail(tx.connections.current(), leg.rail)?.processor)
    return payByLostPayout(tx, legHandlers, { leg: key, trace, code })
  if (leg?.rail === 'MAIL') return assignCheckByHand(tx, legHandlers, { platformId, legId, number })
  return assignByHand(tx, achHooks, { platformId, legId, trace })
}
