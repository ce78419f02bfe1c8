import type { Connection } from '../../foundation/core/connections.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { inSavepoint, inTransaction } from '../../foundation/db/transaction.ts'
import { readBankHolds } from '../../foundation/exception/bank-hold-actions.ts'
import { nextSettlementDate } from '../../foundation/lib/banking-day.ts'
import { calendarOf } from './bank-calendar-rules.ts'
import { fileSettlementTime, transmissionDeadline } from './bank-file-rules.ts'
import type { OpenConnection } from './connection-pass-actions.ts'
import { applyOutgoingFileEvent, labelsOf, recordPlatformAudit } from './outgoing-file-actions.ts'
import {
  listOpenOutgoingFiles,
  listPlatformsOfFile,
  listUnacknowledgedFiles,
  listUntransmittedFiles,
  type OpenFiles,
  type OutgoingFileRow,
  tryLockOutgoingFile,
  updateLate,
} from './outgoing-file-store.ts'
import { findSilenceDate } from './silence-actions.ts'

/**
 * Accepts transmitted files at their settlement time, for banks that send no acknowledgments. Skips files that need attention, and waits
 * while a message of the bank is unread.
 *
 * @returns the number of files
 */
export async function acceptUnacknowledged({ deps, connection }: OpenConnection): Promise<number> {
  const heardUntil = await findSilenceDate(deps, connection)
  if (heardUntil === null) return 0
  return forEachFile(deps, { connectionId: connection.id, status: 'TRANSMITTED' }, async (tx, file) => {
    if (isAcknowledged(connection, file) || file.attention !== null) return false
    if ((await readBankHolds(tx)).connectionIds.has(connection.id)) return false
    const { effectiveAt, transmittedAt } = file
    const settlesAt = fileSettlementTime({ effectiveAt, arrivedAt: transmittedAt as Date }, calendarOf(connection))
    if (settlesAt > tx.clock.now() || settlesAt > heardUntil) return false
    return (await applyOutgoingFileEvent(tx, file, 'accept', { settlesAt })) !== null
  })
}

/**
 * Returns whether the bank must acknowledge a file. Lists of issued checks need no acknowledgment, because no money waits for them. If the
 * server took a file away at once, nothing else proves that the bank has it.
 */
function isAcknowledged({ ach, checks }: Connection, { kind, proof }: OutgoingFileRow): boolean {
  if (kind === 'issue') return false
  // The bank answers each order, so a missing answer does not mean that the order was accepted.
  if (kind === 'orders' || kind === 'recall' || proof === 'taken') return true
  return (kind === 'ach' ? ach : checks)?.acknowledgements !== 'none'
}

/** Runs `work` for each open file in its own transaction. @returns the number of files for which `work` returned true */
export async function forEachFile(
  deps: Deps,
  which: OpenFiles,
  work: (tx: TxDeps, file: OutgoingFileRow) => Promise<boolean>,
): Promise<number> {
  return countFiles(deps, await listOpenOutgoingFiles(deps.sql, which), ({ id }) =>
    inTransaction(deps, async (tx) => {
      const file = await tryLockOutgoingFile(tx.sql, id)
      const isStill = file?.status === which.status && (file.publishedAt !== null) === (which.isPublished ?? true)
      return isStill && work(tx, file)
    }),
  )
}

/** Runs `work` for each file. A failure does not stop the others. @returns the number of files for which it returned true */
async function countFiles(
  deps: Deps,
  files: readonly OutgoingFileRow[],
  work: (file: OutgoingFileRow) => Promise<boolean>,
): Promise<number> {
  const isolation = isolate(deps, 'exchange bank files')
  const skippedIds = isolation.skipped().ids
  let count = 0
  for (const file of files.filter(({ id }) => !skippedIds.includes(id))) {
    if (await isolation.run({ platformId: null, kind: 'bank file', id: file.id }, () => work(file))) count++
  }
  return count
}

/**
 * Reports files that were not transmitted in their window, or not acknowledged in time. Each is reported once.
 *
 * @returns the number of files
 */
export async function reportLateFiles({ deps, connection }: OpenConnection): Promise<number> {
  const now = deps.clock.now()
  const untransmitted = (
    await listUntransmittedFiles(deps.sql, { connectionId: connection.id, createdBefore: now })
  ).filter(({ createdAt }) => transmissionDeadline(createdAt) < now)
  const unacknowledged = (await listUnacknowledgedFiles(deps.sql, connection.id)).filter(
    (file) =>
      isAcknowledged(connection, file) &&
      !['print', 'checkbook'].includes(file.kind) &&
      acknowledgementDeadline(file, connection) < now,
  )
  const count = await countFiles(deps, untransmitted, (file) => reportLate(deps, file, 'transmission'))
  return count + (await countFiles(deps, unacknowledged, (file) => reportLate(deps, file, 'acknowledgement')))
}

const acknowledgementDeadline = (
  { effectiveAt, transmittedAt, createdAt }: OutgoingFileRow,
  connection: Connection,
): Date => effectiveAt ?? nextSettlementDate(transmittedAt ?? createdAt, calendarOf(connection))

const lateColumns = { transmission: 'transmission_late_at', acknowledgement: 'acknowledgement_late_at' } as const

async function reportLate(deps: Deps, file: OutgoingFileRow, late: keyof typeof lateColumns): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    if (!(await updateLate(tx.sql, file.id, lateColumns[late], tx.clock.now()))) return false
    const isolation = isolate(deps, 'exchange bank files')
    const audit = { action: 'bank_file_late', actor: 'service', subject: late } as const
    for (const platformId of await listPlatformsOfFile(tx.sql, file.id)) {
      const record = () => recordPlatformAudit(tx, file, { ...audit, platformId })
      await isolation.run({ platformId }, () => inSavepoint(tx.sql, record))
    }
    tx.afterCommit(() => {
      tx.meter.bankFileLate({ ...labelsOf(file), late })
      tx.log.error({ connection: file.connectionId, file: file.name, late }, 'bank file is late')
    })
    return true
  })
}
