import type { SentMessage, SentOrder } from '../message/message-types.ts'
import type { ReportedStatus, ReportKind, ReportProblem, ReportReason, WholeReport } from './report-types.ts'
import { isFinal, meaningOf, type StatusMeaning } from './status-code-rules.ts'

/** The information of a report about one leg. */
export type LegOutcome = {
  legId: string
  meaning: StatusMeaning
  code: string
  reasons: readonly ReportReason[]
  bankReference: string | null
  /** The place in the file of the status that was used. */
  place: string
}

/** Returns the ids of our messages that a report concerns. The caller finds these messages before the report is judged. */
export const messageIdsOf = ({ caseId, statuses }: WholeReport): string[] => [
  ...new Set([caseId, ...statuses.map(({ messageId }) => messageId)].filter((id) => id !== null)),
]

/**
 * Compares a report with what was sent. Each leg gets the most specific status: its own, or else that of its payment, or else that of the
 * message. A status that contradicts another one, or the sent order, gives no outcome and a problem. A report whose end is missing gives no
 * outcome at all, because a later status could have been an exception to an earlier one.
 *
 * @param sent those of the messages in `messageIdsOf` that are ours
 */
export function judgeReport(
  report: WholeReport,
  sent: readonly SentMessage[],
): { outcomes: LegOutcome[]; problems: ReportProblem[] } {
  const judgement = new Judgement(report)
  const statuses = report.statuses.filter(isTelling)
  if (!report.isComplete) judgement.refuse(report, 'the end of the report is missing, so nothing of it is used')
  else if (report.conclusion !== null && meaningOf(report.kind, report.conclusion) === null)
    judgement.refuse(report, 'the result of the request is not one of a cancellation')
  else if (statuses.length === 0) judgeConclusion(judgement, report, sent)
  else {
    const messageOf = ({ messageId }: ReportedStatus) =>
      sent.find((one) => one.messageId === messageId) ?? sent.find((one) => one.messageId === report.caseId)
    for (const [message, ofMessage] of Map.groupBy(statuses, messageOf)) {
      if (message) judgeMessage(judgement, message, ofMessage)
      else for (const status of ofMessage) judgement.refuse(status, 'the report is about a message that was not sent')
    }
  }
  return { outcomes: judgement.outcomes, problems: judgement.problems }
}

/** Returns whether a status says anything. Some banks list the amounts and names of a payment's orders, without their ids and statuses. */
const isTelling = ({ level, code, endToEndId, instructionId, uetr, reasons }: ReportedStatus): boolean =>
  level !== 'transaction' || code !== null || reasons.length > 0 || (endToEndId ?? instructionId ?? uetr) !== null

/** A status whose code is known. */
type Found = { status: ReportedStatus; meaning: StatusMeaning }

/** The outcomes and problems that were found so far. */
class Judgement {
  readonly kind: ReportKind
  /** The overall result of a camt.029. */
  readonly conclusion: string | null
  readonly outcomes: LegOutcome[] = []
  readonly problems: ReportProblem[] = []

  constructor({ kind, conclusion }: WholeReport) {
    this.kind = kind
    this.conclusion = conclusion
  }

  refuse({ place }: { place: string }, message: string): void {
    this.problems.push({ scope: 'status', place, message })
  }

  take(legId: string, { status, meaning }: Found, reasons: readonly ReportReason[]): void {
    const { code, bankReference, place } = status
    this.outcomes.push({ legId, meaning, code: code ?? '', reasons, bankReference, place })
  }
}

/** Applies a camt.029 without details, which answers the request as a whole. */
function judgeConclusion(judgement: Judgement, report: WholeReport, sent: readonly SentMessage[]): void {
  const { kind, caseId, conclusion, place } = report
  const meaning = conclusion === null ? null : meaningOf(kind, conclusion)
  const request = sent.find(({ messageId }) => messageId === caseId)
  if (!request || conclusion === null || meaning === null || meaning === 'mixed') {
    judgement.refuse(report, 'the report does not say which orders it is about')
    return
  }
  for (const { legId } of request.payments.flatMap(({ orders }) => orders))
    judgement.outcomes.push({ legId, meaning, code: conclusion, reasons: [], bankReference: null, place })
}

