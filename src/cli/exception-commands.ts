import { formatDollars } from '../core/money.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { clockOf } from '../db/platform-clock.ts'
import { inTransaction } from '../db/transaction.ts'
import { closeException, getExceptions, isExceptionOpen, requireOpenException } from '../exception/exception-actions.ts'
import { type ExceptionKind, exceptionKinds, holdingKinds } from '../exception/exception-rules.ts'
import type { ExceptionRow } from '../exception/exception-store.ts'
import { formatDateTime } from '../lib/clock.ts'
import { isId } from '../lib/ids.ts'
import { StartProblem } from '../lib/start-problem.ts'
import { neutralJson } from '../lib/text/plain-text.ts'
import { textTable } from '../lib/text/text-table.ts'
import { resendRefund } from '../payment/leg/refund-resend-actions.ts'
import { lockPaymentOf } from '../payment/payment-actions.ts'
import { legsOf, lockLeg, releaseHeldLeg } from '../rail/leg-actions.ts'
import { legHandlers } from '../scheduler/due-work.ts'
import { findNamedUser } from '../user/operator-actions.ts'
import { type EnvironmentFlags, onDatabase } from './on-database.ts'

export type ExceptionFlags = EnvironmentFlags & {
  owner?: string | undefined
  note?: string | undefined
  all?: boolean | undefined
  json?: boolean | undefined
  bank?: string | undefined
}

/** `remit exceptions …` @returns the exit code @throws StartProblem */
export const runExceptions = async (flags: ExceptionFlags, names: readonly string[]): Promise<number> =>
  onDatabase(flags, exceptionCommand(flags, names))

/** Checks the command line before it opens a database. @throws StartProblem */
export function exceptionCommand(flags: ExceptionFlags, names: readonly string[]): (deps: Deps) => Promise<string> {
  const [verb, id = ''] = names
  if (verb === 'list') return (deps) => listOpen(deps, flags)
  if (verb === 'show') return (deps) => show(deps, id)
  if (verb === 'resend') return (deps) => resend(deps, { id, bankId: flags.bank })
  const { note } = flags
  if (!note) throw new StartProblem('remit exceptions close needs --note TEXT: how you resolved it.')
  return (deps) =>
    inTransaction(deps, async (tx) => {
      const exception = await requireOpenException(tx, id)
      await closeException(tx, exception, note)
      if (holdingKinds.includes(exception.kind)) await releaseHold(tx, exception)
      return 'Closed.'
    })
}

/** Exceptions whose money can be sent to a bank account of the sender. */
const REFUNDABLE: readonly ExceptionKind[] = ['refund_returned', 'holder_gone', 'debt_paid_in_part']

/**
 * Sends a refund to the bank account that the money came from, or to another one of the sender. For a refund that was
 * returned, or that the service did not start itself.
 */
const resend = (deps: Deps, { id, bankId }: { id: string; bankId: string | undefined }): Promise<string> =>
  inTransaction(deps, async (tx) => {
    const exception = await requireOpenException(tx, id)
    const { kind, platformId, paymentId } = exception
    if (!REFUNDABLE.includes(kind) || !paymentId) {
      throw new StartProblem('Only a refund can be resent. Close this exception with remit exceptions close instead.')
    }
    const payment = await lockPaymentOf(tx, { platformId, paymentId })
    const clock = await clockOf(tx, platformId)
    if (bankId !== undefined && !isId(bankId)) throw new StartProblem('--bank must be the id of a bank.')
    if (!payment || !(await resendRefund({ ...tx, clock }, payment, bankId))) {
      throw new StartProblem(
        'The refund cannot be sent. Check that its money is here and not owed or from a wallet, that no other refund is in transit, and that the sender has this bank.',
      )
    }
    await closeException(tx, exception, 'the refund was sent again')
    return 'The refund was sent again.'
  })

/**
 * After the operator's review, the legs of the payment or bank continue unless another exception holds them. Locks first: if two
 * operators close the last two exceptions at once, the second one sees that the first is closed.
 */
async function releaseHold(tx: TxDeps, { platformId, legId }: ExceptionRow): Promise<void> {
  const leg = legId && (await lockLeg(tx, legHandlers, { platformId, id: legId }))
  if (!leg) return
  const legIds = (await legsOf(tx, leg)).map(({ id }) => id)
  if (!(await isExceptionOpen(tx, { platformId, legIds, kinds: holdingKinds }))) {
    await releaseHeldLeg(tx, legHandlers, leg)
  }
}

async function listOpen(deps: Deps, { owner, all, json }: ExceptionFlags): Promise<string> {
  const platformId = owner === undefined ? null : await platformOf(deps, owner)
  const rows = await getExceptions(deps, { platformId, includesClosed: all ?? false })
  if (json) return neutralJson(rows)
  if (rows.length === 0) return 'No open exceptions.'
  return textTable([
    ['ID', 'SINCE', 'KIND', 'AMOUNT', 'OWNER', 'PAYMENT', 'WHAT HAPPENED'],
    ...rows.map(({ id, createdAt, kind, cents, ownerEmail, paymentId, note }) => [
      id,
      formatDateTime(createdAt),
      kind,
      cents === null ? '' : formatDollars(cents),
      ownerEmail ?? '',
      paymentId ?? '',
      note,
    ]),
  ])
}

const platformOf = (deps: Deps, owner: string): Promise<string> =>
  inTransaction(deps, async (tx) => (await findNamedUser(tx, { owner, user: undefined })).platformId)

const show = (deps: Deps, id: string): Promise<string> =>
  inTransaction(deps, async (tx) => {
    const row = await requireOpenException(tx, id)
    return neutralJson({ ...row, whatToDo: exceptionKinds[row.kind] })
  })
