import type { Deps } from '../../foundation/db/deps.ts'
import { readBankHolds } from '../../foundation/exception/bank-hold-actions.ts'
import { hasUnreadInbound } from './exchange-folder-actions.ts'
import { openExchange } from './exchange-guard-actions.ts'

/**
 * Whether the bank's silence means that it does not object: everything that it sent was read, and no case about it is open. Otherwise, no
 * debit becomes trusted, no file is accepted without acknowledgment, and no check expires.
 * Reads the folder before the cases, so that a file that is read in between is in one of them.
 */
export async function isSilenceEvidence(deps: Deps): Promise<boolean> {
  if (!deps.settings.achFiles) return true
  // If the folder cannot be read, the silence proves nothing. The step that reads files reports the reason.
  const isUnread = await openExchange(deps)
    .then((folder) => folder === null || hasUnreadInbound(folder))
    .catch(() => true)
  return !isUnread && !(await readBankHolds(deps)).isBankHeld
}
