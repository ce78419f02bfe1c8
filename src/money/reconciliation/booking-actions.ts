import type { TxDeps } from '../../foundation/db/deps.ts'
import { OutdatedRead } from '../../foundation/db/transaction.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { postBankLines, undoBankLines } from '../ledger/bank-posting-actions.ts'
import { giveBackCredit, lockForCredits, takeBackCredit } from '../wallet/wallet-funding-actions.ts'
import { isOpenCredit, isTakenBack, reduceUndoneDebt, sumUndoneDebt, updateOwed } from './credit/credit-store.ts'
import {
  insertPostings,
  listPostings,
  type PostingRow,
  updateLegsFree,
  updatePostingsUndone,
} from './decision/reconcile-store.ts'
import { type Posting, updateLegsBooked, updateLinesBooked } from './match-store.ts'
import { type AccountKey, bankAccountName } from './own-account-rules.ts'

/**
 * Posts stored rows of `line_postings`, and marks their lines and legs. A line books only legs that no other line has booked since they were
 * read: the operator, or another process, may book one at the same time.
 *
 * @param given.lineIds the lines that book the legs together, if these are not only the lines of the postings
 * @returns the number of lines
 * @throws OutdatedRead
 */
export async function book(
  tx: TxDeps,
  key: AccountKey,
  postings: readonly Posting[],
  { status, lineIds = postings.map(({ lineId }) => lineId) }: { status?: 'SUSPENSE'; lineIds?: readonly string[] } = {},
): Promise<number> {
  if (postings.length === 0) return 0
  if (!(await updateLegsBooked(tx.sql, postings, lineIds)))
    throw new OutdatedRead('another line has booked a leg since it was read')
  await postBankLines(
    tx,
    postings.map(({ id }) => id),
    bankAccountName(key),
  )
  const [matched, own] = [true, false].map((isMatched) =>
    postings.filter(({ part }) => (part !== null) === isMatched).map(({ lineId }) => lineId),
  ) as [string[], string[]]
  if (matched.length > 0) await updateLinesBooked(tx.sql, matched, { status: 'MATCHED', reason: null })
  if (own.length > 0) await updateLinesBooked(tx.sql, own, { status: status ?? 'OWN', reason: null })
  return new Set(postings.map(({ lineId }) => lineId)).size
}

/** Stores postings and books them. The caller has moved the money of wallets (`moveWalletMoney`). */
export async function insertAndBook(
  tx: TxDeps,
  key: AccountKey,
  postings: readonly PostingRow[],
  lineIds?: readonly string[],
): Promise<number> {
  await insertPostings(tx.sql, postings, tx.clock.now())
  return book(tx, key, postings, lineIds && { lineIds })
}

/**
 * Replaces how a line is booked.
 *
 * @param given.lineIds the lines that book the same legs together
 * @returns the previous postings
 * @throws StartProblem if another line has taken back a credit of this line
 */
export async function rebook(
  tx: TxDeps,
  key: AccountKey,
  { lineId, postings, lineIds }: { lineId: string; postings: readonly PostingRow[]; lineIds?: readonly string[] },
): Promise<PostingRow[]> {
  const former = await listPostings(tx.sql, [lineId])
  await lockForCredits(tx, walletsOf([...former, ...postings]))
  for (const posting of former) await undoWalletMoney(tx, posting)
  const formerIds = former.map(({ id }) => id)
  await undoBankLines(tx, formerIds, bankAccountName(key))
  await updatePostingsUndone(tx.sql, formerIds, tx.clock.now())
  await updateLegsFree(tx.sql, former)
  const moved: PostingRow[] = []
  for (const posting of postings) moved.push(await moveWalletMoney(tx, posting))
  await insertAndBook(tx, key, moved, lineIds)
  return former
}

/**
 * Adds the money of a posting to its wallet, or removes it. The caller has locked the wallet. If the same credit was undone before, the
 * remaining debt of the holder from that is reduced first.
 *
 * @returns the posting with the amount that the holder now owes
 * @throws StartProblem if the credit to take back is no longer open, because another transaction has undone it or taken it back
 */
export async function moveWalletMoney(tx: TxDeps, posting: PostingRow): Promise<PostingRow> {
  const { part, platformId, walletId } = posting
  if (walletId === null) return posting
  const credit = { platformId, walletId, cents: Math.abs(posting.cents) }
  if (part !== 'taken_back') {
    const owedCents = await sumUndoneDebt(tx.sql, posting)
    const endedCents = await giveBackCredit(tx, { ...credit, owedCents })
    if (endedCents > 0) await reduceUndoneDebt(tx.sql, posting, endedCents)
    return posting
  }
  if (!(await isOpenCredit(tx.sql, posting.takesBack)))
    throw new StartProblem('The credit that this line takes back was undone, or another line takes it back. Try again.')
  return { ...posting, owedCents: await takeBackCredit(tx, credit) }
}

async function undoWalletMoney(
  tx: TxDeps,
  { id, part, platformId, walletId, cents, owedCents }: PostingRow,
): Promise<void> {
  if (walletId === null) return
  const credit = { platformId, walletId, cents: Math.abs(cents) }
  if (part === 'taken_back') {
    await giveBackCredit(tx, { ...credit, owedCents })
    return
  }
  if (await isTakenBack(tx.sql, id))
    throw new StartProblem('Another line takes this credit back. Take that line back first: remit reconcile undo.')
  await updateOwed(tx.sql, id, await takeBackCredit(tx, credit))
}

/** Lists the wallets of postings. */
export const walletsOf = (postings: readonly Pick<PostingRow, 'platformId' | 'walletId'>[]) =>
  postings.flatMap(({ platformId, walletId }) => (walletId === null ? [] : [{ platformId, walletId }]))
