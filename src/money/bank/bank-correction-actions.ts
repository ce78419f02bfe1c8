import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { accountText } from '../../foundation/core/account-number.ts'
import type { NachaAccount } from '../../foundation/core/environment.ts'
import { isAbaRoutingNumber } from '../../foundation/core/routing-number.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { lockUser } from '../../people/user/user-lock-actions.ts'
import { recordStatusEvent } from '../../webhook/event/event-actions.ts'
import {
  type AccountCorrectionRow,
  listAccountCorrections,
  listCorrectionsOnPlatform,
  lockAccountCorrections,
  upsertAccountCorrection,
} from './account-correction-store.ts'
import { accountDigestOf } from './bank-account-actions.ts'
import { findAccountBlockCode } from './bank-block-actions.ts'
import {
  type AnyBankRow,
  type BankAccountRow,
  type BankKey,
  type BankRow,
  findAccountSealed,
  findAnyBank,
  listBankAccounts,
  listBanks,
  updateBankAccount,
} from './bank-store.ts'

/** The fields of an account to correct, with their correct values. */
export type CorrectedAccount = {
  routingNumber?: string
  accountNumber?: string
  accountKind?: NachaAccount['kind']
}

/**
 * Returns the account number of a bank, or null if the bank does not exist. The bank may be deleted, because money in transit still goes
 * there.
 */
export async function bankAccountNumber(deps: Pick<TxDeps, 'sql' | 'keyRing'>, bank: BankKey): Promise<string | null> {
  const sealed = await findAccountSealed(deps.sql, bank)
  return sealed && deps.keyRing.openText(sealed, 'bank account')
}

/**
 * Returns the accounts for ACH entries, by bank id. Includes deleted banks. Leaves out a bank whose number cannot be decrypted. `correctedAt`: when
 * the number was corrected for the last time.
 */
export async function readBankAccounts(
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'log'>,
  banks: readonly BankKey[],
): Promise<Map<string, { account: NachaAccount; isBusiness: boolean; correctedAt: Date | null }>> {
  const rows = await listBankAccounts(deps.sql, banks)
  const accounts = rows.flatMap((row) => {
    try {
      return [{ row, account: plainAccountOf(deps, row) }]
    } catch (err) {
      deps.log.error({ err, bank: row.id }, 'account number cannot be decrypted')
      return []
    }
  })
  const given = accounts.filter(({ row }) => row.isOfPayment)
  const corrected = await followCorrections(
    deps,
    given.map(({ row: { id, platformId }, account }) => ({ id, platformId, account })),
    listAccountCorrections,
  )
  return new Map(
    accounts.map(({ row: { id, type, correctedAt: ownAt }, account: own }) => {
      const { account, correctedAt } = corrected.get(id) ?? { account: own, correctedAt: ownAt }
      return [id, { account: asNachaAccount(account), isBusiness: type === 'BUSINESS', correctedAt }]
    }),
  )
}

type Given = { id: string; platformId: string; account: PlainAccount }
type Present = { account: PlainAccount; correctedAt: Date }

/** Returns the present accounts of those that were given for one payment, by bank id, without those that were never corrected. */
async function followCorrections(
  deps: Pick<TxDeps, 'sql' | 'keyRing'>,
  given: readonly Given[],
  list: typeof listAccountCorrections,
): Promise<Map<string, Present>> {
  const keys = given.flatMap(({ id, platformId, account }) =>
    deps.keyRing
      .digests(accountText(account), 'bank account')
      .map((accountDigest) => ({ id, platformId, accountDigest })),
  )
  if (keys.length === 0) return new Map()
  const rows = new Map((await list(deps.sql, keys)).map((row) => [keyOf(row), row]))
  return new Map(
    keys.flatMap(({ id, ...key }): [string, Present][] => {
      const row = rows.get(keyOf(key))
      return row ? [[id, { account: plainAccountOf(deps, row), correctedAt: row.correctedAt }]] : []
    }),
  )
}

const keyOf = ({ platformId, accountDigest }: Pick<AccountCorrectionRow, 'platformId' | 'accountDigest'>): string =>
  `${platformId} ${accountDigest.toString('hex')}`

const plainAccountOf = (
  { keyRing }: Pick<TxDeps, 'keyRing'>,
  { routing, accountSealed, type }: Pick<BankAccountRow, 'routing' | 'accountSealed' | 'type'>,
): PlainAccount => ({ routing, account: keyRing.openText(accountSealed, 'bank account'), type })

const asNachaAccount = ({ routing, account, type }: PlainAccount): NachaAccount => ({
  routingNumber: routing,
  accountNumber: account,
  kind: type === 'SAVINGS' ? 'savings' : 'checking',
})

/**
 * Applies a correction that a bank reported for an account. Future entries use the corrected account, even those of a deleted bank. The
 * verification status does not change. If the account was given for one payment, the correction is stored for all payments with that
 * account.
 *
 * @returns null, or the reason why it cannot be applied, without the number
 */
export async function correctBank(deps: TxDeps, key: BankKey, corrected: CorrectedAccount): Promise<string | null> {
  const found = await findAnyBank(deps.sql, key)
  if (!found) return 'the bank account cannot be found'
  if (found.isOfPayment) return correctGivenAccount(deps, found, corrected)
  await lockUser(deps, found)
  const bank = await findAnyBank(deps.sql, key)
  return bank ? correctBankOfUser(deps, bank, corrected) : 'the bank account cannot be found'
}

