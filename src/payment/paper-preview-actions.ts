import type { Deps } from '../db/deps.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError } from '../lib/errors.ts'
import type { PaperCheck } from '../paper/paper-check-rules.ts'
import { type Order, tryPayment } from './accept-actions.ts'
import { paperCheckOf } from './paper-actions.ts'
import { hasPaper, maskedAccountNumber, requirePrintable } from './paper-rules.ts'

/**
 * A picture of the check that an order would make, as a PNG. Of the account number it shows the last four digits:
 * an application that may send checks may not know more (api.md 4).
 *
 * @throws ApiError what `acceptPayment` throws, overloaded and rate_limited
 */
export async function previewCheck(deps: Deps, given: { caller: Caller; order: Order }): Promise<Buffer> {
  requirePrintable({ name: given.order.name })
  return deps.drawings.paper.inTurn(given.caller, async (run) => {
    const { bank, ...check } = await tryPayment(deps, given, (tx, { platformId, id, fundingKind }) => {
      if (!hasPaper(tx.settings, fundingKind)) throw new ApiError('paper_unavailable')
      return paperCheckOf(tx, { platformId, paymentId: id }, null)
    })
    const shown = { ...bank, accountNumber: maskedAccountNumber(bank.accountNumber) }
    return run('checkPicture', { ...check, bank: shown, mark: 'NOT NEGOTIABLE' } satisfies PaperCheck)
  })
}
