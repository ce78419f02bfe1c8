import { ApiError, type ErrorCode } from '../../foundation/core/errors.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { recordStatusEvent } from '../../webhook/event/event-actions.ts'
import { type BankEvent, bankTransitions } from './bank-status.ts'
import { type BankRow, updateBankStatus } from './bank-store.ts'

/**
 * Applies one event of the state table to a bank, and records the webhook event. All status changes of banks use this function.
 *
 * @throws ApiError `refusal` if the bank's status does not allow the event
 */
export async function applyBankEvent(
  deps: TxDeps,
  bank: Pick<BankRow, 'platformId' | 'id'>,
  event: BankEvent,
  options: { refusal: ErrorCode; microDepositsSealed?: Buffer; lapsesAt?: Date },
): Promise<void> {
  const { microDepositsSealed = null, lapsesAt = null } = options
  const change = { ...bankTransitions[event], microDepositsSealed, lapsesAt }
  if (!(await updateBankStatus(deps.sql, bank, change))) throw new ApiError(options.refusal)
  await recordStatusEvent(deps, { platformId: bank.platformId, type: 'BANK', id: bank.id, status: change.to })
}
