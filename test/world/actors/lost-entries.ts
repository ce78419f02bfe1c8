import type { BankCaseRow } from '../../../src/foundation/exception/bank-case-store.ts'
import type { Entry } from '../books.ts'
import type { World } from '../world.ts'

// Entries that the bank has, and whose payments a restore lost. If no user repeats the payment, the operator settles it with its payer,
// outside the service.

export const isLostRefund = (note: string): boolean =>
  /credit of .* \(REFUND\) .* nobody has repeated its payment/.test(note)

const entryWith = ({ books }: World, { cents, trace }: { cents: number | null; trace: string }): Entry | undefined => {
  const deal = books.deals.get(cents ?? 0)
  return deal && books.entriesOfDeal(deal).find((entry) => entry.trace === trace)
}

/** Returns whether the bank still has to process the entry of a case. */
export const isUnprocessed = (world: World, { kind, cents, event }: BankCaseRow): boolean =>
  kind === 'payment_missing' && entryWith(world, { cents, trace: event })?.state === 'written'

/** The operator asks the bank, and settles the entry with its payer if it has moved money. */
export function settleLost(world: World, { cents, event: trace }: BankCaseRow): void {
  const entry = entryWith(world, { cents, trace })
  if (entry?.state !== 'accepted' || entry.side === 'payout') return
  if (entry.side === 'debit' && entry.deal.paymentIds.size > 0) return // its user has repeated it
  settle(entry, 1)
  world.settledLost.set(trace, { entry, isReturned: false })
}

/** The bank returns an entry, perhaps in several files. If it was settled, that is undone once. */
export function undoSettled(world: World, note: string): void {
  const [, trace = ''] = /^return R\d\d of entry (\d{15})/.exec(note) ?? []
  const settled = world.settledLost.get(trace)
  if (!settled || settled.isReturned) return
  settled.isReturned = true
  settle(settled.entry, -1)
}

/** The payer gives a refund back, and gets a debit back. */
function settle({ side, deal }: Entry, sign: 1 | -1): void {
  if (side === 'refund') deal.debtPaidCents += sign * deal.cents
  else deal.paidOutsideCents += sign * deal.cents
}
