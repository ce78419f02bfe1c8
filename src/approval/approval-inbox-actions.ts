import { ApiError } from '../core/errors.ts'
import { formatDollars } from '../core/money.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { type Caller, memberOf } from '../http/caller.ts'
import { countNeeded, orderOf } from './approval-actions.ts'
import type { PolicyRule } from './approval-policy-rules.ts'
import { findPolicy, listPeople, type PolicyRow } from './approval-policy-store.ts'
import { type ApprovalRow, countOpenApprovals, type InboxRow, listInbox, listVoters } from './approval-store.ts'
import { countNeededOfBatch } from './batch/batch-order-actions.ts'

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
    items.push({
      row,
      preparedBy: nameOf(row.preparedBy),
      ...(await waitingFor(deps, caller, { row, policy, nameOf })),
    })
  }
  return items
}

/** What an open approval waits for. */
export type Waiting = Pick<InboxItem, 'needed' | 'reasons' | 'approvedBy' | 'next'>

async function waitingFor(
  deps: Deps | TxDeps,
  caller: Caller,
  { row, policy, nameOf }: { row: ApprovalRow; policy: PolicyRow; nameOf: (person: string) => string },
): Promise<Waiting> {
  const needed = hasRules(policy) || row.userId !== row.platformId ? await neededFor(deps, row) : 0
  const voters = await listVoters(deps.sql, row)
  return {
    needed,
    reasons: needed === 0 ? [] : reasonsOf(policy, row, needed),
    approvedBy: voters.map(nameOf),
    next: nextFor(memberOf(caller), row, { needed, voters }),
  }
}

const hasRules = ({ dualControl, rules }: PolicyRow): boolean => dualControl || rules.length > 0

/** What one open approval waits for. */
export async function getWaiting(deps: Deps | TxDeps, caller: Caller, row: ApprovalRow): Promise<Waiting> {
  const [policy, people] = [await findPolicy(deps.sql, row.platformId), await listPeople(deps.sql, row.platformId)]
  const nameOf = (person: string) => people.find(({ loginId }) => loginId === person)?.name ?? 'API key'
  return waitingFor(deps, caller, { row, policy, nameOf })
}

/** At most 100, for the menu. */
export const countInbox = (deps: Deps, { platformId }: Caller): Promise<number> =>
  countOpenApprovals(deps.sql, platformId, SHOWN)

/** An order that could not be prepared any more needs what the release then says. */
async function neededFor(deps: Deps | TxDeps, row: ApprovalRow): Promise<number> {
  try {
    const { platformId, userId, source } = row
    const sender = { platformId, userId, grantId: null, source: source ?? 'API' } as const
    return row.kind === 'BATCH'
      ? await countNeededOfBatch(deps, sender, row)
      : await countNeeded(deps, sender, orderOf(deps, row))
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
function reasonsOf({ dualControl, rules }: PolicyRow, row: ApprovalRow, needed: number): string[] {
  const source = row.source ?? 'API'
  const sources = row.kind === 'BATCH' ? ['BATCH', source] : [source]
  const deciding = rules.filter(
    (rule) =>
      rule.approvals === needed &&
      row.amountCents >= rule.minCents &&
      (rule.source === null || sources.includes(rule.source)),
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
