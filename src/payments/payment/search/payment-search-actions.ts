import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import type { Paging, Position } from '../../../foundation/db/paging.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { findAskedUserId } from '../../../people/user/user-actions.ts'
import { getPayment } from '../payment-actions.ts'
import { hasAttachment } from '../payment-store.ts'
import type { PaymentRow } from '../payment-types.ts'
import { mergeSides } from './payment-search-rules.ts'
import {
  type FoundPayment,
  findMakers,
  type Makers,
  type SearchConditions,
  type Searched,
  SIDES,
  type Side,
  searchSide,
} from './payment-search-store.ts'

/** The maximum number of sent or received payments that one page searches. */
const WINDOW = 20_000

export type PaymentSearch = SearchConditions & {
  direction?: 'INCOMING' | 'OUTGOING' | undefined
}

export type SearchPage = {
  rows: FoundPayment[]
  next: Position | null
  /** The creation time of the oldest payment that was searched, if the search stopped before the page was full. */
  searchedTo: Date | null
}

/**
 * Searches payments, newest first. In the list of a platform, a payment between two of its users appears once, as OUTGOING. A payment
 * from a person without an account is INCOMING.
 */
export async function searchPayments(
  deps: Deps,
  searched: Searched,
  { direction, ...conditions }: PaymentSearch,
  { limit, after }: Pick<Paging, 'limit' | 'after'>,
): Promise<SearchPage> {
  const sides = await Promise.all(
    sidesOf(searched, conditions, direction).map((side) =>
      searchSide(deps.sql, { searched, side, conditions, after }, { window: WINDOW, limit: limit + 1 }),
    ),
  )
  const { page, next, end } = mergeSides(sides, limit)
  return { rows: page, next: next && { id: next.id, value: next.sortValue }, searchedTo: end?.createdAt ?? null }
}

/** A payment as the search returns it, with details for its own page. */
export type PaymentDetails = { payment: PaymentRow; found: FoundPayment; hasAttachment: boolean; makers: Makers }

/** Returns the details of a payment for its page. @throws ApiError payment_not_found */
export async function getPaymentDetails(deps: Deps, caller: Caller, paymentId: string): Promise<PaymentDetails> {
  const payment = await getPayment(deps, caller, paymentId)
  const conditions = { fromId: payment.id, untilId: idAfter(payment.id) }
  const searched = await searchedBy(deps, caller, undefined)
  const { rows } = await searchPayments(deps, searched, conditions, { limit: 1, after: null })
  if (!rows[0]) throw new ApiError('payment_not_found')
  const key = { platformId: payment.platformId, paymentId: payment.id }
  const isSender = rows[0].direction === 'OUTGOING'
  return {
    payment,
    found: rows[0],
    hasAttachment: await hasAttachment(deps.sql, key),
    makers: isSender ? await findMakers(deps.sql, key) : { preparedBy: null, releasedBy: null, batchId: null },
  }
}

const idAfter = (id: string): string => (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')

/** Returns the user or platform whose payments a caller searches. @throws ApiError user_not_found */
export const searchedBy = async (deps: Deps, caller: Caller, wanted: string | undefined): Promise<Searched> => ({
  platformId: caller.platformId,
  userId: await findAskedUserId(deps, caller, wanted),
})

/** Returns the tables that a search reads. A payment from another platform has no rail in its copy. */
function sidesOf(
  { userId }: Searched,
  { rail, batch }: SearchConditions,
  direction: PaymentSearch['direction'],
): readonly Side[] {
  const isSearched: Record<Side, boolean> = {
    sent: direction !== 'INCOMING',
    received: direction !== 'OUTGOING' && userId !== null && batch === undefined,
    receivedFromPayers: direction !== 'OUTGOING' && userId === null && batch === undefined,
    receivedFromElsewhere: direction !== 'OUTGOING' && rail === undefined && batch === undefined,
  }
  return SIDES.filter((side) => isSearched[side])
}
