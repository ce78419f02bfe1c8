import { formatDollars } from '../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { findOpenBankCase } from '../../foundation/exception/bank-case-actions.ts'
import { closeException, requireOpenException } from '../../foundation/exception/exception-actions.ts'
import { type ExceptionKind, holdingKinds } from '../../foundation/exception/exception-rules.ts'
import type { ExceptionRow } from '../../foundation/exception/exception-store.ts'
import { isId } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { releaseAfterReview, settleBankCase } from '../../money/rail/leg-release-actions.ts'
import { isOwedInPart } from '../../payments/payment/leg/paid-outside-actions.ts'
import { resendRefund } from '../../payments/payment/leg/refund-resend-actions.ts'
import { findWaitingMoney } from '../../payments/payment/leg/waiting-money-actions.ts'
import { lockPaymentForOperator } from '../../payments/payment/payment-actions.ts'
import { legHandlers } from '../scheduler/leg-handlers.ts'
import type { CommandFlags } from './command-flags.ts'
import { applyDecision } from './exception/exception-apply.ts'
import { refusalOfClose } from './exception/exception-close.ts'
import { listOpen, showException } from './exception/exception-list.ts'
import type { DatabaseCommand } from './on-database.ts'

/** Prepares `remit exceptions …`: checks the command line before a database is opened. @throws StartProblem */
export function exceptionCommand(flags: CommandFlags, names: readonly string[]): DatabaseCommand {
  const [verb, id = ''] = names
  if (verb === 'list') return (deps) => listOpen(deps, flags)
  if (verb === 'show') return (deps) => showException(deps, id)
  const by = flags.by?.trim() || 'operator'
  if (verb === 'resend') return (deps) => resend(deps, { id, bankId: flags.bank, by })
  const { note } = flags
  if (!note) throw new StartProblem(`remit exceptions ${verb} needs --note TEXT: how you resolved it.`)
  const [trace, ...otherTraces] = flags.trace ?? []
  if (otherTraces.length > 0)
    throw new StartProblem(
      'Give --trace once: an exception is applied to one entry or order. Repeat the command for each.',
    )
  if (verb === 'apply') return (deps) => applyDecision(deps, { id, note, by, values: { ...flags, trace } })
  return (deps) =>
    inTransaction(deps, async (tx) => {
      const bankCase = await findOpenBankCase(tx, id)
      if (bankCase) {
        const refusal = await refusalOfClose(tx, bankCase)
        if (refusal !== null) throw new StartProblem(refusal)
        await settleBankCase(tx, legHandlers, { row: bankCase, resolution: note, by })
        return 'Closed.'
      }
      const exception = await requireOpenException(tx, id)
      const paid = await recordPaid(tx, exception, flags)
      await closeException(tx, exception, { resolution: paid === null ? note : `${paid}: ${note}`, by })
      if (holdingKinds.includes(exception.kind)) await releaseAfterReview(tx, legHandlers, exception)
      return 'Closed.'
    })
}

const WAYS = ['wire', 'check', 'ach', 'other']

/**
 * Records how the operator paid money that waits for a decision. The money leaves the books when the exception is closed.
 *
 * @returns how it was paid, or null if no money waits @throws StartProblem also while the sender owes a part of the money
 */
async function recordPaid(
  tx: TxDeps,
  exception: ExceptionRow,
  { paidBy: way, reference }: CommandFlags,
): Promise<string | null> {
  const { kind, platformId, paymentId } = exception
  const isMoney = REFUNDABLE.includes(kind)
  const payment = isMoney && paymentId ? await lockPaymentForOperator(tx, { platformId, paymentId }) : null
  const there = { ...tx, clock: await clockOf(tx, platformId) }
  if (payment && (await isOwedInPart(there, payment))) {
    throw new StartProblem(
      `The sender still owes a part of ${formatDollars(payment.amountCents)} that came back. Record what the sender pays: remit debt settle. Then send the refund: remit exceptions resend ID.`,
    )
  }
  const waiting = isMoney ? await findWaitingMoney(there, exception) : null
  if (!waiting && way === undefined) return null
  if (!waiting) throw new StartProblem('No money of this exception is here, so close it without --paid-by.')
  const money = formatDollars(waiting.cents)
  if (way === undefined || !reference) {
    const otherwise = waiting.isRefundable ? ' Otherwise send it: remit exceptions resend ID.' : ''
    throw new StartProblem(
      `${money} of this ${waiting.of} is still here. If you paid it, say how: --paid-by ${WAYS.join('|')} --reference TEXT.${otherwise}`,
    )
  }
  if (!WAYS.includes(way)) throw new StartProblem(`--paid-by must be ${WAYS.join(', ')}.`)
  await waiting.payOut({ way, reference })
  return `paid ${money} by ${way}, reference ${reference.trim()}`
}

/** The exceptions whose money can be sent to a bank account of the sender. */
const REFUNDABLE: readonly ExceptionKind[] = ['refund_returned', 'holder_gone', 'user_closed', 'debt_paid_in_part']

/**
 * Sends a refund to the bank account from which the money came, or to another one of the sender. Used for a refund that was returned, or
 * that the service did not start itself.
 */
const resend = (
  deps: Deps,
  { id, bankId, by }: { id: string; bankId: string | undefined; by: string },
): Promise<string> =>
  inTransaction(deps, async (tx) => {
    const exception = await requireOpenException(tx, id)
    const { kind, platformId, paymentId } = exception
    if (!REFUNDABLE.includes(kind) || !paymentId) {
      throw new StartProblem('Only a refund can be resent. Close this exception with remit exceptions close instead.')
    }
    const payment = await lockPaymentForOperator(tx, { platformId, paymentId })
    const clock = await clockOf(tx, platformId)
    if (bankId !== undefined && !isId(bankId)) throw new StartProblem('--bank must be the id of a bank.')
    if (!payment || !(await resendRefund({ ...tx, clock }, payment, bankId))) {
      throw new StartProblem(
        'The refund cannot be sent. Check that its money is here and not owed or from a wallet, that no other refund is in transit, and that the sender has this bank.',
      )
    }
    await closeException(tx, exception, { resolution: 'the refund was sent again', by })
    return 'The refund was sent again.'
  })
