import {
  type Inbound,
  type InboundFile,
  type InboundOutcome,
  processInboundFile,
} from '../../bank-file/exchange-folder-actions.ts'
import { reportOnFile } from '../../bank-file/inbound-file-rules.ts'
import type { Deps, TxDeps } from '../../db/deps.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../db/failed-items.ts'
import { recordException } from '../../exception/exception-actions.ts'
import { businessDate } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { applyLegEvent, type LegHandlers, lockLeg } from '../../rail/leg-actions.ts'
import { paperDigestsOf } from '../printing/print-check-actions.ts'
import {
  findNumberedCheck,
  findPaidFile,
  insertPaidFile,
  markPaid,
  tryLockPrinting,
  updatePaidReport,
} from '../printing/print-store.ts'
import {
  type KnownCheck,
  nameOf,
  type PaidItem,
  type PaidReading,
  readPaidFile,
  rejectionReason,
  reportOnPaid,
  type SetAside,
} from './paid-check-rules.ts'

/**
 * Reads one file of paid checks. The file's record and the PAID payments commit together.
 *
 * @returns false when another worker is processing it
 */
export const processPaidFile = (
  deps: Deps,
  handlers: LegHandlers,
  given: { folder: string; file: Inbound },
): Promise<boolean> =>
  processInboundFile<PaidReading>(deps, given, {
    read: readPaidFile,
    refuse: (problem) => ({ items: null, problems: [problem] }),
    record: (file) => recordPaidFile(deps, handlers, file),
  })

type PaidFile = InboundFile<PaidReading>

function recordPaidFile(deps: Deps, handlers: LegHandlers, file: PaidFile): Promise<InboundOutcome | null> {
  const log = ({ cause: err, item: line }: ItemFailed<number>) => {
    deps.meter.stepFailed('read paid checks')
    deps.log.error({ err, file: file.name, line }, 'paid check not used')
  }
  return inTransactionSkippingFailed(deps, log, (tx, failed) => recordOnce(tx, handlers, { ...file, failed }))
}

async function recordOnce(
  tx: TxDeps,
  handlers: LegHandlers,
  { name, contentHash, reading, failed }: PaidFile & { failed: readonly number[] },
): Promise<InboundOutcome | null> {
  if (!(await tryLockPrinting(tx.sql, 'paid'))) return null
  const known = await findPaidFile(tx.sql, { name, contentHash })
  if (known?.name === name) return known
  const problems = known ? [`the same content as ${known.name}, which was used`] : problemsOf(reading)
  const row = {
    id: newId(tx),
    name,
    contentHash,
    // A file without lines has no effect, and may arrive again under another name.
    isUsed: problems.length === 0 && linesOf(reading) > 0,
    report: problems.length > 0 ? reportOnFile(name, problems) : null,
    readAt: tx.clock.now(),
  }
  await insertPaidFile(tx.sql, row)
  if (!row.isUsed || reading.items === null) return row
  const setAside = [...reading.setAside, ...(await applyItems(tx, handlers, { fileId: row.id, ...reading, failed }))]
  const usedCount = linesOf(reading) - setAside.length
  const report = reportOnPaid(
    name,
    usedCount,
    setAside.sort((a, b) => a.line - b.line),
  )
  if (report !== null) await updatePaidReport(tx.sql, row.id, report)
  return { isUsed: true, report }
}

const problemsOf = (reading: PaidReading): string[] => (reading.items === null ? reading.problems : [])

const linesOf = (reading: PaidReading): number =>
  reading.items === null ? 0 : reading.items.length + reading.setAside.length

/** Runs in sequence, because two lines can concern the same check. @returns the items that could not be applied */
async function applyItems(
  tx: TxDeps,
  handlers: LegHandlers,
  { fileId, items, failed }: { fileId: string; items: readonly PaidItem[]; failed: readonly number[] },
): Promise<SetAside[]> {
  const setAside: SetAside[] = []
  for (const item of items) {
    const { line } = item
    const reason = failed.includes(line)
      ? 'it could not be used; the log says why'
      : await applyItem(tx, handlers, { fileId, item }).catch(failItem(line))
    if (reason !== null) setAside.push({ line, reason })
  }
  return setAside
}

/** @returns null, or why the item cannot be applied */
async function applyItem(
  tx: TxDeps,
  handlers: LegHandlers,
  { fileId, item }: { fileId: string; item: PaidItem },
): Promise<string | null> {
  const today = businessDate(tx.clock.now(), tx.settings.timeZone)
  if (item.paidOn > today) return `the date ${item.paidOn} is in the future: today is ${today}`
  const accountDigests = paperDigestsOf(tx, item.account)
  const check = await findKnownCheck(tx, { accountDigests, number: item.number })
  const reason = rejectionReason(check, item)
  if (check?.status === 'CANCELLED' && check.stoppedOn && check.cents === item.cents) await reportPaidStop(tx, check)
  if (!check || reason !== null) return `account ending in ${item.account.slice(-4)}: ${reason}`
  const leg = await lockLeg(tx, handlers, { platformId: check.platformId, id: check.legId })
  const paid = leg && (await applyLegEvent(tx, handlers[leg.purpose], leg, 'settle'))
  if (!paid) return nameOf({ ...check, status: leg?.status ?? check.status }) // it was stopped in the meantime
  await markPaid(tx.sql, check, { fileId, ...item })
  return null
}

async function findKnownCheck(
  tx: TxDeps,
  key: { accountDigests: Buffer[]; number: number },
): Promise<KnownCheck | null> {
  const check = await findNumberedCheck(tx.sql, key)
  return check && { ...check, stoppedOn: check.stoppedAt && businessDate(check.stoppedAt, tx.settings.timeZone) }
}

/** The bank paid a check although it had accepted the stop: the operator claims the money back from the bank. */
const reportPaidStop = (tx: TxDeps, { platformId, legId, paymentId, cents, number }: KnownCheck): Promise<void> =>
  recordException(tx, {
    platformId,
    kind: 'stopped_check_paid',
    paymentId,
    legId,
    cents,
    note: `The bank paid check ${number} after it had accepted the stop. The sender has the money back. Claim it from the bank.`,
  })
