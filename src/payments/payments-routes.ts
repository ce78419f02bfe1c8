import type { OneAtATime } from '../foundation/http/idempotency/idempotency.ts'
import type { Route } from '../foundation/http/route.ts'
import { paperRoutes } from './check/paper/paper-routes.ts'
import { receiptRoutes } from './check/receipt/receipt-routes.ts'
import { checkbookRoutes } from './checkbook/checkbook-routes.ts'
import { mailboxRoutes, simulatedMailRoutes } from './mailbox/mailbox-routes.ts'
import type { AcceptDeps } from './payment/accept/accept-actions.ts'
import { acceptRoutes } from './payment/accept/accept-routes.ts'
import { bulkRoutes } from './payment/bulk/bulk-routes.ts'
import { draftingRoutes } from './payment/drafting/drafting-routes.ts'
import { timelineRoutes } from './payment/history/timeline-routes.ts'
import { multiRoutes } from './payment/multi/multi-routes.ts'
import { paymentActionRoutes, paymentRoutes } from './payment/payment-routes.ts'
import { paymentSearchRoutes } from './payment/search/payment-search-routes.ts'
import type { PaymentStreams } from './payment/stream/stream-actions.ts'
import { streamRoutes } from './payment/stream/stream-routes.ts'
import { totalsRoutes } from './payment/totals/totals-routes.ts'
import { viewRoutes } from './payment/view/view-routes.ts'
import { recipientRoutes } from './recipient/recipient-routes.ts'

export function paymentsRoutes(
  acceptDeps: AcceptDeps,
  { oneAtATime, ...own }: { oneAtATime: OneAtATime; streams: PaymentStreams; baseUrl: () => string },
): Route[] {
  const isOverloaded = () => acceptDeps.acceptTogether.isFull?.() ?? false
  return [
    ...viewRoutes,
    ...draftingRoutes,
    ...checkbookRoutes,
    ...mailboxRoutes,
    ...acceptRoutes({ acceptDeps, oneAtATime }),
    ...bulkRoutes({ isOverloaded }),
    ...multiRoutes({ oneAtATime, isOverloaded }),
    ...paperRoutes,
    ...receiptRoutes,
    ...paymentRoutes(),
    ...paymentActionRoutes,
    ...paymentSearchRoutes(),
    ...timelineRoutes,
    ...streamRoutes(own.streams),
    ...totalsRoutes,
    ...recipientRoutes(own),
  ]
}

/** Routes that exist only in environments where tests can cause outcomes. */
export const paymentsTestRoutes: Route[] = simulatedMailRoutes
