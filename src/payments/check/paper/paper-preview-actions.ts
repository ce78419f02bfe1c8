import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import type { PaperCheck } from '../../drawing/paper-check-rules.ts'
import { dryRunPayment } from '../../payment/accept/accept-actions.ts'
import type { Order } from '../../payment/accept/prepare-actions.ts'
import { hasPaper, maskedAccountNumber, requirePrintable } from '../../payment/paper-rules.ts'
import { paperCheckOf } from './paper-actions.ts'

/** Stands in for a recipient that is not known yet (RFC 2606). It is never printed. */
const NOBODY = 'nobody@recipient.invalid'

/**
 * A picture of the check that an order would produce, as a PNG. It shows only the last four digits of the account
 * number: an application that may send checks must not learn more (specification.md 4.3).
 *
 * @throws ApiError those of `acceptPayment`, overloaded and rate_limited
 */
export async function previewCheck(
  deps: Deps,
  { caller, order }: { caller: Caller; order: Omit<Order, 'recipient'> & { recipient?: Order['recipient'] | null } },
): Promise<Buffer> {
  requirePrintable({ name: order.name })
  const given = { caller, order: { ...order, recipient: order.recipient ?? NOBODY } }
  return deps.drawings.paper.schedule(caller, async (run) => {
    const { bank, ...check } = await dryRunPayment(deps, given, (tx, { platformId, id, fundingKind }) => {
      if (!hasPaper(tx.settings, fundingKind)) throw new ApiError('paper_unavailable')
      return paperCheckOf(tx, { platformId, paymentId: id }, null)
    })
    const shown = { ...bank, accountNumber: maskedAccountNumber(bank.accountNumber) }
    return run('checkPicture', { ...check, bank: shown, mark: 'NOT NEGOTIABLE' } satisfies PaperCheck)
  })
}
