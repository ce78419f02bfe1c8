import { type Actor, recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import { requireCents } from '../../foundation/core/money.ts'
import { isAbaRoutingNumber } from '../../foundation/core/routing-number.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { requireAskedUser } from '../../people/user/user-actions.ts'
import { lockCaller, lockUser } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { createLeg, type NewLeg } from '../rail/leg-actions.ts'
import { accountDigestOf } from './bank-account-actions.ts'
import { findBankBlockCode, requireUnblocked } from './bank-block-actions.ts'
import { applyBankEvent } from './bank-change-actions.ts'
import { chooseAudited } from './bank-choice-actions.ts'
import { type BankStatus, bankTransitions, DAYS_TO_VERIFY, isSamePair, randomMicroDeposits } from './bank-status.ts'
import {
  type BankRow,
  findBank,
  holdBankRow,
  insertBank,
  listBanks,
  markBankDeleted,
  markBanksOfUserDeleted,
  updateBankName,
  updateBankNickname,
} from './bank-store.ts'
import { takeConfirmation } from './confirmed-account-actions.ts'
import { requireAccountOfOthers } from './operator-account-actions.ts'
import { countRelease, countRightPair, countWrongPair, forgetWrongTries } from './trial/trial-actions.ts'

/** A user who acts with its own banks. An owner can also see all banks of its platform. */
export type Holder = UserKey & Actor & { isOwner: boolean }

/** A bank with the last four digits of its account number. */
export type Bank = Omit<BankRow, 'accountSealed' | 'accountDigest' | 'microDepositsSealed' | 'lapsesAt'> & {
  accountLast4: string
}

function bankOf(deps: Pick<Deps, 'keyRing'>, row: BankRow): Bank {
  const { accountSealed, accountDigest: _digest, microDepositsSealed: _amounts, lapsesAt: _lapse, ...rest } = row
  return { ...rest, accountLast4: deps.keyRing.openText(accountSealed, 'bank account').slice(-4) }
}

/**
 * Adds a bank as DEPOSIT_ONLY, or as VERIFIED if its institution confirmed the account (specification.md 4.1). A user's first bank becomes
 * its default and billing bank.
 *
 * @throws ApiError bank_exists
 */
export async function addBank(
  deps: TxDeps,
  holder: UserKey & Actor,
  { routing, account, type, name }: Omit<NewBank, 'isFirst'>,
): Promise<Bank> {
  const { platformId, userId } = holder
  requireAbaRoutingNumber(routing)
  await requireAccountOfOthers(deps, { routing, account })
  await lockCaller(deps, { platformId, userId })
  const accountDigest = await accountDigestOf(deps, { platformId, routing, account })
  const banks = await listBanks(deps.sql, { platformId, userId })
  const alike = banks.find((bank) => bank.accountDigest.equals(accountDigest))
  const isWritten = (bank: BankRow) => deps.keyRing.openText(bank.accountSealed, 'bank account') === account
  if (banks.some((bank) => bank.accountDigest.equals(accountDigest) && isWritten(bank))) {
    throw new ApiError('bank_exists', { fields: { account: ['was already added'] } })
  }
  const given = { routing, account, accountDigest, type, name, isFirst: banks.length === 0 }
  const row = newBankRow(deps, { platformId, userId }, given)
  await insertBank(deps.sql, row)
  // Both are allowed, because a bank can have two accounts whose numbers differ only in leading zeros.
  const warning = alike ? `, which differs from ${alike.id} only in leading zeros` : ''
  await recordAudit(deps, holder, 'bank_added', row.id + warning)
  const isConfirmed = await takeConfirmation(deps, row, { routing, account })
  if (!isConfirmed || (await findBankBlockCode(deps, { platformId, bankId: row.id }, 'debit'))) return bankOf(deps, row)
  await applyBankEvent(deps, row, 'confirm', { refusal: 'bank_not_deposit_only' })
  await recordAudit(deps, holder, 'bank_verified', row.id)
  return bankOf(deps, { ...row, status: bankTransitions.confirm.to })
}

/**
 * Stores the bank of a payee without an account, for one payment. It never appears in lists and is not used again.
 *
 * @returns its id @throws ApiError invalid_request
 */
export async function addBankOfPayment(
  deps: TxDeps,
  { platformId, paymentId }: { platformId: string; paymentId: string },
  { routing, account, type, name }: BankOfPayment,
): Promise<string> {
  requireAbaRoutingNumber(routing)
  const accountDigest = await accountDigestOf(deps, { platformId, routing, account })
  const given = { routing, account, accountDigest, type, name, isFirst: false }
  const row = newBankRow(deps, { platformId, userId: paymentId }, given)
  await insertBank(deps.sql, row)
  await markBankDeleted(deps.sql, row, row.createdAt)
  return row.id
}

type BankOfPayment = { routing: string; account: string; type: BankRow['type']; name: string }

/**
 * Returns the bank of a payee without an account, for one payment. It has no digest, because the caller stores it together with the
 * payment.
 */
export function newBankOfPayment(
  deps: Pick<Deps, 'keyRing' | 'clock' | 'random'>,
  { platformId, paymentId }: { platformId: string; paymentId: string },
  given: BankOfPayment,
): Omit<BankRow, 'accountDigest'> {
  const accountDigest = Buffer.alloc(0)
  const row = newBankRow(deps, { platformId, userId: paymentId }, { ...given, accountDigest, isFirst: false })
  const { accountDigest: _, ...others } = row
  return others
}

/** Checks a routing number. @throws ApiError invalid_request */
export function requireAbaRoutingNumber(routing: string, field = 'routing'): void {
  if (isAbaRoutingNumber(routing)) return
  throw fieldError('invalid_request', field, 'is not a valid ABA routing number: its check digit does not match')
}

type NewBank = { routing: string; account: string; type: BankRow['type']; name: string | null; isFirst: boolean }

const newBankRow = (
  deps: Pick<Deps, 'keyRing' | 'clock' | 'random'>,
  { platformId, userId }: UserKey,
  { routing, account, accountDigest, type, name, isFirst }: NewBank & { accountDigest: Buffer },
): BankRow => ({
  platformId,
  id: newId(deps),
  userId,
  routing,
  accountSealed: deps.keyRing.seal(account, 'bank account'),
  accountDigest,
  type,
  name,
  nickname: null,
  status: 'DEPOSIT_ONLY',
  isBilling: isFirst,
  isDefault: isFirst,
  microDepositsSealed: null,
  lapsesAt: null,
  createdAt: deps.clock.now(),
})

export async function getBanks(deps: Pick<TxDeps, 'sql' | 'keyRing'>, user: UserKey): Promise<Bank[]> {
  return (await listBanks(deps.sql, user)).map((row) => bankOf(deps, row))
}

/** Lists the banks of the user that a caller asks about. @throws ApiError user_not_found */
export const getBanksOfUser = async (deps: Deps, caller: Caller, wanted: string | undefined): Promise<Bank[]> =>
  getBanks(deps, await requireAskedUser(deps, caller, wanted))

/** Reads a bank of the caller. An owner can read all banks of its platform. @throws ApiError bank_not_found */
export const getBank = async (deps: Deps, caller: Caller, bankId: string): Promise<Bank> =>
  bankOf(deps, await requireVisibleBank(deps, caller, bankId))

async function requireVisibleBank(deps: Pick<TxDeps, 'sql'>, caller: Holder, bankId: string): Promise<BankRow> {
  const { platformId } = caller
  const bank = await findBank(deps.sql, { platformId, bankId })
  const isVisible = bank && (bank.userId === caller.userId || caller.isOwner)
  if (!isVisible) throw new ApiError('bank_not_found')
  return bank
}

/** Locks the caller and reads one of its banks. @throws ApiError bank_not_found, not_the_holder */
async function lockBank(deps: TxDeps, caller: Holder, bankId: string): Promise<BankRow> {
  await lockUser(deps, caller)
  const bank = await requireVisibleBank(deps, caller, bankId)
  if (bank.userId !== caller.userId) throw new ApiError('not_the_holder')
  return bank
}

/**
 * Sends the two micro-deposits of a bank: DEPOSIT_ONLY → PENDING (specification.md 4.1).
 *
 * @throws ApiError bank_not_found, bank_blocked, bank_not_deposit_only, release_limit_reached
 */
export async function releaseBank(deps: TxDeps, caller: Holder, bankId: string): Promise<void> {
  const bank = await lockBank(deps, caller, bankId)
  await requireUnblocked(deps, { ...bank, bankId }, { entry: 'debit', field: 'account' })
  const now = deps.clock.now()
  const amounts = deps.settings.microDepositCents ?? randomMicroDeposits(deps.random)
  await applyBankEvent(deps, bank, 'release', {
    refusal: 'bank_not_deposit_only',
    microDepositsSealed: deps.keyRing.seal(JSON.stringify(amounts), 'micro-deposits'),
    lapsesAt: addDays(now, DAYS_TO_VERIFY),
  })
  await countRelease(deps, bank)
  for (const leg of microLegs(deps, bank, amounts)) await createLeg(deps, leg)
}

/** Returns the legs of micro-deposits: two credits and, in a bank file, the debit that offsets them (Nacha Operating Rules, 8.62). */
function microLegs(deps: TxDeps, bank: BankRow, [first, second]: readonly [number, number]): NewLeg[] {
  const credits = [first, second].map((cents) => microDepositLeg(deps, bank, cents))
  const isOffset = deps.settings.railNetwork === 'file' && credits.every(({ rail }) => rail === 'ACH')
  return isOffset ? [...credits, { ...microDepositLeg(deps, bank, first + second), direction: 'debit' }] : credits
}

/**
 * Returns the leg of one micro-deposit. It arrives on the next banking day, or at once if the bank accepts real-time payments
 * (specification.md 4.2).
 */
const microDepositLeg = ({ settings }: TxDeps, bank: BankRow, cents: number): NewLeg => ({
  platformId: bank.platformId,
  purpose: 'micro_deposit',
  subjectId: bank.id,
  userId: bank.userId,
  accountId: bank.id,
  rail: settings.rtpRoutingNumbers.includes(bank.routing) ? 'RTP' : 'ACH',
  direction: 'credit',
  cents,
})

export type VerifyOutcome = { isVerified: true } | { isVerified: false; triesLeft: number }

/**
 * Verifies a bank by the amounts of its two micro-deposits, in dollars and in any order: PENDING → VERIFIED, or back to DEPOSIT_ONLY after
 * the third wrong pair. A wrong pair is returned as a result, because throwing an error would roll back the count of tries.
 *
 * @throws ApiError bank_not_found, bank_blocked, bank_not_pending, no_pending_bank, several_pending_banks, invalid_request
 */
export async function verifyBank(
  deps: TxDeps,
  caller: Holder,
  { bankId, amount1, amount2 }: { bankId: string | null; amount1: number; amount2: number },
): Promise<VerifyOutcome> {
  const given = readMicroDeposits(amount1, amount2)
  const bank = bankId === null ? await lockPendingBank(deps, caller) : await lockBank(deps, caller, bankId)
  await requireUnblocked(deps, { ...bank, bankId: bank.id }, { entry: 'debit', field: 'account' })
  if (bank.status === 'VERIFIED') throw new ApiError('bank_not_pending', { message: 'This bank is verified already.' })
  if (bank.status !== 'PENDING' || !bank.microDepositsSealed || isOverdue(deps, bank))
    throw new ApiError('bank_not_pending')
  const sent = JSON.parse(deps.keyRing.openText(bank.microDepositsSealed, 'micro-deposits')) as [number, number]
  if (isSamePair(given, sent)) {
    await applyBankEvent(deps, bank, 'verify', { refusal: 'bank_not_pending' })
    await countRightPair(deps, bank)
    await recordAudit(deps, caller, 'bank_verified', bank.id)
    return { isVerified: true }
  }
  const triesLeft = await countWrongPair(deps, bank)
  if (triesLeft === 0) await applyBankEvent(deps, bank, 'lapse', { refusal: 'bank_not_pending' })
  return { isVerified: false, triesLeft }
}

/**
 * Converts the amounts to cents. Amounts that no micro-deposit can have are refused without counting a try.
 *
 * @throws ApiError invalid_request
 */
function readMicroDeposits(amount1: number, amount2: number): readonly [number, number] {
  const given = { amount_1: amount1, amount_2: amount2 }
  for (const [field, amount] of Object.entries(given)) {
    if (amount <= 1) continue
    const meant = amount < 100 && Number.isInteger(amount) ? `. Did you mean ${(amount / 100).toFixed(2)}?` : ''
    throw fieldError('invalid_request', field, `must be less than a dollar, such as 0.07${meant}`)
  }
  const cents = [requireCents(amount1, 'amount_1', { min: 0 }), requireCents(amount2, 'amount_2', { min: 0 })] as const
  if (cents[0] === cents[1]) {
    throw fieldError('invalid_request', 'amount_2', 'must be the other amount: the two deposits differ')
  }
  return cents
}

const isOverdue = ({ clock }: TxDeps, { lapsesAt }: BankRow) => lapsesAt !== null && lapsesAt <= clock.now()

async function lockPendingBank(deps: TxDeps, user: UserKey): Promise<BankRow> {
  await lockUser(deps, user)
  const [pending, ...others] = (await listBanks(deps.sql, user)).filter(({ status }) => status === 'PENDING')
  if (!pending) throw new ApiError('no_pending_bank')
  if (others.length > 0) throw new ApiError('several_pending_banks')
  return pending
}

export type BankChanges = { name?: string | null; default?: boolean; billing?: boolean }

/** Renames a bank, or makes it the default or billing bank. @throws ApiError bank_not_found, not_the_holder */
export async function updateBank(deps: TxDeps, caller: Holder, bankId: string, changes: BankChanges): Promise<void> {
  const bank = await lockBank(deps, caller, bankId)
  if (changes.default === false && bank.isDefault) throw cannotUnset('default')
  if (changes.billing === false && bank.isBilling) throw cannotUnset('billing')
  if (changes.name !== undefined) await updateBankName(deps.sql, bank, changes.name)
  if (changes.default) await chooseAudited(deps, caller, bank, 'default')
  if (changes.billing) await chooseAudited(deps, caller, bank, 'billing')
}

const cannotUnset = (field: string) =>
  fieldError('invalid_request', field, 'cannot be turned off. Turn it on for another bank instead')

/** Sets the name that a user gives a bank on the pages, or removes it with null. @throws ApiError bank_not_found, not_the_holder */
export async function nameBankForUser(
  deps: TxDeps,
  caller: Holder,
  bankId: string,
  nickname: string | null,
): Promise<void> {
  await updateBankNickname(deps.sql, await lockBank(deps, caller, bankId), nickname)
}

/** Functions of higher folders (operation/app/removal.ts). `isInUse`: whether a payment from or to the bank has not ended. */
export type BankHooks = { isInUse(deps: TxDeps, bank: BankRow): Promise<boolean> }

/**
 * Deletes a bank. The oldest remaining bank takes over its roles as default and billing bank.
 *
 * @throws ApiError bank_not_found, bank_busy
 */
export async function deleteBank(deps: TxDeps, caller: Caller, bankId: string, hooks: BankHooks): Promise<void> {
  const bank = await lockBank(deps, caller, bankId)
  await markBankDeleted(deps.sql, bank, deps.clock.now())
  // Checks after the write, because the write waited for payments that had locked the bank.
  if (await hooks.isInUse(deps, bank)) throw new ApiError('bank_busy')
  await recordAudit(deps, caller, 'bank_removed', bankId)
  const [heir] = await listBanks(deps.sql, caller)
  if (heir && bank.isDefault) await chooseAudited(deps, caller, heir, 'default')
  if (heir && bank.isBilling) await chooseAudited(deps, caller, heir, 'billing')
}

export const deleteBanksOfUser = (deps: TxDeps, user: UserKey): Promise<void> =>
  markBanksOfUserDeleted(deps.sql, user, deps.clock.now())

/**
 * Returns a bank that was not verified in time to DEPOSIT_ONLY.
 *
 * @returns false if it is no longer overdue, because it was verified or released again
 */
export async function lapseOverdueBank(
  deps: TxDeps,
  { platformId, userId, id }: Pick<BankRow, 'platformId' | 'userId' | 'id'>,
): Promise<boolean> {
  await lockUser(deps, { platformId, userId })
  const bank = await findBank(deps.sql, { platformId, bankId: id })
  if (bank?.status !== 'PENDING' || !isOverdue(deps, bank)) return false
  await applyBankEvent(deps, bank, 'lapse', { refusal: 'bank_not_pending' })
  await forgetWrongTries(deps, bank)
  return true
}

/** Prevents the deletion of a user's bank until the end of the transaction. @returns its status, or null if it does not exist */
export const holdBank = (
  deps: Pick<TxDeps, 'sql'>,
  bank: { platformId: string; userId: string; bankId: string },
): Promise<BankStatus | null> => holdBankRow(deps.sql, bank)
