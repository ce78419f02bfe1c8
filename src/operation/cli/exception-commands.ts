import { formatDollars } from '../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { findOpenBankCase, getBankCases } from '../../foundation/exception/bank-case-actions.ts'
import { type BankCaseRow, readHeldMoney } from '../../foundation/exception/bank-case-store.ts'
import { bankCaseView } from '../../foundation/exception/bank-case-view-rules.ts'
import { closeException, getExceptions, requireOpenException } from '../../foundation/exception/exception-actions.ts'
import { type ExceptionKind, exceptionKinds, holdingKinds } from '../../foundation/exception/exception-rules.ts'
import type { ExceptionRow } from '../../foundation/exception/exception-store.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { isId } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { neutralJson } from '../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../foundation/lib/text/text-table.ts'
import { waitingOrdersOf } from '../../money/iso20022/order/order-decision-actions.ts'
import { releaseUnlessHeld, settleBankCase } from '../../money/rail/leg-release-actions.ts'
import { isOwedInPart, payOutside, waitsForOperator } from '../../payments/payment/leg/paid-outside-actions.ts'
import { resendRefund } from '../../payments/payment/leg/refund-resend-actions.ts'
import { lockPaymentForOperator } from '../../payments/payment/payment-actions.ts'
import { legHandlers } from '../scheduler/leg-handlers.ts'
import type { CommandFlags } from './command-flags.ts'
import { applyDecision } from './exception/exception-apply.ts'
import { type DatabaseCommand, findPlatform } from './on-database.ts'

/** Prepares `remit exceptions …`: checks the command line before a database is opened. @throws StartProblem */
export function exceptionCommand(flags: CommandFlags, names: readonly string[]): DatabaseCommand {
  const [verb, id = ''] = names
  if (verb === 'list') return (deps) => listOpen(deps, flags)
  if (verb === 'show') return (deps) => show(deps, id)
  const by = flags.by?.trim() || 'operator'
  if (verb === 'resend') return (deps) => resend(deps, { id, bankId: flags.bank, by })
  const { note } = flags
  if (!note) throw new StartProblem(`remit exceptions ${verb} needs --note TEXT: how you resolved it.`)
  if (verb === 'apply')
    return (deps) => applyDecision(deps, { id, note, by, values: { ...flags, trace: flags.trace?.[0] } })
  return (deps) =>
    inTransaction(deps, async (tx) => {
      const bankCase = await findOpenBankCase(tx, id)
      if (bankCase) {
        await settleBankCase(tx, legHandlers, { row: bankCase, resolution: note, by })
        return 'Closed.'
      }
      const exception = await requireOpenException(tx, id)
      const paid = await recordPaid(tx, exception, flags)
      await closeException(tx, exception, { resolution: paid === null ? note : `${paid}: ${note}`, by })
      if (holdingKinds.includes(exception.kind)) await releaseUnlessHeld(tx, legHandlers, exception)
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
  { kind, platformId, paymentId }: ExceptionRow,
  { paidBy: way, reference }: CommandFlags,
): Promise<string | null> {
  const payment =
    REFUNDABLE.includes(kind) && paymentId ? await lockPaymentForOperator(tx, { platformId, paymentId }) : null
  const there = { ...tx, clock: await clockOf(tx, platformId) }
  if (payment && (await isOwedInPart(there, payment))) {
    throw new StartProblem(
      `The sender still owes a part of ${formatDollars(payment.amountCents)} that came back. Record what the sender pays: remit debt settle. Then send the refund: remit exceptions resend ID.`,
    )
  }
  const waits = payment !== null && (await waitsForOperator(there, payment))
  if (!waits && way === undefined) return null
  if (!waits) throw new StartProblem('No money of this exception is here, so close it without --paid-by.')
  const money = formatDollars(payment.amountCents)
  if (way === undefined || !reference) {
    throw new StartProblem(
      `${money} of this payment is still here. If you paid it, say how: --paid-by ${WAYS.join('|')} --reference TEXT. Otherwise send it: remit exceptions resend ID.`,
    )
  }
  if (!WAYS.includes(way)) throw new StartProblem(`--paid-by must be ${WAYS.join(', ')}.`)
  await payOutside(there, payment, { way, reference })
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

async function listOpen(deps: Deps, { owner, all, json }: CommandFlags): Promise<string> {
  const platformId = owner === undefined ? null : await inTransaction(deps, (tx) => findPlatform(tx, owner))
  const includesClosed = all ?? false
  const exceptions = await getExceptions(deps, { platformId, includesClosed })
  const cases = (await getBankCases(deps, { includesClosed })).filter(
    (one) => platformId === null || one.platformId === platformId,
  )
  if (json) return neutralJson([...exceptions, ...cases.map(({ contentSealed, accountSealed, ...row }) => row)])
  const rows = [...exceptions.map(exceptionLine), ...cases.map(bankCaseLine)].sort((a, b) => +a.at - +b.at)
  if (rows.length === 0) return 'No open exceptions.'
  return textTable([
    ['ID', 'SINCE', 'KIND', 'AMOUNT', 'OWNER', 'PAYMENT OR FILE', 'WHAT HAPPENED'],
    ...rows.map(({ cells }) => cells),
  ])
}

type ListedLine = { at: Date; cells: string[] }

const exceptionLine = (row: ExceptionRow & { ownerEmail: string | null }): ListedLine => {
  const { id, createdAt, kind, cents, ownerEmail, paymentId, note } = row
  return {
    at: createdAt,
    cells: [id, formatDateTime(createdAt), kind, amount(cents), ownerEmail ?? '', paymentId ?? '', note],
  }
}

const bankCaseLine = (row: BankCaseRow): ListedLine => {
  const { id, createdAt, kind, cents, connectionId, fileName, line, note } = row
  const place = `${connectionId}: ${line > 0 ? `${fileName}, line ${line}` : fileName}`
  return { at: createdAt, cells: [id, formatDateTime(createdAt), kind, amount(cents), '', place, note] }
}

const amount = (cents: number | null): string => (cents === null ? '' : formatDollars(cents))

const show = (deps: Deps, id: string): Promise<string> =>
  inTransaction(deps, async (tx) => {
    const bankCase = await findOpenBankCase(tx, id)
    if (bankCase) {
      const orders = await waitingOrdersOf(tx, bankCase)
      const view = bankCaseView(bankCase, await readHeldMoney(tx.sql, [bankCase.connectionId]))
      return neutralJson(orders.length > 0 ? { ...view, orders } : view)
    }
    const row = await requireOpenException(tx, id)
    return neutralJson({ ...row, whatToDo: exceptionKinds[row.kind] })
  })
