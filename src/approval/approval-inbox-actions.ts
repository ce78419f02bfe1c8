import { ApiError } from '../core/errors.ts'
import { formatDollars } from '../core/money.ts'
import type { Deps } from '../db/deps.ts'
import { type Caller, memberOf } from '../http/caller.ts'
import { countNeeded, orderOf } from './approval-actions.ts'
import type { PolicyRule } from './approval-policy-rules.ts'
import { findPolicy, listPeople, type PolicyRow } from './approval-policy-store.ts'
import { type ApprovalRow, countOpenApprovals, type InboxRow, listInbox, listVoters } from './approval-store.ts'

/** A payment that waits, as its page shows it. `reasons`: why it needs approvals, in words. */
export type InboxItem = {
  row: InboxRow
  preparedBy: string
  needed: number
  reasons: string[]
  approvedBy: string[]
  /** `none`: the caller prepared or edited it, or has approved it already. */
  next: 'release' | 'approve' | 'none'
}

const SHOWN = 100

/** The payments of the owner that wait, the oldest first: at most 100. */
export async function getInbox(deps: Deps, caller: Caller): Promise<InboxItem[]> {
  const { platformId } = caller
  const [policy, people] = [await findPolicy(deps.sql, platformId), await listPeople(deps.sql, platformId)]
  const nameOf = (person: string) => people.find(({ loginId }) => loginId === person)?.name ?? 'API key'
  const items: InboxItem[] = []
  for (const row of await listInbox(deps.sql, platformId, SHOWN)) {
    const needed = await neededFor(deps, row)
    const voters = await listVoters(deps.sql, row)
    items.push({
      row,
      preparedBy: nameOf(row.preparedBy),
      needed,
      reasons: needed === 0 ? [] : reasonsOf(policy, row, needed),
      approvedBy: voters.map(nameOf),
      next: nextFor(memberOf(caller), row, { needed, voters }),
    })
  }
  return items
}

/** At most 100, for the menu. */
export const countInbox = (deps: Deps, { platformId }: Caller): Promise<number> =>
  countOpenApprovals(deps.sql, platformId, SHOWN)

/** An order that could not be prepared any more needs what the release then says. */
async function neededFor(deps: Deps, row: InboxRow): Promise<number> {
  try {
    const { platformId, userId, source } = row
    return await countNeeded(deps, { platformId, userId, grantId: null, source: source ?? 'API' }, orderOf(deps, row))
  } catch (error) {
    if (error instanceof ApiError) return 0
    throw error
  }
}

function nextFor(
  person: string | null,
  { preparedBy, editors }: ApprovalRow,
  { needed, voters }: { needed: number; voters: string[] },
): InboxItem['next'] {
  if (needed === 0) return 'release'
  if (person === null || [preparedBy, ...editors].includes(person)) return 'none'
  const others = voters.filter((voter) => voter !== person).length
  if (others + 1 >= needed) return 'release'
  return voters.includes(person) ? 'none' : 'approve'
}

const SOURCE_WORDS = {
  WEB: 'Made in the dashboard',
  API: 'Made with an API key',
  APPLICATION: 'Made by an application',
  RECURRING: 'Recurring payment',
  BATCH: 'Batch',
} as const

/** What the rules that decide say of a payment. */
function reasonsOf({ dualControl, rules }: PolicyRow, row: InboxRow, needed: number): string[] {
  const source = row.source ?? 'API'
  const deciding = rules.filter(
    (rule) =>
      rule.approvals === needed && row.amountCents >= rule.minCents && (rule.source === null || rule.source === source),
  )
  const reasons = deciding.map(ruleWords)
  if (dualControl && needed === 1) reasons.unshift('Every payment needs an approval')
  return reasons.length > 0 ? [...new Set(reasons)] : [SOURCE_WORDS[source]]
}

function ruleWords({ minCents, isNewPayee, rail, source }: PolicyRule): string {
  const words = [
    minCents > 0 && `${formatDollars(minCents)} or more`,
    isNewPayee && 'New payee or account',
    rail && `Can be paid by ${rail}`,
    source && SOURCE_WORDS[source],
  ].filter((word) => word)
  return words.join(', ') || 'Every payment needs an approval'
}
