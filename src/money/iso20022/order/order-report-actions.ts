import { reportOnFile } from '../../../connections/exchange/bank-file-rules.ts'
import type { Inbound } from '../../../connections/exchange/exchange-folder-actions.ts'
import {
  type InboundFile,
  type InboundOutcome,
  type Inbox,
  processInboundFile,
} from '../../../connections/exchange/inbox-actions.ts'
import {
  acceptOutgoingFile,
  lockFileById,
  rejectOutgoingFile,
} from '../../../connections/exchange/outgoing-file-actions.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { classifyDatabaseError } from '../../../foundation/db/trouble.ts'
import { keepInboundFile, wasAsked } from '../../../foundation/exception/bank-case-actions.ts'
import { type LegHandlers, lockLegs } from '../../rail/leg-actions.ts'
import { recordHoldingCase } from '../../rail/leg-case-actions.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import { judgeReport, type LegOutcome } from '../report/report-judgement-rules.ts'
import { readWholeReports } from '../report/report-read-actions.ts'
import type { ReportKind, ReportProblem, WholeReport } from '../report/report-types.ts'
import { isFinal } from '../report/status-code-rules.ts'
import { applyAnswer } from './order-answer-actions.ts'
import { namedIn, orderIdsOf, withMessages } from './order-message-rules.ts'
import { answerLostOrder } from './order-restore-actions.ts'
import { type LostOrder, listLostOfMessages } from './order-restore-store.ts'
import { inboundIdOf, type SentOrderRow, sentMessagesOf } from './order-rules.ts'
import { listLegsOfUetrs, listMessagesOfLegs, listOrders, type OrderRow } from './order-store.ts'

type Reading = { reports: WholeReport[]; problems: ReportProblem[] }

/**
 * Reads one file with answers of the bank. Each answer is applied in its own transaction, and applying it again changes nothing. The file
 * can therefore be read again if the process stops in between.
 *
 * @returns false if another worker has moved the file
 */
export const processReportFile = (
  deps: Deps,
  handlers: LegHandlers,
  { connection, ...given }: { connection: Connection; inbox: Inbox; file: Inbound },
): Promise<boolean> =>
  processInboundFile<Reading>(deps, given, {
    read: readWholeReports,
    refuse: (message) => ({ reports: [], problems: [{ scope: 'file', place: 'line 1', message }] }),
    remarksOf: ({ problems }) =>
      problems.flatMap(({ scope, place, message }) => (scope === 'field' ? [`${place}: ${message}`] : [])),
    record: (file) => recordReports(deps, handlers, { ...file, connectionId: connection.id }),
  })

type ReportFile = InboundFile<Reading> & { connectionId: string }

/**
 * A problem that the operator has to decide. `leg`: the leg that it concerns, if it is known. `isOfLost`: it is about an order whose payment
 * is not known, and the message names the order.
 */
type Trouble = {
  kind: 'file_unread' | 'entry_unread' | 'order_contradicts'
  place: string
  message: string
  leg: LegRow | null
  isOfLost?: true
}

async function recordReports(deps: Deps, handlers: LegHandlers, file: ReportFile): Promise<InboundOutcome> {
  const { connectionId, reading } = file
  const troubles = reading.problems.flatMap((problem) => troubleOf(problem) ?? [])
  let usedCount = 0
  for (const report of reading.reports) {
    const { orders, lost } = await findOrders(deps.sql, { connectionId, report })
    const all = [...orders, ...lost]
    const { outcomes, problems } = judgeReport(withMessages(report, all), sentMessagesOf(all))
    troubles.push(...problems.flatMap((problem) => troubleOf(withOrder(problem, report)) ?? []))
    const proofs: LegOutcome[] = []
    for (const outcome of outcomes) {
      const trouble = await applyOutcome(deps, handlers, { outcome, orders, lost })
      if (trouble === null) usedCount++
      else troubles.push(trouble)
      // A rejection that was not applied must not reject the file, because its orders would be sent again.
      if (trouble === null || outcome.meaning !== 'rejected') proofs.push(outcome)
    }
    await settleFiles(deps, { orders: all, outcomes: proofs })
    await acceptRecalls(deps, { kind: report.kind, orders: all, outcomes: proofs })
  }
  if (troubles.length > 0) await inTransaction(deps, (tx) => recordTroubles(tx, handlers, { file, troubles }))
  const lines = troubles.map(({ place, message }) => `${place}: ${message}`)
  return { isUsed: usedCount > 0, report: lines.length > 0 ? reportOnFile(file.name, lines) : null }
}

/** Finds all orders of the messages that a report concerns. `lost`: a restore lost their payments. */
async function findOrders(
  sql: Deps['sql'],
  { connectionId, report }: { connectionId: string; report: WholeReport },
): Promise<{ orders: OrderRow[]; lost: LostOrder[] }> {
  const { fileIds, legIds, uetrs } = namedIn(report)
  const ofUetrs = uetrs.length === 0 ? [] : await listLegsOfUetrs(sql, { connectionId, uetrs })
  const legs = [...legIds, ...ofUetrs.map(({ legId }) => legId)]
  const ofLegs = legs.length === 0 ? [] : await listMessagesOfLegs(sql, { connectionId, legIds: legs })
  const orders = await listOrders(sql, { connectionId, fileIds: [...fileIds, ...ofLegs] })
  const messages = [...new Set([...fileIds, ...orders.map(({ fileId }) => fileId)])]
  return { orders, lost: await listLostOfMessages(sql, { connectionId, fileIds: messages }) }
}

