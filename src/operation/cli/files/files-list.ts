import { contentOf } from '../../../connections/exchange/outgoing-file-actions.ts'
import { getAllExchanges, getExchanges, requireExchange } from '../../../connections/overview/exchange-list-actions.ts'
import type { ExchangeRow } from '../../../connections/overview/exchange-list-store.ts'
import { openCasesText } from '../../../connections/overview/open-cases-rules.ts'
import { centsToDollars } from '../../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { findOpenCases } from '../../../foundation/exception/bank-case-actions.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { neutralJson, neutralText } from '../../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'
import { countLegs } from '../../../money/ach/file/ach-follow-actions.ts'
import { readControlTotals } from '../../../money/ach/format/nacha-sent-rules.ts'
import type { CommandFlags } from '../command-flags.ts'

/** Runs `remit files list`: lists files in both directions. If a status is given, includes finished files. */
export async function listFiles(
  deps: Deps,
  { all = false, connection: connectionId, direction, status, json }: CommandFlags,
): Promise<string> {
  const isOpenOnly = !all && status === undefined
  const filter = { isOpenOnly, connectionId, direction, status }
  if (json) return neutralJson(await getAllExchanges(deps, filter))
  const { files, hasMore } = await getExchanges(deps, filter)
  if (files.length === 0) return isOpenOnly ? 'No open files. --all lists finished files too.' : 'No files.'
  const table = textTable([
    ['FILE', 'CONNECTION', 'DIRECTION', 'STATUS', 'CREATED', 'TRANSMITTED', 'ENDED', 'SETTLES', 'NEEDS YOU'],
    ...files.map((file) => [
      neutralText(file.name),
      file.connectionId,
      file.direction,
      file.status,
      timeOf(file.createdAt),
      timeOf(file.transmittedAt),
      timeOf(file.endedAt),
      timeOf(file.settlesAt ?? file.effectiveAt),
      noticeOf(file),
    ]),
  ])
  return hasMore ? `${table}\nOlder files are not shown.` : table
}

const timeOf = (at: Date | null): string => (at ? formatDateTime(at).slice(0, 16) : '')

function noticeOf(file: ExchangeRow): string {
  const { status, attention, problem, openCaseCount, transmissionLateAt, acknowledgementLateAt } = file
  if (attention) return attention
  const openCases = openCasesText(openCaseCount)
  if (openCases) return openCases
  if (status === 'RECEIVED' && problem) return problem
  if (status === 'WRITTEN' && transmissionLateAt) return 'not transmitted in its window'
  return status === 'TRANSMITTED' && acknowledgementLateAt ? 'not acknowledged in time' : ''
}

/** Runs `remit files show NAME`. @throws StartProblem if no file has the name, or several have */
export async function showFile(tx: TxDeps, name: string): Promise<string> {
  const file = await requireExchange(tx, name)
  return neutralJson(file.direction === 'out' ? await outgoingView(tx, file) : await incomingView(tx, file))
}

const commonView = ({ name, id, connectionId, direction, kind, status, byteCount, sha256 }: ExchangeRow) => ({
  name,
  id,
  connection: connectionId,
  direction,
  kind,
  status,
  size: byteCount,
  sha256,
})

async function outgoingView(tx: TxDeps, file: ExchangeRow): Promise<object> {
  const content = file.kind === 'ach' ? await contentOf(tx, { id: file.id, kind: file.kind }) : null
  const totals = content && readControlTotals(content.toString('latin1'))
  return {
    ...commonView(file),
    created: file.createdAt,
    written: file.publishedAt,
    transmitted: file.transmittedAt,
    proof: file.proof,
    ended: file.endedAt,
    effective: file.effectiveAt,
    settles: file.settlesAt,
    needs_you: file.attention,
    ...(totals && {
      batches: totals.batchCount,
      entries_and_addenda: totals.entryCount,
      debits: centsToDollars(totals.debitCents),
      credits: centsToDollars(totals.creditCents),
      legs: await countLegs(tx, file.id),
    }),
  }
}

async function incomingView(tx: TxDeps, file: ExchangeRow): Promise<object> {
  const { connectionId, name } = file
  const cases = await findOpenCases(tx, { connectionId, fileName: name })
  return {
    ...commonView(file),
    received: file.createdAt,
    changed_at_the_bank: file.modifiedAt,
    ended: file.endedAt,
    removed_from_the_bank: file.removedAt,
    bytes_deleted: file.bytesDeletedAt,
    problem: file.problem,
    exceptions: cases.map(({ id, kind, line, note }) => ({ id, kind, line, note })),
  }
}
