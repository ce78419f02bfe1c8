import { type ChainReport, verifyChains } from '../../foundation/audit/audit-chain-actions.ts'
import { formatHead, type LoggedHead, parseHead } from '../../foundation/audit/audit-chain-rules.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import type { CommandFlags } from './command-flags.ts'
import { findPlatform, onEachDatabase, type Report } from './on-database.ts'

const MAX_WAITING_SHOWN = 20

/** Runs `remit verify-audit` in all environments, unless an option or the given head selects one. @throws StartProblem */
export async function runVerifyAudit(flags: CommandFlags): Promise<number> {
  const isOfOne = flags.environment !== undefined || flags.owner !== undefined || flags.head !== undefined
  return onEachDatabase(flags, auditCommand(flags), { isOfOne })
}

/** Checks the command line before it opens a database. @throws StartProblem */
export function auditCommand({ owner, head = [], all = false }: CommandFlags) {
  const heads = head.map(requireHead)
  return async (deps: Deps): Promise<Report> => {
    const platformId = owner === undefined ? null : await inTransaction(deps, (tx) => findPlatform(tx, owner))
    return reportChains(deps, { platformId, heads, showsHead: all || platformId !== null })
  }
}

/** Verifies the chains of all platforms, or of one. */
export async function reportChains(
  deps: Pick<Deps, 'sql' | 'keyRing'>,
  { platformId, heads, showsHead }: { platformId: string | null; heads: readonly LoggedHead[]; showsHead: boolean },
): Promise<Report> {
  const lines: string[] = []
  const count = { platforms: 0, entries: 0, broken: 0 }
  await verifyChains(deps, { platformId, heads }, (report) => {
    count.platforms++
    count.entries += report.head.sequence
    if (report.break) count.broken++
    lines.push(...linesOf(report, { showsHead }))
  })
  const verdict = count.broken === 0 ? 'ok   ' : 'WRONG'
  const summary = `${verdict} chains: ${count.platforms}, sealed entries: ${count.entries}`
  return { lines: [summary, ...lines], isClean: count.broken === 0 }
}

function requireHead(text: string): LoggedHead {
  const head = parseHead(text)
  if (!head)
    throw new StartProblem('--head must be PLATFORM:SEQUENCE:DIGEST. Copy it from the log or from remit verify-audit.')
  return head
}

function linesOf(
  { platformId, head, break: found, waiting }: ChainReport,
  { showsHead }: { showsHead: boolean },
): string[] {
  const lines: string[] = []
  if (showsHead && head.sequence > 0) lines.push(`head  ${formatHead(platformId, head)}`)
  if (found) {
    const entry = found.entryId === null ? 'an entry' : `entry ${found.entryId}`
    const place = found.sequence === null ? 'without a seal' : `number ${found.sequence}`
    lines.push(`WRONG platform ${platformId}, ${entry} (${place}): ${found.problem}`)
  }
  const shown = waiting.slice(0, MAX_WAITING_SHOWN)
  lines.push(
    ...shown.map(({ entryId, action }) => `not sealed yet: platform ${platformId}, entry ${entryId} (${action})`),
  )
  if (waiting.length > shown.length) lines.push(`… and ${waiting.length - shown.length} more of platform ${platformId}`)
  return lines
}