async function correctBankOfUser(deps: TxDeps, bank: AnyBankRow, corrected: CorrectedAccount): Promise<string | null> {
  const present = { ...bank, account: deps.keyRing.openText(bank.accountSealed, 'bank account') }
  const { why, routing, account, type, changes } = correctionOf(present, corrected)
  if (why) return why
  const accountDigest = await accountDigestOf(deps, { platformId: bank.platformId, routing, account })
  const others = bank.deletedAt ? [] : (await listBanks(deps.sql, bank)).filter(({ id }) => id !== bank.id)
  const isWritten = (other: BankRow) => deps.keyRing.openText(other.accountSealed, 'bank account') === account
  if (others.some((other) => other.accountDigest.equals(accountDigest) && isWritten(other))) {
    return 'the user has the corrected account as another bank'
  }
  if (changes.length === 0) return null
  const block = await findAccountBlockCode(deps, { ...bank, accountDigest })
  if (block) return `the corrected account is blocked (${block})`
  const accountSealed = deps.keyRing.seal(account, 'bank account')
  const correctedAt = account === present.account && routing === bank.routing ? null : deps.clock.now()
  await updateBankAccount(deps.sql, bank, { routing, accountSealed, accountDigest, type, correctedAt })
  await recordCorrection(deps, bank, changes)
  if (bank.deletedAt) return null
  const there = { ...deps, clock: await clockOf(deps, bank.platformId) }
  await recordStatusEvent(there, { platformId: bank.platformId, type: 'BANK', id: bank.id, status: bank.status })
  return null
}

async function correctGivenAccount(
  deps: TxDeps,
  bank: AnyBankRow,
  corrected: CorrectedAccount,
): Promise<string | null> {
  const { platformId } = bank
  await lockAccountCorrections(deps.sql, platformId)
  const { present } = await readGivenAccount(deps, bank)
  const { why, changes, ...account } = correctionOf(present, corrected)
  if (why) return why
  if (changes.length === 0) return null
  const correctedDigest = await accountDigestOf(deps, { platformId, ...account })
  const block = await findAccountBlockCode(deps, { platformId, userId: bank.userId, accountDigest: correctedDigest })
  if (block) return `the corrected account is blocked (${block})`
  await upsertAccountCorrection(deps.sql, {
    platformId,
    accountDigest: await accountDigestOf(deps, { platformId, ...present }),
    givenRouting: present.routing,
    givenSealed: deps.keyRing.seal(present.account, 'bank account'),
    routing: account.routing,
    accountSealed: deps.keyRing.seal(account.account, 'bank account'),
    correctedDigest,
    type: account.type,
    correctedAt: deps.clock.now(),
  })
  await recordCorrection(deps, { ...bank, userId: null }, changes)
  return null
}

export type PlainAccount = { routing: string; account: string; type: BankRow['type'] }
type Correction = PlainAccount & { why: string | null; changes: string[] }

/** Returns the corrected account. `why`: the reason why the account cannot be used, or null. */
function correctionOf(present: PlainAccount, corrected: CorrectedAccount): Correction {
  const routing = corrected.routingNumber ?? present.routing
  const account = corrected.accountNumber?.replaceAll(/[ -]/g, '') ?? present.account
  const isBusiness = present.type === 'BUSINESS'
  const type = isBusiness || !corrected.accountKind ? present.type : bankTypes[corrected.accountKind]
  const why = !isAbaRoutingNumber(routing)
    ? 'the corrected routing number has a wrong check digit'
    : !/^\d{4,17}$/.test(account)
      ? 'the corrected account number is not 4 to 17 digits'
      : isBusiness && corrected.accountKind === 'savings'
        ? 'a business account cannot be for savings'
        : null
  const changes = [
    ...(routing === present.routing ? [] : ['routing number']),
    ...(account === present.account ? [] : ['account number']),
    ...(type === present.type ? [] : ['type']),
  ]
  return { routing, account, type, why, changes } // `changes` can be empty, because banks repeat notifications
}

/** An account that was given for one payment, before and after corrections. */
export type GivenAccount = { paymentId: string; given: PlainAccount; present: PlainAccount }

/** Returns an account that was given for one payment. Returns null for a bank of a user. */
export async function findGivenAccount(deps: TxDeps, key: BankKey): Promise<GivenAccount | null> {
  const bank = await findAnyBank(deps.sql, key)
  return bank?.isOfPayment ? readGivenAccount(deps, bank) : null
}

async function readGivenAccount(deps: TxDeps, bank: AnyBankRow): Promise<GivenAccount> {
  const { id, platformId, userId: paymentId } = bank
  const given = plainAccountOf(deps, bank)
  const corrected = await followCorrections(deps, [{ id, platformId, account: given }], listCorrectionsOnPlatform)
  return { paymentId, given, present: corrected.get(id)?.account ?? given }
}

/** Adds an audit entry about a correction. It does not contain the account number. */
const recordCorrection = (
  deps: TxDeps,
  { platformId, userId, id }: Pick<BankRow, 'platformId' | 'id'> & { userId: string | null },
  changes: readonly string[],
): Promise<void> =>
  recordAudit(
    deps,
    { platformId, userId, credential: { kind: 'service' }, origin: null },
    'bank_corrected',
    `${id}: ${changes.join(', ')}`,
  )

const bankTypes = { checking: 'CHECKING', savings: 'SAVINGS' } as const satisfies Record<
  NachaAccount['kind'],
  BankRow['type']
>
