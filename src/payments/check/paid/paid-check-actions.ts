import { reportOnFile } from '../../../connections/exchange/bank-file-rules.ts'
import type { Inbound } from '../../../connections/exchange/exchange-folder-actions.ts'
import {
  type InboundFile,
  type InboundOutcome,
  type Inbox,
  processInboundFile,
} from '../../../connections/exchange/inbox-actions.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../../foundation/db/failed-items.ts'
import { runInGroup } from '../../../foundation/db/statement-group.ts'
import { keepInboundFile, recordBankCase } from '../../../foundation/exception/bank-case-actions.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import type { LegHandlers } from '../../../money/rail/leg-actions.ts'
import { tryLockPrinting } from '../printing/print-store.ts'
import { reportOnPaid, type Witness } from './paid-check-rules.ts'
import { findPaidFile, insertPaidFile, updatePaidReport } from './paid-check-store.ts'
import {
  applyLine,
  beginList,
  type JudgedLine,
  judgeLine,
  type LineOutcome,
  type PaidList,
  recordLineCase,
} from './paid-line-actions.ts'
import type { PaidLine } from './paid-line-rules.ts'
import { type PaidReading, type Remark, readPaidList, unreadList } from './paid-list-rules.ts'

/**
 * Reads one list of paid checks. The file's record, the PAID payments and the cases commit together.
 *
 * @returns false when another worker is processing it
 */
export const processPaidFile = (
  deps: Deps,
  handlers: LegHandlers,
  { connection, ...given }: { connection: Connection; inbox: Inbox; file: Inbound },
): Promise<boolean> =>
  processInboundFile<PaidReading>(deps, given, {
    read: (bytes) => readPaidList(bytes, connection.checks?.layout.paidList ?? null),
    refuse: (problem) => unreadList([problem]),
    // Remarks about lines are in the report.
    remarksOf: () => [],
    record: (file) => recordPaidFile(deps, handlers, { ...file, connectionId: connection.id }),
  })

type PaidFile = InboundFile<PaidReading> & { connectionId: string }

function recordPaidFile(deps: Deps, handlers: LegHandlers, file: PaidFile): Promise<InboundOutcome | null> {
  const log = ({ cause: err, item: line }: ItemFailed<number>) => {
    deps.meter.stepFailed('read paid checks')
    deps.log.error({ err, file: file.name, line }, 'paid check not used')
  }
  return inTransactionSkippingFailed(deps, log, (tx, failed) => recordPaidList(tx, handlers, { ...file, failed }))
}

/** Records one list and applies it, in the caller's transaction. @returns null when another worker is processing it */
export async function recordPaidList(
  tx: TxDeps,
  handlers: LegHandlers,
  { connectionId, name, contentHash, bytes, reading, failed }: PaidFile & { failed: readonly number[] },
): Promise<InboundOutcome | null> {
  if (!(await tryLockPrinting(tx.sql, 'paid'))) return null
  const known = await findPaidFile(tx.sql, { connectionId, name, contentHash })
  if (known?.name === name) return known
  const problems = known ? [`the same content as ${known.name}, which was used`] : reading.problems
  const row = {
    id: newId(tx),
    connectionId,
    name,
    contentHash,
    // A file without lines does not count as used, because an equal file may arrive under another name.
    isUsed: problems.length === 0 && reading.lines.length > 0,
    report: problems.length > 0 ? reportOnFile(name, problems) : null,
    readAt: tx.clock.now(),
  }
  await insertPaidFile(tx.sql, row)
  if (!known && problems.length > 0) await recordUnreadList(tx, row, reading)
  const hasLines = row.isUsed
  const result = hasLines ? await applyLines(tx, handlers, { file: row, reading, failed }) : null
  const needsBytes = !known && (problems.length > 0 || (result !== null && result.setAside.length > 0))
  if (bytes && needsBytes) await keepInboundFile(tx, { id: row.id, connectionId, name, source: 'paid', bytes })
  if (!result) return row
  const report = reportOnPaid(name, { ...result, remarks: [...reading.remarks, ...result.remarks] })
  if (report !== null) await updatePaidReport(tx.sql, row.id, report)
  return { isUsed: true, report }
}