/** Applies the statuses of one message: those of the message, of its payments and of its orders. */
function judgeMessage(judgement: Judgement, message: SentMessage, statuses: readonly ReportedStatus[]): void {
  const at = (level: ReportedStatus['level']) => statuses.filter((status) => status.level === level)
  const count = message.payments.reduce((sum, { orders }) => sum + orders.length, 0)
  const group = judgeLevel(judgement, at('group'), { count, above: null })
  const statusesOf = Map.groupBy(at('payment'), ({ paymentId }) => paymentId)
  const payments = new Map(
    message.payments.map(({ paymentId, orders }): [string, Level] => {
      const own = statusesOf.get(paymentId) ?? []
      return [paymentId, judgeLevel(judgement, own, { count: orders.length, above: group })]
    }),
  )
  for (const status of at('payment'))
    if (!payments.has(status.paymentId ?? '')) judgement.refuse(status, 'the payment is not one of the message')
  const { byLeg, refused, isAnyUnknown } = findOrders(judgement, message, at('transaction'))
  const overcounted = overcountedCodes(judgement, statuses)
  for (const { paymentId, orders } of message.payments) {
    const ofPayment = payments.get(paymentId) as Level
    const level = { ...ofPayment, isDoubtful: ofPayment.isDoubtful || isAnyUnknown }
    for (const { legId } of orders)
      if (!refused.has(legId)) judgeLeg(judgement, { legId, own: byLeg.get(legId) ?? [], level, overcounted })
  }
}

/**
 * The status of a payment, or of its message, with the reasons of both. `isDoubtful`: the report contradicts itself, so no order gets this
 * status.
 */
type Level = { found: Found | null; isDoubtful: boolean; reasons: readonly ReportReason[] }

function judgeLevel(
  judgement: Judgement,
  statuses: readonly ReportedStatus[],
  { count, above }: { count: number; above: Level | null },
): Level {
  let { found, isDoubtful, reasons } = above ?? { found: null, isDoubtful: false, reasons: [] }
  for (const status of statuses) {
    const problem = levelProblem(judgement, status, { count, above: found })
    if (problem !== null) judgement.refuse(status, problem)
    isDoubtful ||= problem !== null
    found = foundOf(judgement, status) ?? found
    reasons = [...status.reasons, ...reasons]
  }
  return { found, isDoubtful, reasons }
}

function levelProblem(
  judgement: Judgement,
  status: ReportedStatus,
  { count, above }: { count: number; above: Found | null },
): string | null {
  const found = foundOf(judgement, status)
  if (status.code !== null && !found) return UNKNOWN_CODE
  if (status.orderCount !== null && status.orderCount !== count)
    return 'the number of orders is not the one that was sent'
  return found && above && contradicts(above, found) ? CONTRADICTION : null
}

const UNKNOWN_CODE = 'the code of the status is unknown'
const CONTRADICTION = 'the report contradicts itself'

function foundOf({ kind }: Judgement, status: ReportedStatus): Found | null {
  const meaning = status.code === null ? null : meaningOf(kind, status.code)
  return meaning === null ? null : { status, meaning }
}

/** Returns whether two statuses of an order, its payment or its message contradict each other. */
const contradicts = (upper: Found, lower: Found): boolean =>
  (isFinal(upper.meaning) || upper.status.level === lower.status.level) && upper.meaning !== lower.meaning

/**
 * Finds the leg for each status of an order. A status that matches no order, or differs from the sent order, is a problem. `isAnyUnknown`:
 * a status matches no order. It could concern any order, so no order then gets the status of its payment or message.
 */
function findOrders(
  judgement: Judgement,
  { payments }: SentMessage,
  statuses: readonly ReportedStatus[],
): { byLeg: ReadonlyMap<string, readonly ReportedStatus[]>; refused: ReadonlySet<string>; isAnyUnknown: boolean } {
  const sent = payments.flatMap(({ paymentId, orders }) => orders.map((order) => ({ order, paymentId })))
  const legs = new Map(sent.map((one) => [one.order.legId, one]))
  const byLeg = new Map<string, ReportedStatus[]>()
  const refused = new Set<string>()
  let isAnyUnknown = false
  for (const status of statuses) {
    const ids = idsOf(status)
    const uetr = status.uetr?.toLowerCase()
    const leg =
      ids.length > 0
        ? ids.map((id) => legs.get(id)).find((one) => one !== undefined)
        : sent.find(({ order }) => order.uetr !== null && order.uetr === uetr)
    const legId = leg?.order.legId ?? ''
    const problem = leg ? differenceOf(status, leg) : 'the order is not in the message'
    if (problem === null) byLeg.set(legId, [...(byLeg.get(legId) ?? []), status])
    else judgement.refuse(status, problem)
    if (problem !== null && leg) refused.add(legId)
    isAnyUnknown ||= !leg
  }
  return { byLeg, refused, isAnyUnknown }
}

