import type { Route } from '../foundation/http/route.ts'
import type { BankHooks } from './bank/bank-actions.ts'
import { bankRoutes } from './bank/bank-routes.ts'
import { monthRoutes } from './closing/month-routes.ts'
import { debtRoutes } from './debt/debt-routes.ts'
import { destinationRoutes } from './destination/destination-routes.ts'
import { directoryAccountRoutes, directoryRoutes } from './directory/directory-routes.ts'
import { iavRoutes } from './iav/iav-routes.ts'
import { returnCodeRoutes } from './rail/return-code-routes.ts'
import type { ReconcileHooks } from './reconciliation/decision/reconcile-actions.ts'
import { reconcileRoutes } from './reconciliation/decision/reconcile-routes.ts'
import { statementRoutes } from './reconciliation/statement-routes.ts'
import { virtualCardRoutes, virtualCardSpendingRoutes } from './virtual-card/virtual-card-routes.ts'
import type { WalletHooks } from './wallet/wallet-actions.ts'
import { walletDeletionRoutes, walletFundingRoutes, walletRoutes } from './wallet/wallet-routes.ts'

type Hooks = { bankHooks: BankHooks; walletHooks: WalletHooks; reconcileHooks: ReconcileHooks }

export const moneyRoutes = (own: Hooks): Route[] => [
  ...bankRoutes(own.bankHooks),
  ...iavRoutes,
  ...returnCodeRoutes,
  ...walletRoutes,
  ...walletDeletionRoutes(own.walletHooks),
  ...destinationRoutes,
  ...virtualCardRoutes,
  ...directoryRoutes,
  ...directoryAccountRoutes,
  ...statementRoutes,
  ...reconcileRoutes(own.reconcileHooks),
  ...monthRoutes,
]

/** Routes that exist only in environments where tests can cause outcomes. */
export const moneyTestRoutes: Route[] = [...debtRoutes, ...walletFundingRoutes, ...virtualCardSpendingRoutes]
