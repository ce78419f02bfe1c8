import { uetrOf } from '../../iso20022/message/credit-transfer-rules.ts'
import { BANK_REFERENCES, type LineContent, referencesOf } from '../credit/credit-rules.ts'

/** What a line says about money that came back. `reason`: a code such as AC04, or null. */
export type ReturnMark = { reason: string | null }

/**
 * Returns how the bank marks that a line gives the money of an order back: a reason (pacs.004), a reversal, or its code of returns. Null: it is
 * not marked, so it may be a new payment of the payee that names the order.
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

/** A leg that an earlier line has booked, with the amount of a line that may return it. */
export type BookedOrder = { legId: string; content: LineContent }

/** The only leg whose line shares a reference of the bank with a line that the bank marks as a return. Null: none, or several. */
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
