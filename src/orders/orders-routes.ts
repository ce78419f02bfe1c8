import type { Route } from '../foundation/http/route.ts'
import { approvalInboxRoutes } from './approval/approval-inbox-routes.ts'
import { approvalPolicyRoutes } from './approval/approval-policy-routes.ts'
import { approvalRoutes } from './approval/approval-routes.ts'
import { batchRoutes } from './approval/batch/batch-routes.ts'
import { invoicePayments, moveFoundInvoice, prepareInvoicePayment } from './invoice/invoice-approval-actions.ts'
import { invoiceDetailsRoutes } from './invoice/invoice-details-routes.ts'
import { invoiceRoutes } from './invoice/invoice-routes.ts'
import { payerRoutes } from './payer/payer-routes.ts'
import { subscriptionRoutes } from './subscription/subscription-routes.ts'

export const ordersRoutes = (own: { baseUrl: () => string }): Route[] => [
  ...approvalRoutes({ moveFoundInvoice, prepareInvoicePayment, invoices: invoicePayments }),
  ...approvalPolicyRoutes,
  ...approvalInboxRoutes,
  ...batchRoutes,
  ...invoiceRoutes(own),
  ...invoiceDetailsRoutes,
  ...subscriptionRoutes,
  ...payerRoutes(own),
]
