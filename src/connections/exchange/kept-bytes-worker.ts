import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { deleteOldBytes } from './exchange-store.ts'

const PARTS_PER_PASS = 500

export const deleteBytesStep: BackgroundStep = { name: 'delete bytes of old files', run: deleteBytes, isWoken: false }

/**
 * One pass: deletes the bytes of exchanges that ended more than `keep_bytes_days` ago. Those of ACH files to a bank stay, because a rotation
 * of the master keys computes the digests of their accounts from them.
 *
 * @returns the number of files whose bytes were deleted
 */
export function deleteBytes(deps: Deps): Promise<number> {
  const { keepBytesDays } = deps.connections.current()
  const endedBefore = addDays(deps.clock.now(), -keepBytesDays)
  return inTransaction(deps, ({ sql }) => deleteOldBytes(sql, { endedBefore, limit: PARTS_PER_PASS }))
}