/** Returns the ids of an order that a status gives. */
const idsOf = ({ endToEndId, instructionId }: ReportedStatus): string[] =>
  [endToEndId, instructionId].filter((id) => id !== null).filter((id) => id !== 'NOTPROVIDED')

/** Describes how a status differs from the order that it names, or returns null. */
function differenceOf(
  status: ReportedStatus,
  { order, paymentId }: { order: SentOrder; paymentId: string },
): string | null {
  const { amount, uetr } = status
  if (idsOf(status).some((id) => id !== order.legId)) return 'the ids of the order contradict each other'
  if (status.paymentId !== null && status.paymentId !== paymentId) return 'the order was sent in another payment'
  if (uetr !== null && order.uetr !== null && uetr.toLowerCase() !== order.uetr) return 'the UETR is another one'
  if (amount && (amount.cents !== order.cents || amount.currency !== order.currency)) return 'the amount is different'
  return null
}

/**
 * Returns the codes for which a report lists more orders than the bank counts, because one of these codes may be damaged. Fewer orders than
 * counted are normal: banks leave out orders that are neither paid nor rejected.
 */
function overcountedCodes(judgement: Judgement, statuses: readonly ReportedStatus[]): ReadonlySet<string> {
  const overcounted = new Set<string>()
  const orders = statuses.filter(({ level }) => level === 'transaction')
  const ordersOf = Map.groupBy(orders, ({ paymentId }) => paymentId)
  for (const status of statuses) {
    if (status.counts.length === 0) continue
    const inside = status.level === 'group' ? orders : (ordersOf.get(status.paymentId) ?? [])
    const codes = new Set([...inside, ...status.counts].map(({ code }) => code).filter((code) => code !== null))
    for (const code of inside.length === 0 ? [] : codes) {
      const listed = inside.filter((one) => one.code === code).length
      const counted = status.counts.reduce((sum, one) => sum + (one.code === code ? one.count : 0), 0)
      const meaning = meaningOf(judgement.kind, code)
      const isLeftOut = listed === 0 && meaning !== null && !isFinal(meaning)
      if (listed > counted) overcounted.add(code)
      if (listed !== counted && !isLeftOut)
        judgement.refuse(status, 'the bank counts more or fewer orders of a status than it lists')
    }
  }
  return overcounted
}

function judgeLeg(
  judgement: Judgement,
  {
    legId,
    own,
    level,
    overcounted,
  }: { legId: string; own: readonly ReportedStatus[]; level: Level; overcounted: ReadonlySet<string> },
): void {
  const unknown = own.filter((status) => status.code !== null && !foundOf(judgement, status))
  for (const status of unknown) judgement.refuse(status, UNKNOWN_CODE)
  const [decisive, ...others] = own.map((status) => foundOf(judgement, status)).filter((found) => found !== null)
  if (unknown.length > 0 || overcounted.has(decisive?.status.code ?? '')) return
  if (!decisive) {
    inherit(judgement, { legId, own, level })
    return
  }
  const above = [...others, ...(level.found ? [level.found] : [])]
  const isContradicted = decisive.meaning === 'mixed' || above.some((one) => contradicts(one, decisive))
  if (isContradicted) judgement.refuse(decisive.status, CONTRADICTION)
  else judgement.take(legId, decisive, [...decisive.status.reasons, ...reasonsAbove(level, decisive)])
}

/**
 * Returns the reasons that the bank gives for a whole message or payment, such as that it is a duplicate. They apply to an order if its
 * status means the same, or if the message or payment has no status.
 */
const reasonsAbove = ({ found, reasons }: Level, { meaning }: Found): readonly ReportReason[] =>
  found === null || found.meaning === meaning ? reasons : []

/**
 * Gives an order without its own status the status of its payment or message, unless that status is mixed. In a camt.029, an order that is
 * named without a status gets the overall result.
 */
function inherit(
  judgement: Judgement,
  { legId, own, level }: { legId: string; own: readonly ReportedStatus[]; level: Level },
): void {
  const { found, isDoubtful, reasons } = level
  if (isDoubtful) return
  const [named] = own
  const code = judgement.conclusion
  const meaning = code === null ? null : meaningOf(judgement.kind, code)
  if (found && found.meaning !== 'mixed') judgement.take(legId, found, reasons)
  else if (!found && named && meaning !== null && meaning !== 'mixed')
    judgement.take(legId, { status: { ...named, code }, meaning }, [...named.reasons, ...reasons])
  else for (const status of own) judgement.refuse(status, 'the order has no status')
}
