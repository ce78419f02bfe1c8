import type { TxDeps } from '../../foundation/db/deps.ts'
import { type NewBankCase, tryRecordBankCase } from '../../foundation/exception/bank-case-actions.ts'
import { holdLeg } from './leg-actions.ts'
import type { LegRow } from './leg-store.ts'

/**
 * Records a case for the operator, and holds the leg that it names with the other legs of its payment or bank. A case that was recorded before
 * holds nothing again, because the operator may have closed it. The caller must hold the lock on the subject.
 *
 * @param given.reason why the leg is held. By default, the note of the case
 * @returns whether the case is new
 */
export async function recordHoldingCase(
  tx: TxDeps,
  { reason, ...one }: Omit<NewBankCase, 'leg'> & { leg: LegRow | null; reason?: string },
): Promise<boolean> {
  const isNew = await tryRecordBankCase(tx, one)
  if (isNew && one.leg) await holdLeg(tx, one.leg, reason ?? one.note)
  return isNew
}