/** Opens one case for a list that cannot be used. The case holds everything that depends on the silence of the bank. */
function recordUnreadList(
  tx: TxDeps,
  { id, connectionId, name }: { id: string; connectionId: string; name: string },
  { problems, shown, lines }: PaidReading,
): Promise<void> {
  const others = problems.length > 1 ? `, and ${problems.length - 1} more problems` : ''
  const readable = lines.filter(({ problem }) => problem === null)
  const listed = lines.slice(0, MAX_LINES_SHOWN).map(({ line }) => line)
  return recordBankCase(tx, {
    kind: 'file_unread',
    connectionId,
    source: 'paid',
    file: { id, name },
    line: 0,
    isBankWide: true,
    note: `Nothing was used of a list of paid checks: ${problems[0]}${others}. ${readable.length} of its lines can be read.`,
    content: {
      lines: [...shown, ...listed].sort((a, b) => a.number - b.number),
      problems: [...problems],
      data: { readableCount: readable.length },
    },
  })
}

const MAX_LINES_SHOWN = 100

export type AppliedLines = {
  usedCount: number
  setAside: Remark[]
  remarks: Remark[]
  outcomes: Map<number, LineOutcome>
}

/** The number of lines whose statements are shared. */
const LINES_AT_A_TIME = 500

/**
 * Applies the lines of a list. Lines that pay a check come first, so that a damaged line finds the checks of the others paid. They are
 * applied in groups in which no two lines name the same number. The other lines are applied in sequence.
 */
export async function applyLines(
  tx: TxDeps,
  handlers: LegHandlers,
  {
    file,
    witness = 'list',
    reading,
    failed,
  }: {
    file: PaidList['file']
    witness?: Witness
    reading: Parameters<typeof beginList>[1]['reading']
    failed: readonly number[]
  },
): Promise<AppliedLines> {
  const list = await beginList(tx, { file, witness, reading })
  const outcomes = new Map<number, LineOutcome>()
  for (const lines of groupsOf(reading.lines.filter(({ line }) => !failed.includes(line.number)))) {
    const judged = await runInGroup(tx.sql, lines, {
      keysOf: () => [],
      run: (line) => judgeLine(tx, { list, line }).catch(failItem(line.line.number)),
    })
    const paying = judged.flatMap(({ line, verdict }) => (verdict.outcome === 'pay' ? [{ line, verdict }] : []))
    const applied = await runInGroup(tx.sql, paying, {
      keysOf: ({ verdict }) => [verdict.check.paymentId],
      run: (one) => applyLine(tx, handlers, { list, ...one }).catch(failItem(one.line.line.number)),
    })
    for (const [index, outcome] of applied.entries())
      outcomes.set((paying[index] as JudgedLine).line.line.number, outcome)
  }
  const left = reading.lines.filter(({ line }) => !outcomes.has(line.number))
  for (const line of left) {
    const { number } = line.line
    const outcome = failed.includes(number)
      ? await recordLineCase(tx, handlers, { list, line, one: FAILURE })
      : await judgeLine(tx, { list, line })
          .then((judged) => applyLine(tx, handlers, { list, ...judged }))
          .catch(failItem(number))
    outcomes.set(number, outcome)
  }
  const reasons = [...outcomes].flatMap(([line, one]) => (one.outcome === 'paid' ? [] : [{ line, ...one }]))
  return {
    outcomes,
    usedCount: outcomes.size - reasons.length,
    setAside: reasons.filter(({ outcome }) => outcome === 'case'),
    remarks: reasons.filter(({ outcome }) => outcome === 'remark'),
  }
}

/** Divides lines into groups in which each check number occurs once. Later lines with a number are in later groups. */
function groupsOf(lines: readonly PaidLine[]): PaidLine[][] {
  const rounds: PaidLine[][] = []
  const counts = new Map<number, number>()
  for (const line of lines) {
    const round = line.number === null ? 0 : (counts.get(line.number) ?? 0)
    if (line.number !== null) counts.set(line.number, round + 1)
    rounds[round] ??= []
    rounds[round].push(line)
  }
  return rounds.flatMap((round) =>
    Array.from({ length: Math.ceil(round.length / LINES_AT_A_TIME) }, (_, index) =>
      round.slice(index * LINES_AT_A_TIME, (index + 1) * LINES_AT_A_TIME),
    ),
  )
}

const FAILURE = {
  kind: 'entry_unread',
  reason: 'it could not be used; the log says why',
  check: null,
  isBankWide: true,
} as const
