import { accountText } from '../../foundation/core/account-number.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { accountDigestOf } from '../../money/bank/bank-account-actions.ts'
import { addBankOfPayment } from '../../money/bank/bank-actions.ts'
import type { LetterRow, MailboxRow } from './mailbox-store.ts'
import { DAYS_UNTIL_STALE, type ScannedCheck } from './scanned-check-rules.ts'
import {
  insertScannedCheck,
  insertScannedPayment,
  isScanned,
  isScannedAnywhere,
  lockCheckNumber,
} from './scanned-check-store.ts'

/**
 * Creates a payment to the user for each check in a piece of mail. The user deposits it like any other received payment.
 *
 * @returns the ids of the payments, without those of checks that were scanned before @throws ApiError invalid_request
 */
export async function addScannedChecks(
  deps: TxDeps,
  { userId }: MailboxRow,
  { letter, checks }: { letter: LetterRow; checks: readonly ScannedCheck[] },
): Promise<string[]> {
  const ids: string[] = []
  for (const check of inOrder(checks)) {
    const id = await addScannedCheck(deps, { userId, letter, check })
    if (id !== null) ids.push(id)
  }
  return ids
}

/** Sorts checks in the order in which every transaction locks them, so that two letters with the same checks cannot deadlock. */
const inOrder = (checks: readonly ScannedCheck[]): ScannedCheck[] =>
  checks.toSorted((one, other) => (one.number < other.number ? -1 : 1))

/** Removes the checks that any platform has scanned before, because a drawer pays a check only once. */
export async function withoutScanned(
  { sql, keyRing }: Pick<TxDeps, 'sql' | 'keyRing'>,
  checks: readonly ScannedCheck[],
): Promise<ScannedCheck[]> {
  const fresh: ScannedCheck[] = []
  for (const check of inOrder(checks)) {
    const { number } = check
    await lockCheckNumber(sql, number)
    const accountDigests = keyRing.digests(accountText(check), 'bank account')
    if (!(await isScannedAnywhere(sql, { number, accountDigests }))) fresh.push(check)
  }
  return fresh
}

async function addScannedCheck(
  deps: TxDeps,
  { userId, letter, check }: { userId: string; letter: LetterRow; check: ScannedCheck },
): Promise<string | null> {
  const { platformId } = letter
  const { routing, account, number, amountCents } = check
  await lockCheckNumber(deps.sql, number)
  const accountDigest = await accountDigestOf(deps, { platformId, routing, account })
  if (await isScanned(deps.sql, { platformId, number, accountDigest })) return null
  const id = newId(deps)
  const drawer = check.drawer ?? letter.sender
  const drawn = { routing, account, type: 'CHECKING', name: drawer } as const
  const bankId = await addBankOfPayment(deps, { platformId, paymentId: id }, drawn)
  const { createdAt } = letter
  const expiresAt = addDays(createdAt, DAYS_UNTIL_STALE)
  await insertScannedPayment(deps.sql, {
    platformId,
    userId,
    id,
    bankId,
    number,
    amountCents,
    drawer,
    createdAt,
    expiresAt,
  })
  await insertScannedCheck(deps.sql, {
    platformId,
    paymentId: id,
    letterId: letter.id,
    bankId,
    number,
    own: check.own ?? null,
  })
  return id
}