/** Returns the problem of a report. A field that was left out needs no decision. */
const troubleOf = ({ scope, place, message }: ReportProblem): Trouble | null =>
  scope === 'field' ? null : { kind: scope === 'file' ? 'file_unread' : 'entry_unread', place, message, leg: null }

/** Returns a problem with the order that its status names, so that the operator can apply the case. Other forms than ours are not shown. */
function withOrder(problem: ReportProblem, { statuses }: WholeReport): ReportProblem {
  const [id, ...others] = orderIdsOf(statuses.filter(({ place }) => place === problem.place))
  const isClear = id !== undefined && others.length === 0
  return isClear ? { ...problem, message: `${problem.message}. It names the order ${id}` } : problem
}

/** Applies the answer about one order. @returns null, or the reason why the operator must decide */
async function applyOutcome(
  deps: Deps,
  handlers: LegHandlers,
  { outcome, orders, lost }: { outcome: LegOutcome; orders: readonly OrderRow[]; lost: readonly LostOrder[] },
): Promise<Trouble | null> {
  const lostOrder = lost.find(({ legId }) => legId === outcome.legId)
  if (lostOrder) {
    const message = await inTransaction(deps, (tx) => answerLostOrder(tx, { order: lostOrder, answer: outcome }))
    if (message === null) return null
    return { kind: 'entry_unread', place: outcome.place, message, leg: null, isOfLost: true }
  }
  const order = orders.find(({ legId }) => legId === outcome.legId)
  if (!order) throw new Error('an answer is about an order that was not sent')
  try {
    const refusal = await inTransaction(deps, (tx) => applyAnswer(tx, handlers, { order, answer: outcome }))
    return refusal && { kind: 'order_contradicts', place: outcome.place, message: refusal.why, leg: refusal.leg }
  } catch (error) {
    if (classifyDatabaseError(error) !== 'other') throw error
    deps.log.error({ err: error, leg: order.legId }, 'answer of the bank not used')
    return { kind: 'entry_unread', place: outcome.place, message: 'it could not be used; the log says why', leg: null }
  }
}

/** Accepts the files that the bank has answered, or rejects a file if all its orders were rejected, also those whose payments are lost. */
async function settleFiles(
  deps: Deps,
  { orders, outcomes }: { orders: readonly SentOrderRow[]; outcomes: readonly LegOutcome[] },
): Promise<void> {
  const meanings = new Map(outcomes.map(({ legId, meaning }) => [legId, meaning]))
  const answered = orders.filter(({ legId }) => meanings.has(legId))
  for (const fileId of new Set(answered.map((order) => order.fileId))) {
    const ofFile = orders.filter((order) => order.fileId === fileId)
    const isRejected = ofFile.every(({ legId }) => meanings.get(legId) === 'rejected')
    await inTransaction(deps, async (tx) => {
      const file = await lockFileById(tx, fileId)
      if (file) await (isRejected ? rejectOutgoingFile : acceptOutgoingFile)(tx, file)
    })
  }
}

/**
 * Accepts the requests to cancel that the bank has answered, and those that were sent and whose order has a final status now. Another answer
 * to the order does not show that the bank has the request, which may still wait for its transfer.
 */
async function acceptRecalls(
  deps: Deps,
  { kind, orders, outcomes }: { kind: ReportKind; orders: readonly SentOrderRow[]; outcomes: readonly LegOutcome[] },
): Promise<void> {
  const meanings = new Map(outcomes.map(({ legId, meaning }) => [legId, meaning]))
  for (const { legId, recallId } of orders) {
    const meaning = meanings.get(legId)
    if (!meaning || recallId === null) continue
    await inTransaction(deps, async (tx) => {
      const file = await lockFileById(tx, recallId)
      const isEnded = file?.status === 'TRANSMITTED' && isFinal(meaning)
      if (file && (kind === 'recall' || isEnded)) await acceptOutgoingFile(tx, file)
    })
  }
}

/** Opens a case for each answer that could not be used, holds its payment if it is known, and keeps the bytes of the file. */
async function recordTroubles(
  tx: TxDeps,
  handlers: LegHandlers,
  { file: { connectionId, name, contentHash, bytes }, troubles }: { file: ReportFile; troubles: readonly Trouble[] },
): Promise<void> {
  const id = inboundIdOf(connectionId, contentHash)
  await lockLegs(
    tx,
    handlers,
    troubles.flatMap(({ leg }) => leg ?? []),
  )
  const used = new Set<string>()
  for (const { kind, place, message, leg, isOfLost } of troubles) {
    let line = Number(/^line (\d+)/.exec(place)?.[1] ?? 0)
    while (used.has(`${kind} ${line}`)) line++ // several answers can be on one line
    used.add(`${kind} ${line}`)
    const note = `An answer of the bank to an order could not be used: ${message}.`
    if (isOfLost && (await wasAsked(tx, { connectionId, id }, { kind, note }))) continue
    await recordHoldingCase(tx, {
      ...{ kind, connectionId, source: 'order', file: { id, name }, line, isBankWide: false, leg, note },
      cents: leg?.cents ?? null,
      content: { lines: [], problems: [`${place}: ${message}`] },
    })
  }
  if (bytes) await keepInboundFile(tx, { id, connectionId, name, source: 'order', bytes })
}
