import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import type { PaperCheck } from '../../drawing/paper-check-rules.ts'
import { acceptPayment } from '../../payment/accept/accept-actions.ts'
import type { Acceptance } from '../../payment/accept/accept-store.ts'
import { type Order, senderOf } from '../../payment/accept/prepare-actions.ts'
import { hasPaper, maskedAccountNumber, requirePrintable } from '../../payment/paper-rules.ts'
import { readPaperCheck } from './paper-actions.ts'

/** The placeholder for a recipient that is not known yet (RFC 2606). It is never printed. */
const NOBODY = 'nobody@recipient.invalid'

/**
 * Returns a picture of the check that an order would produce, as a PNG. It shows only the last four digits of the account number, because
 * an application that may send checks must not learn more (specification.md 4.3).
 *
 * @throws ApiError those of `acceptPayment`, overloaded and rate_limited
 */
export async function previewCheck(
  deps: Deps,
  { caller, order }: { caller: Caller; order: Omit<Order, 'recipient'> & { recipient?: Order['recipient'] | null } },
): Promise<Buffer> {
  requirePrintable({ name: order.name })
  const given = { sender: senderOf(caller), order: { ...order, recipient: order.recipient ?? NOBODY } }
  return deps.drawings.paper.schedule(caller, async (run) => {
    const { result } = await acceptPayment({ how: 'undone', deps, also: readPaper }, given)
    const { bank, ...check } = result as Awaited<ReturnType<typeof readPaper>>
    const shown = { ...bank, accountNumber: maskedAccountNumber(bank.accountNumber) }
    return run('checkPicture', { ...check, bank: shown, mark: 'NOT NEGOTIABLE' } satisfies PaperCheck)
  })
}

/** Reads the content of the check in the dry run. @throws ApiError paper_unavailable */
async function readPaper(tx: TxDeps, { platformId, id, fundingKind }: Acceptance) {
  if (!hasPaper(tx, fundingKind)) throw new ApiError('paper_unavailable')
  return readPaperCheck(tx, { platformId, paymentId: id }, null)
}
