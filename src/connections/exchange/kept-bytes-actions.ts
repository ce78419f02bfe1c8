import { inTransaction } from '../../foundation/db/transaction.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import type { OpenConnection } from './connection-pass-actions.ts'
import { deleteExchangeBytes, listEndedWithBytes } from './exchange-store.ts'

const FILES_PER_PASS = 100

/**
 * Deletes the bytes of exchanges that ended more than `keep_bytes_days` ago. The bytes of ACH files to a bank are kept, because a rotation
 * of the master keys needs them to compute the digests of their accounts.
 *
 * @returns the number of exchanges
 */
export async function deleteBytes({ deps, connection }: Pick<OpenConnection, 'deps' | 'connection'>): Promise<number> {
  const now = deps.clock.now()
  const endedBefore = addDays(now, -deps.connections.current().keepBytesDays)
  const ids = await listEndedWithBytes(deps.sql, { connectionId: connection.id, endedBefore, limit: FILES_PER_PASS })
  if (ids.length > 0) await inTransaction(deps, ({ sql }) => deleteExchangeBytes(sql, ids, now))
  return ids.length
}
