import type { Deps } from '../db/deps.ts'
import type { Caller } from '../http/caller.ts'
import { atMost } from '../lib/at-most.ts'
import { ApiError } from '../lib/errors.ts'
import { drawCheckFace } from '../paper/check-drawing-actions.ts'
import { pictureOf } from '../paper/check-picture-actions.ts'
import { type Order, tryPayment } from './accept-actions.ts'
import { paperCheckOf } from './paper-actions.ts'
import { hasPaper, maskedAccountNumber, requirePrintable } from './paper-rules.ts'

/** Drawing keeps the process busy: between two pictures others have their turn. */
const inTurn = atMost({ atOnce: 1, maxWaiting: 50, whenFull: () => new ApiError('overloaded') })

/**
 * A picture of the check that an order would make, as a PNG. Of the account number it shows the last four digits:
 * an application that may send checks may not know more (api.md 4).
 *
 * @throws ApiError what `acceptPayment` throws, and overloaded
 */
export async function previewCheck(deps: Deps, given: { caller: Caller; order: Order }): Promise<Buffer> {
  requirePrintable({ name: given.order.name })
  const { bank, ...check } = await tryPayment(deps, given, (tx, { platformId, id, fundingKind }) => {
    if (!hasPaper(tx.settings, fundingKind)) throw new ApiError('paper_unavailable')
    return paperCheckOf(tx, { platformId, paymentId: id }, null)
  })
  const shown = { ...bank, accountNumber: maskedAccountNumber(bank.accountNumber) }
  return inTurn(async () => pictureOf(await drawCheckFace({ ...check, bank: shown, mark: 'NOT NEGOTIABLE' })))
}
