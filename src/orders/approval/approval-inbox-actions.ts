import { ApiError } from '../../foundation/core/errors.ts'
import { formatDollars } from '../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Page } from '../../foundation/db/list-page.ts'
import type { Paging } from '../../foundation/db/paging.ts'
import { type Caller, memberOf } from '../../foundation/http/caller.ts'
import { getBanks } from '../../money/bank/bank-actions.ts'
import { findPayableAccount } from '../../money/directory/directory-actions.ts'
import { countNeeded, orderOf } from './approval-actions.ts'
import { countOpenApprovals, type EndedRow, type InboxRow, listEnded, listInbox } from './approval-inbox-store.ts'
import { maxApprovals, type PolicyRule } from './approval-policy-rules.ts'
import { findPolicy, listPeople, type PolicyRow } from './approval-policy-store.ts'
import { type ApprovalRow, listVotes } from './approval-store.ts'
import { countNeededOfBatch } from './batch/batch-order-actions.ts'

/** A payment that waits for approval, for its page. `reasons` explains in words why it needs approvals. */
export type InboxItem = {
  row: InboxRow
  /** The account that receives the money. Null: the payee chooses one. */
  paysInto: string | null
  preparedBy: string
  needed: number
  reasons: string[]
  approvedBy: string[]
  /** Whether earlier approvals no longer count, because a payee has changed. */
  isPayeeChanged: boolean
  /** The next action of the caller. `none`: the caller prepared, edited or already approved it. */
  next: 'release' | 'approve' | 'none'
}

const SHOWN = 100

/**
 * The number of payments whose needed approvals are counted exactly, at about a millisecond each. The others show the number of the
 * strictest rule.
 */
const COUNTED_PAYMENTS = 2_000

/** Lists the owner's payments that wait for approval, the oldest first, at most 100. */
export async function getInbox(deps: Deps, caller: Caller): Promise<InboxItem[]> {
  const { platformId } = caller
  const { policy, nameOf } = await readPolicy(deps, platformId)
  const items: InboxItem[] = []
  let payments = 0
  for (const row of await listInbox(deps.sql, platformId, SHOWN)) {
    const needed = payments < COUNTED_PAYMENTS ? await neededUnder(deps, policy, row) : maxApprovals(policy)
    payments += row.details.rows ?? 1
    items.push({
      row,
      paysInto: await accountWords(deps, row),
      preparedBy: nameOf(row.preparedBy),
      ...(await waitingFor(deps, caller, { row, policy, nameOf, needed })),
    })
  }
  return items
}

async function readPolicy({ sql }: Pick<TxDeps, 'sql'>, platformId: string) {
  const policy = await findPolicy(sql, platformId)
  const people = await listPeople(sql, platformId)
  return { policy, nameOf: (person: string) => people.find(({ loginId }) => loginId === person)?.name ?? 'API key' }
}

const UUID = /^[0-9a-f]{32}$/

/** Describes the account of a payee to the person who approves. */
async function accountWords(deps: Deps, { platformId, userId, payeeId, details }: ApprovalRow): Promise<string | null> {
  const { recipient } = details
  if (typeof recipient !== 'object' || !('account' in recipient)) return null
  const { id: entryId, account: id } = recipient
  const saved = UUID.test(entryId) ? await findPayableAccount(deps, { platformId, userId, entryId, id }) : null
  if (saved?.kind === 'card') return `card ending in ${saved.number.slice(-4)}`
  if (saved) return `account ending in ${saved.account.slice(-4)}`
  const banks = payeeId === null ? [] : await getBanks(deps, { platformId, userId: payeeId })
  const bank = banks.find((each) => each.id === id)
  return bank ? `account ending in ${bank.accountLast4}` : 'an account of the payee'
}

/** The approvals that an open approval still needs, and the reasons. */
export type Waiting = Pick<InboxItem, 'needed' | 'reasons' | 'approvedBy' | 'isPayeeChanged' | 'next'>

type Seen = { row: ApprovalRow; nameOf: (person: string) => string }

async function waitingFor(
  deps: Deps | TxDeps,
  caller: Caller,
  { row, policy, nameOf, needed }: Seen & { policy: PolicyRow; needed: number },
): Promise<Waiting> {
  const votes = await listVotes(deps.sql, row)
  const voters = votes.filter(({ isOutdated }) => !isOutdated).map(({ person }) => person)
  return {
    needed,
    reasons: needed === 0 ? [] : reasonsOf(policy, row, needed),
    approvedBy: voters.map(nameOf),
    isPayeeChanged: voters.length < votes.length,
    next: nextFor(memberOf(caller), row, { needed, voters }),
  }
}

/** Counts the approvals that the policy requires. Only payments of the owner are subject to the policy. */
const neededUnder = async (
  deps: Deps | TxDeps,
  { dualControl, rules }: PolicyRow,
  row: ApprovalRow,
): Promise<number> => (dualControl || rules.length > 0 || row.userId !== row.platformId ? neededFor(deps, row) : 0)

/** Returns the approvals that one open approval still needs. */
export async function getWaiting(deps: Deps | TxDeps, caller: Caller, row: ApprovalRow): Promise<Waiting> {
  const { policy, nameOf } = await readPolicy(deps, row.platformId)
  const needed = await neededUnder(deps, policy, row)
  return waitingFor(deps, caller, { row, policy, nameOf, needed })
}

/** Counts the payments that wait for approval, at most 100, for the menu. */
export const countInbox = (deps: Deps, { platformId }: Caller): Promise<number> =>
  countOpenApprovals(deps.sql, platformId, SHOWN)

/** Lists the owner's approvals that have ended. */
export const getEnded = (deps: Deps, { platformId }: Caller, paging: Paging): Promise<Page<EndedRow>> =>
  listEnded(deps.sql, platformId, paging)

/** Counts needed approvals. Returns 0 for an order that the release would refuse, because the release reports the reason. */
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

const EVERY = 'Every payment needs an approval'

/** Names the rules that require approvals for a payment. For users other than the owner, only dual control counts. */
function reasonsOf({ dualControl, rules }: PolicyRow, row: ApprovalRow, needed: number): string[] {
  const source = row.source ?? 'API'
  const sources = row.kind === 'BATCH' ? ['BATCH', source] : [source]
  const deciding = rules.filter(
    (rule) =>
      rule.approvals === needed &&
      row.amountCents >= rule.minCents &&
      (rule.source === null || sources.includes(rule.source)),
  )
  const reasons = row.userId === row.platformId ? deciding.map(ruleWords) : [EVERY]
  if (dualControl && needed === 1) reasons.unshift(EVERY)
  return reasons.length > 0 ? [...new Set(reasons)] : [SOURCE_WORDS[source]]
}

function ruleWords({ minCents, isNewPayee, rail, source }: PolicyRule): string {
  const words = [
    minCents > 0 && `${formatDollars(minCents)} or more`,
    isNewPayee && 'New payee or account',
    rail && `Can be paid by ${rail}`,
    source && SOURCE_WORDS[source],
  ].filter((word) => word)
  return words.join(', ') || EVERY
}
