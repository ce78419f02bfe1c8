import { inTransaction } from '../../foundation/db/transaction.ts'
import {
  endTransferCase,
  isTransferCaseOpen,
  recordTransferCase,
} from '../../foundation/exception/bank-case-actions.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import type { OpenConnection } from './connection-pass-actions.ts'
import { expectedSince } from './expected-rules.ts'
import { findLastReceived } from './received-store.ts'

/** Opens a case if no file arrived from a bank within the time that its connection expects. Closes the case when a file arrives. */
export async function reportSilentBank({ deps, connection }: OpenConnection): Promise<void> {
  const since = expectedSince(connection, deps.clock.now())
  if (since === null) return
  const { receivedAt, usedSince } = await findLastReceived(deps.sql, connection.id)
  const lastAt = receivedAt ?? usedSince
  if (lastAt === null) return
  const isSilent = lastAt < since
  deps.meter.bankSilent({ connection: connection.id, isSilent })
  const one = { connectionId: connection.id, kind: 'connection_silent', fileName: connection.id } as const
  if ((await isTransferCaseOpen(deps, one)) === isSilent) return
  const note = receivedAt
    ? `Nothing has come from the bank since ${formatDateTime(receivedAt)}.`
    : 'Nothing has ever come from the bank.'
  await inTransaction(deps, (tx) =>
    isSilent ? recordTransferCase(tx, { ...one, note }) : endTransferCase(tx, one, 'A file came from the bank.'),
  )
}
