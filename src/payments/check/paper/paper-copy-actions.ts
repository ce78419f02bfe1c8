import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { legsOf } from '../../../money/rail/leg-actions.ts'
import type { PaperCheck } from '../../drawing/paper-check-rules.ts'
import { hasPaper, maskedAccountNumber, requirePrintable } from '../../payment/paper-rules.ts'
import { getPayment } from '../../payment/payment-actions.ts'
import { readPaperCheck } from './paper-actions.ts'

/**
 * Returns a copy of a payment's check that nobody can cash. Changes nothing and shows only the last four digits of the account number.
 *
 * @throws ApiError payment_not_found, paper_unavailable, unprintable_text, overloaded, rate_limited
 */
export async function copyCheck(
  deps: Deps,
  caller: Caller,
  { paymentId, as }: { paymentId: string; as: 'check' | 'checkPicture' },
): Promise<{ number: string; bytes: Buffer }> {
  const payment = await getPayment(deps, caller, paymentId)
  if (payment.kind === 'SCANNED' || !hasPaper(deps, payment.fundingKind)) throw new ApiError('paper_unavailable')
  requirePrintable({ name: payment.name })
  const key = { platformId: payment.platformId, paymentId: payment.id }
  return deps.drawings.paper.schedule(caller, async (run) => {
    const { bank, ...check } = await inTransaction(deps, async (tx) => {
      const legs = await legsOf(tx, { platformId: key.platformId, subjectId: key.paymentId })
      const issued = legs.findLast(({ rail, sentAt }) => (rail === 'MAIL' || rail === 'PRINT') && sentAt !== null)
      return readPaperCheck(tx, key, issued ?? null)
    })
    const shown = { ...bank, accountNumber: maskedAccountNumber(bank.accountNumber) }
    const copy = { ...check, bank: shown, mark: 'NOT NEGOTIABLE' } satisfies PaperCheck
    return { number: check.number, bytes: await run<Buffer>(as, copy) }
  })
}
