import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../foundation/db/failed-items.ts'
import { type Isolation, isolate } from '../../foundation/db/isolation.ts'
import { sendInvoiceNotice } from './payer-notice-actions.ts'
import { claimInvoiceNotices, listNotifyingPlatforms } from './payer-store.ts'

const PLATFORMS_PER_PASS = 100
const INVOICES_PER_BATCH = 100

export const invoiceMailStep: BackgroundStep<{ baseUrl: () => string }> = {
  name: 'mail invoices',
  // Links need the public URL of the service. A process without HTTP knows the URL only from its settings, so it may have none.
  run: async (deps, { baseUrl }) => (baseUrl() ? mailInvoices(deps, baseUrl()) : 0),
  isWoken: true,
}

/**
 * One pass: mails recipients about their invoices, one batch per platform. Claim, link and mail commit together, so each mail is sent once,
 * regardless of the number of workers.
 *
 * @returns the number of invoices handled
 */
export async function mailInvoices(deps: Deps, baseUrl: string): Promise<number> {
  const isolation = isolate(deps, invoiceMailStep.name)
  const now = deps.realClock.now()
  return isolation.eachPlatform(
    PLATFORMS_PER_PASS,
    (turn) => listNotifyingPlatforms(deps.sql, { ...turn, now }),
    (platformId) => mailForPlatform(deps, isolation, { platformId, baseUrl }),
  )
}

function mailForPlatform(
  deps: Deps,
  isolation: Isolation,
  { platformId, baseUrl }: { platformId: string; baseUrl: string },
): Promise<number> {
  const skip = ({ cause, item: id }: ItemFailed<string>) => isolation.fail({ platformId, kind: 'invoice', id }, cause)
  return inTransactionSkippingFailed<string, Deps, number>(deps, skip, async (tx) => {
    const batch = { limit: INVOICES_PER_BATCH, except: isolation.skipped().ids, now: tx.realClock.now() }
    const claimed = await claimInvoiceNotices(tx.sql, platformId, batch)
    // Sorted, so that counters shared by platforms are always locked in the same order.
    const sorted = claimed.toSorted((one, other) => (one.recipient < other.recipient ? -1 : 1))
    for (const invoice of sorted) await sendInvoiceNotice(tx, baseUrl, invoice).catch(failItem(invoice.id))
    tx.afterCommit(() => isolation.succeed(claimed.map(({ id }) => id)))
    return claimed.length
  })
}
