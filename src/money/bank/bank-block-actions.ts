import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { recordException } from '../../foundation/exception/exception-actions.ts'
import { lockUser } from '../../people/user/user-lock-actions.ts'
import type { LegRow } from '../rail/leg-store.ts'
import { isReturnOfMagicAccount } from '../rail/magic-rules.ts'
import { accountConsequence, blockedEntries, type ReturnCode, returnCodes } from '../rail/return-code-rules.ts'
import { listCorrectionsOnPlatform } from './account-correction-store.ts'
import { accountDigestOf } from './bank-account-actions.ts'
import { bankBlocked } from './bank-block-rules.ts'
import {
  type AccountBlockRow,
  type EntryAccountQuery,
  findBlockOfAccount,
  findEntryAccount,
  findReturnedAccount,
  listBanksOfAccounts,
  type ReturnedAccount,
  upsertAccountBlock,
  WHOLE_PLATFORM,
} from './bank-block-store.ts'
import { applyBankEvent } from './bank-change-actions.ts'
import type { BankKey, BankRow } from './bank-store.ts'

/** Returns the return code that blocks entries to a bank's account, or null. The bank may be deleted. */
export const findBankBlockCode = async (
  deps: Pick<TxDeps, 'sql'>,
  { platformId, bankId }: BankKey,
  entry: 'debit' | 'credit',
): Promise<ReturnCode | null> =>
  (await findEntryAccount(deps.sql, { platformId, bankId, entry, holderId: null }))?.blockCode ?? null

/** Returns the return code that blocks an account that a user wants to add, or null. */
export const findAccountBlockCode = (
  deps: Pick<TxDeps, 'sql'>,
  account: Pick<BankRow, 'platformId' | 'userId' | 'accountDigest'>,
): Promise<ReturnCode | null> => findBlockOfAccount(deps.sql, account)

/** Refuses a bank whose account is blocked. @throws ApiError bank_blocked */
export async function requireUnblocked(
  deps: Pick<TxDeps, 'sql'>,
  bank: BankKey,
  { entry, field }: { entry: 'debit' | 'credit'; field?: string },
): Promise<void> {
  const code = await findBankBlockCode(deps, bank, entry)
  if (code) throw bankBlocked(code, field)
}

/**
 * Checks the account of an entry before it is sent. `holderId`: the user who pays from the account and whose bank must be VERIFIED, or
 * null for other accounts.
 *
 * @returns `refusal`: the code with which the entry fails, or null. `accountNumber`: null if there is no bank
 */
export async function checkEntryAccount(
  deps: Pick<TxDeps, 'sql' | 'keyRing'>,
  query: EntryAccountQuery,
): Promise<{ refusal: ReturnCode | null; accountNumber(): string | null }> {
  const account = await findEntryAccount(deps.sql, query)
  const isUnverified = query.holderId !== null && account?.heldStatus !== 'VERIFIED'
  return {
    refusal: account?.blockCode ?? (isUnverified ? 'R901' : null),
    accountNumber: () => account && deps.keyRing.openText(account.accountSealed, 'bank account'),
  }
}

/** A returned leg, as far as the account that it was sent to is concerned. */
export type ReturnedLeg = Pick<AccountBlockRow, 'returnCode' | 'legId' | 'blocksCredits'> &
  Pick<LegRow, 'purpose' | 'fate' | 'sentAt' | 'direction' | 'subjectId' | 'userId' | 'cents'>

/**
 * Applies the consequence of a leg's return code to its account: blocks the account, or asks the operator to review it. The caller must
 * hold the lock on the leg's subject. `blockOnItsPlatform` lets another platform judge its account later, so that a return does not depend
 * on that platform.
 */
export async function applyConsequence(
  deps: TxDeps,
  leg: LegRow,
  bank: BankKey,
  blockOnItsPlatform: (returned: ReturnedLeg) => Promise<void>,
): Promise<void> {
  const { platformId, id: legId, returnCode, direction, purpose, fate, sentAt, subjectId, userId, cents } = leg
  if (returnCode === null) return
  const block = blockedEntries(returnCode, direction)
  const returned = {
    ...{ returnCode, legId, blocksCredits: block === 'debits_and_credits' },
    ...{ purpose, fate, sentAt, direction, subjectId, userId, cents },
  }
  if (bank.platformId !== platformId) {
    if (block !== null) await blockOnItsPlatform(returned)
    if (isForReview(returned) && !deps.settings.canTriggerOutcomes) await recordForReview(deps, platformId, returned)
    return
  }
  const account = await findReturnedAccount(deps.sql, bank)
  if (!account || !isEvidence(deps, returned, account)) return
  if (block !== null) await blockOrReview(deps, account, returned)
  if (isForReview(returned)) await recordForReview(deps, platformId, returned)
}

function isForReview({ returnCode, direction }: ReturnedLeg): boolean {
  const consequence = accountConsequence(returnCode, direction)
  return consequence === 'review' || consequence === 'block_for_review'
}

