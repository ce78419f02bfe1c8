import type { Deps } from '../../foundation/db/deps.ts'
import { readBankHolds } from '../../foundation/exception/bank-hold-actions.ts'
import { hasUnreadInbound } from './exchange-folder-actions.ts'
import { openExchange } from './exchange-guard-actions.ts'

/**
 * Whether the bank's silence says that it does not object: everything that it sent was read, and nothing of it waits for a decision.
 * Otherwise no debit becomes trusted, no file is accepted by silence, and no check expires. Looks at the folder before the cases, so that
 * a file that is read in between is seen by one of the two.
 */
export async function isSilenceEvidence(deps: Deps): Promise<boolean> {
  if (!deps.settings.achFiles) return true
  // If the folder cannot be read, nobody knows. Reading the files reports why.
  const isUnread = await openExchange(deps)
    .then((folder) => folder === null || hasUnreadInbound(folder))
    .catch(() => true)
  return !isUnread && !(await readBankHolds(deps)).isBankHeld
}
