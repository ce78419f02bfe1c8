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
  judgeLine,
  keysOfLine,
  type LineOutcome,
  type PaidList,
  readChecksOfLines,
  recordLineCase,
} from './paid-line-actions.ts'
import type { PaidLine } from './paid-line-rules.ts'
import { type PaidReading, type Remark, readPaidList, unreadList } from './paid-list-rules.ts'

/**
 * Reads one list of paid checks. The file's record, the PAID payments and the cases commit together.
 *
 * @returns false if another worker is processing the file
 */
export const processPaidFile = (
  deps: Deps,
  handlers: LegHandlers,
  { connection, ...given }: { connection: Connection; inbox: Inbox; file: Inbound },
): Promise<boolean> =>
  processInboundFile<PaidReading>(deps, given, {
    read: (bytes) => readPaidList(bytes, connection.checks?.layout.paidList ?? null),
    refuse: (problem) => unreadList([problem]),
    // Remarks about lines are part of the report.
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

/** Records one list and applies it, in the caller's transaction. @returns null if another worker is processing it */
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

/** Opens one case for a list that cannot be used. The case holds the whole bank. */
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
      ...(lines.length > listed.length && { hiddenCount: lines.length - listed.length }),
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

/** The number of lines that pay a check and share statements. */
const LINES_AT_A_TIME = 200

/**
 * Applies the lines of a list. Two lines that concern the same check are applied in sequence. Lines that pay a check come first, so that a
 * damaged line finds the checks of the others paid.
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
  const left: PaidLine[] = []
  for (let first = 0; first < reading.lines.length; first += LINES_AT_A_TIME) {
    const lines = reading.lines.slice(first, first + LINES_AT_A_TIME)
    await readChecksOfLines(tx, list, lines)
    const paid = await runInGroup(tx.sql, lines, {
      keysOf: (line) => keysOfLine(list, line),
      run: async (line) => (failed.includes(line.line.number) ? null : payLine(tx, handlers, { list, line })),
    })
    for (const [index, line] of lines.entries()) {
      const outcome = paid[index]
      if (outcome) outcomes.set(line.line.number, outcome)
      else left.push(line)
    }
  }
  list.known.clear()
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

/** Applies a line if it pays a check. Null: it does not. */
async function payLine(
  tx: TxDeps,
  handlers: LegHandlers,
  { list, line }: { list: PaidList; line: PaidLine },
): Promise<LineOutcome | null> {
  const failLine = failItem(line.line.number)
  const judged = await judgeLine(tx, { list, line }).catch(failLine)
  return judged.verdict.outcome === 'pay' ? applyLine(tx, handlers, { list, ...judged }).catch(failLine) : null
}

const FAILURE = {
  kind: 'entry_unread',
  reason: 'it could not be used; the log says why',
  check: null,
  isBankWide: true,
} as const