/**
 * Returns whether a return says something about the real account. Returns that the sandbox simulates for magic cents or triggers do not.
 */
function isEvidence({ settings, keyRing }: TxDeps, leg: ReturnedLeg, { accountSealed }: ReturnedAccount): boolean {
  return !settings.canTriggerOutcomes || isReturnOfMagicAccount(leg, keyRing.openText(accountSealed, 'bank account'))
}

/** Returns whether a leg was sent before a notification of change replaced the number of its account. */
const isOfEarlierNumber = ({ sentAt }: ReturnedLeg, { correctedAt }: ReturnedAccount): boolean =>
  correctedAt !== null && sentAt !== null && sentAt < correctedAt

/**
 * Returns the numbers under which blocks of an account are stored: its own, and the present one if it was given for one payment and corrected
 * since.
 */
export async function readNumbersOfAccount(
  deps: TxDeps,
  { platformId, routing, accountSealed, isOfPayment }: ReturnedAccount,
): Promise<AccountNumber[]> {
  const account = deps.keyRing.openText(accountSealed, 'bank account')
  const accountDigest = await accountDigestOf(deps, { platformId, routing, account })
  const given = { routing, accountSealed, accountDigest, since: null }
  if (!isOfPayment) return [given]
  const corrections = await listCorrectionsOnPlatform(deps.sql, [{ platformId, accountDigest }])
  const present = corrections.map(({ correctedAt: since, correctedDigest, ...row }) => ({
    routing: row.routing,
    accountSealed: row.accountSealed,
    accountDigest: correctedDigest,
    since,
  }))
  return [given, ...present.filter((one) => !one.accountDigest.equals(accountDigest))]
}

/** `since`: when the bank reported the number, or null for the number that was given. */
type AccountNumber = Pick<AccountBlockRow, 'routing' | 'accountSealed' | 'accountDigest'> & { since: Date | null }

/** Blocks the account of a bank after the return of a leg of another platform. The bank may be deleted. */
export async function blockReturnedAccount(deps: TxDeps, bank: BankKey, returned: ReturnedLeg): Promise<void> {
  const account = await findReturnedAccount(deps.sql, bank)
  if (account && isEvidence(deps, returned, account)) await blockOrReview(deps, account, returned)
}

/** Blocks an account. If the leg was sent to its former number, which is not known anymore, asks the operator instead. */
async function blockOrReview(deps: TxDeps, account: ReturnedAccount, returned: ReturnedLeg): Promise<void> {
  if (!isOfEarlierNumber(returned, account)) await blockAccount(deps, account, returned)
  else if (!isForReview(returned)) await recordForReview(deps, account.platformId, returned)
}

/**
 * Blocks an account under each number that it had when the leg was sent. Its banks become DEPOSIT_ONLY, and banks that are added for it
 * later are also blocked.
 */
async function blockAccount(
  deps: TxDeps,
  account: ReturnedAccount,
  { returnCode, legId, blocksCredits, sentAt }: ReturnedLeg,
): Promise<void> {
  const { platformId, id, userId } = account
  const holderId = deps.settings.blockScope === 'platform' ? WHOLE_PLATFORM : userId
  const reason = { returnCode, blocksCredits, legId, createdAt: deps.clock.now() }
  const accountDigests: Buffer[] = []
  let isNew = false
  for (const { since, ...number } of await readNumbersOfAccount(deps, account)) {
    if (since !== null && sentAt !== null && sentAt < since) continue
    if (await upsertAccountBlock(deps.sql, { platformId, holderId, ...number, ...reason })) isNew = true
    accountDigests.push(number.accountDigest)
  }
  if (isNew) {
    const service = { platformId, userId: null, credential: { kind: 'service' }, origin: null } as const
    await recordAudit(deps, service, 'bank_blocked', `${id} ${returnCode}`)
  }
  const blocked = { platformId, holderId, accountDigests }
  const holders = new Set((await listBanksOfAccounts(deps.sql, blocked)).map((bank) => bank.userId))
  for (const holder of holders) await lockUser(deps, { platformId, userId: holder })
  for (const bank of await listBanksOfAccounts(deps.sql, blocked)) {
    if (bank.status === 'DEPOSIT_ONLY') continue
    await applyBankEvent(deps, { platformId, id: bank.id }, 'block', { refusal: 'bank_not_found' })
  }
}

/**
 * Opens an exception for the operator's review. Two kinds of returns need none: a returned micro-deposit, because it revokes the
 * verification, and a returned refund, because it has its own exception.
 */
async function recordForReview(deps: TxDeps, platformId: string, returned: ReturnedLeg): Promise<void> {
  const { purpose, direction, returnCode, subjectId: paymentId, legId, userId, cents } = returned
  if (purpose === 'micro_deposit' || purpose === 'payment_refund') return
  await recordException(deps, {
    ...{ platformId, kind: 'return_needs_review', paymentId, legId, userId, cents },
    note: `The ${direction} came back with ${returnCode}: ${returnCodes[returnCode].name}.`,
  })
}
