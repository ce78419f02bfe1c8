import { formatAmount } from '../../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import type { CaseContent } from '../../../foundation/exception/bank-case-rules.ts'
import { maskedLine } from '../../../foundation/exception/bank-case-view-rules.ts'
import { isId } from '../../../foundation/lib/ids.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { plainText } from '../../../foundation/lib/text/plain-text.ts'
import { listFilesOfLines, listLinesOfLost } from './file-part-store.ts'
import { type Advice, adviceFor, amountsNear, type LineFacts } from './proposal-rules.ts'
import { listCandidateLegs, listContradictedLegs, listDifferingReturns, listTwins } from './proposal-store.ts'
import {
  type DecisionRow,
  findLine,
  type LineRow,
  type LineScope,
  listDecided,
  listDecisions,
  listPostings,
  listWaiting,
} from './reconcile-store.ts'

const MAX_LISTED = 1_000
const MAX_CANDIDATES = 2_000

type SealedContent = { name: string | null; text: string; references: Record<string, string> }

/** A line without its sealed content. Long numbers in its texts are masked. */
export type LineView = Omit<LineRow, 'contentSealed'> & { name: string | null; text: string; references: string[] }

export type AdvisedLine = LineView & Advice

/**
 * Lists the lines that wait for a decision, of all accounts or of a scope, oldest first, each with proposals. At most 1,000. `hasMore`:
 * whether other lines wait too.
 */
export async function getWaitingLines(
  deps: Pick<TxDeps, 'sql' | 'keyRing'>,
  { scope = null, limit = MAX_LISTED }: { scope?: LineScope | null; limit?: number } = {},
): Promise<{ lines: AdvisedLine[]; hasMore: boolean }> {
  const lines = await listWaiting(deps.sql, scope, limit + 1)
  return { lines: await advise(deps, lines.slice(0, limit)), hasMore: lines.length > limit }
}

/** Lists the lines with the latest decisions, with their decisions. */
export async function getDecidedLines(
  deps: Pick<TxDeps, 'sql' | 'keyRing'>,
): Promise<(LineView & { decision: DecisionRow })[]> {
  const rows = await listDecided(deps.sql, MAX_LISTED)
  return rows.map(({ action, detail, why, decidedAt, decidedBy, ...line }) => ({
    ...viewOf(deps, line),
    decision: { action, detail, why, decidedAt, decidedBy },
  }))
}

/** Returns the lines that contain all words of a search in their texts, account, kind, code, day or amount. */
export function searchLines<Line extends LineView>(lines: readonly Line[], search: string): Line[] {
  const words = search.toLowerCase().split(/\s+/)
  return lines.filter((line) => {
    const { id, connectionId, accountId, kind, code, name, text, references, bookedOn, cents } = line
    const amount = formatAmount(Math.abs(cents))
    const texts = [id, `${connectionId}:${accountId}`, kind, code, name, text, ...references, bookedOn]
    const all = [...texts, amount, amount.replaceAll(',', '')].join(' ').toLowerCase()
    return words.every((word) => all.includes(word.replace(/^\$/, '')))
  })
}

/** Returns a line with its current bookings, the decisions about it, and proposals. @throws StartProblem */
export async function getLine(deps: Pick<TxDeps, 'sql' | 'keyRing'>, id: string) {
  const line = isId(id) ? await findLine(deps.sql, id) : null
  if (!line) throw new StartProblem('No placed statement has a line with this id. See "remit reconcile list".')
  const [advised] = line.status === 'SUSPENSE' ? await advise(deps, [line]) : []
  return {
    ...viewOf(deps, line),
    finding: advised?.finding ?? null,
    proposals: advised?.proposals ?? [],
    postings: await listPostings(deps.sql, [id]),
    decisions: await listDecisions(deps.sql, id),
  }
}

async function advise(deps: Pick<TxDeps, 'sql' | 'keyRing'>, lines: readonly LineRow[]): Promise<AdvisedLine[]> {
  if (lines.length === 0) return []
  const lineIds = lines.map(({ id }) => id)
  const contradicted = await listContradictedLegs(deps.sql, lineIds)
  const returns = await listDifferingReturns(deps.sql, lineIds)
  const creditOf = new Map(returns.map(({ lineId, contentSealed }) => [lineId, creditIn(deps, contentSealed)]))
  const legIdOf = new Map(contradicted.map(({ lineId, legId }) => [lineId, legId]))
  // One of its payments cannot explain the amount of such a line.
  const isOfSeveral = new Set(contradicted.filter(({ detailCount }) => detailCount > 1).map(({ lineId }) => lineId))
  const amounts = [...new Set(lines.flatMap(amountsNear))]
  const ids = contradicted.map(({ legId }) => legId)
  const files = await listFilesOfLines(deps.sql, lineIds)
  const linesOfLost = new Set(await listLinesOfLost(deps.sql, lineIds))
  const legsOf = new Map<string, Awaited<ReturnType<typeof listCandidateLegs>>>()
  for (const connectionId of new Set(lines.map((line) => line.connectionId)))
    legsOf.set(connectionId, await listCandidateLegs(deps.sql, { connectionId, amounts, ids }, MAX_CANDIDATES))
  const days = lines.map(({ bookedOn, day }) => bookedOn ?? day).toSorted()
  const range = { from: days[0] as string, to: days.at(-1) as string }
  const twins = await listTwins(deps.sql, { amounts: lines.map(({ cents }) => cents), ...range }, MAX_CANDIDATES)
  return lines.map((line) => {
    const legs = isOfSeveral.has(line.id) ? [] : (legsOf.get(line.connectionId) ?? [])
    const advice = adviceFor(line, {
      legs,
      twins,
      contradictedLegId: legIdOf.get(line.id) ?? null,
      credit: creditOf.get(line.id) ?? null,
      files: files.filter(({ lineId }) => lineId === line.id),
      isOfLost: linesOfLost.has(line.id),
    })
    return { ...viewOf(deps, line), ...advice }
  })
}

/** The credit of a case about a return with another amount. */
function creditIn({ keyRing }: Pick<TxDeps, 'keyRing'>, sealed: Buffer): LineFacts['credit'] {
  const { data } = JSON.parse(keyRing.openText(sealed, 'bank case')) as CaseContent
  return (data as LineFacts['credit'] | undefined) ?? null
}

function viewOf({ keyRing }: Pick<Deps, 'keyRing'>, { contentSealed, ...line }: LineRow): LineView {
  const { name, text, references } = JSON.parse(keyRing.openText(contentSealed, 'statement line')) as SealedContent
  const masked = (one: string) => maskedLine(plainText(one))
  return {
    ...line,
    code: plainText(line.code),
    name: name && masked(name),
    text: masked(text),
    references: Object.entries(references).map(([kind, one]) => `${kind} ${masked(one)}`),
  }
}
