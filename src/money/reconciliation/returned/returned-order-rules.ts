import { uetrOf } from '../../iso20022/message/credit-transfer-rules.ts'
import { BANK_REFERENCES, type LineContent, referencesOf } from '../credit/credit-rules.ts'

/** The data of a line about returned money. `reason`: a code such as AC04, or null. */
export type ReturnMark = { reason: string | null }

/**
 * Returns the mark of the bank that a line returns the money of an order: a reason (pacs.004), a reversal, or a code for returns. Null:
 * the line has no mark, so it may be a new payment of the payee that names the order.
 *
 * @param given.kind the kind of the line
 * @param given.legId of the order. In a line of several payments, only the one that names it counts
 */
export function returnMarkOf(
  { isReversal, returnReason, details }: LineContent,
  { kind, legId }: { kind: string; legId: string | null },
): ReturnMark | null {
  const named = details.filter(({ references, text }) =>
    [...Object.values(references), text].some((one) => legId !== null && namesOrder(one, legId)),
  )
  const [own] = details.length === 1 ? details : named
  const reason = own?.returnReason ?? (details.length > 1 ? null : returnReason)
  return reason !== null || isReversal || kind === 'return' ? { reason } : null
}

function namesOrder(text: string, legId: string): boolean {
  const digits = text.replaceAll('-', '').toLowerCase()
  return digits.includes(legId) || digits.includes(uetrOf(legId).replaceAll('-', ''))
}

/** Returns whether the bank marks a line, or a payment in it, as a return. */
export const isMarkedAsReturn = ({
  kind,
  isReversal,
  returnReason,
  details,
}: Pick<LineContent, 'isReversal' | 'returnReason' | 'details'> & { kind: string }): boolean =>
  kind === 'return' || isReversal || returnReason !== null || details.some((one) => one.returnReason !== null)

/** A leg that an earlier line has booked, with the amount of a line that may return it. */
export type BookedOrder = { legId: string; content: LineContent }

/** Returns the leg whose line shares a bank reference with a line that the bank marks as a return. Null: no leg, or several legs. */
export function orderByBankReference(
  content: LineContent,
  kind: string,
  orders: readonly BookedOrder[],
): string | null {
  if (returnMarkOf(content, { kind, legId: null }) === null) return null
  const own = referencesOf(content, BANK_REFERENCES)
  const sharing = orders.filter((one) =>
    referencesOf(one.content, BANK_REFERENCES).some((reference) => own.includes(reference)),
  )
  const [legId, ...others] = new Set(sharing.map((one) => one.legId))
  return legId === undefined || others.length > 0 ? null : legId
}
