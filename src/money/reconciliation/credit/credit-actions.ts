import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../../foundation/db/failed-items.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import { lockForCredits } from '../../wallet/wallet-funding-actions.ts'
import { findNamedWallets, hasNumbers, type NamedWallet } from '../../wallet/wallet-number-actions.ts'
import { isMonthClosed } from '../bank-day-actions.ts'
import { insertAndBook, moveWalletMoney, rebook, walletsOf } from '../booking-actions.ts'
import { lockLines, type PostingRow, updateLine } from '../decision/reconcile-store.ts'
import { type MatchedStatement, tryLockUnmatched, updateLineReason } from '../match-store.ts'
import type { AccountKey } from '../own-account-rules.ts'
import {
  type CreditLine,
  creditVerdict,
  type LineContent,
  type OpenCredit,
  paymentsOf,
  returnVerdict,
} from './credit-rules.ts'
import {
  type CreditLineRow,
  listCreditLines,
  listOpenCredits,
  listToTryAgain,
  listUnexplained,
  updateTried,
} from './credit-store.ts'

/** The maximum number of lines that one transaction matches with wallets. */
const LINES_AT_A_TIME = 1_000

/**
 * Matches the lines of a new statement with wallets: adds credits to the wallets whose numbers they name, and takes back credits that were
 * returned. Credits come first, because a statement can contain a credit and its return.
 *
 * @returns the number of lines
 */
export async function matchCredits(deps: Deps, key: AccountKey, statement: MatchedStatement): Promise<number> {
  if (!(await hasNumbers(deps, key))) return 0
  let count = 0
  for (const direction of ['credit', 'debit'] as const) {
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after
      const done: { count: number; last: number | null } = await inTransactionSkippingFailed<string, Deps, Done>(
        deps,
        (failure) => logFailed(deps, failure),
        async (tx, failed) => {
          if (!(await tryLockUnmatched(tx.sql, statement.id))) return { count: 0, last: null }
          const page = { direction, after: from, limit: LINES_AT_A_TIME }
          const rows = await listUnexplained(tx.sql, statement.id, page)
          const last = rows.length < LINES_AT_A_TIME ? null : (rows.at(-1)?.position ?? null)
          return { count: await bookNew(tx, key, { rows, failed }), last }
        },
      )
      count += done.count
      after = done.last
    }
  }
  return count
}

/** The progress of matching. `last`: the position of the last line, or null if no line is left. */
type Done = { count: number; last: number | null }

function logFailed(deps: Deps, { cause: err, item: line }: ItemFailed<string>): void {
  deps.meter.stepFailed('match bank statements')
  deps.log.error({ err, line }, 'a credit could not be booked')
}

async function bookNew(
  tx: TxDeps,
  key: AccountKey,
  { rows, failed }: { rows: readonly CreditLineRow[]; failed: readonly string[] },
): Promise<number> {
  const postings: PostingRow[] = []
  for (const { lineId, postings: own, reason } of await judge(tx, key, rows)) {
    const problem = failed.includes(lineId) ? 'it could not be booked; the log says why' : reason
    if (problem !== null) await updateLineReason(tx.sql, lineId, problem)
    else for (const one of own) postings.push(await moveWalletMoney(tx, one).catch(failItem(lineId)))
  }
  return insertAndBook(tx, key, postings)
}

type Judged = { lineId: string; postings: PostingRow[]; reason: string | null }

/** Decides about each line, and locks the wallets that the lines concern. */
async function judge(tx: TxDeps, key: AccountKey, rows: readonly CreditLineRow[]): Promise<Judged[]> {
  const lines = rows.map((row) => lineOf(tx, row))
  const payments = lines.map(paymentsOf)
  const found = await findNamedWallets(tx, {
    connectionId: key.connectionId,
    texts: payments.flat().map(({ texts }) => texts),
  })
  const credits = await openCreditsOf(tx, key, lines)
  const judged = lines.map((line, index): Judged => {
    const own = payments[index] as (typeof payments)[number]
    const named = found.splice(0, own.length)
    return line.cents > 0 ? judgeCredit(tx, line, { payments: own, named }) : judgeDebit(tx, line, { named, credits })
  })
  const usable = await lockForCredits(
    tx,
    judged.flatMap((one) => walletsOf(one.postings)),
  )
  return judged.map((one) =>
    walletsOf(one.postings).every(({ walletId }) => usable.has(walletId))
      ? one
      : { ...one, postings: [], reason: 'the holder of the wallet that it names was deleted' },
  )
}

const lineOf = (tx: TxDeps, { id, cents, kind, detailCount, contentSealed }: CreditLineRow): CreditLine => ({
  ...{ id, cents, kind, detailCount },
  content: openContent(tx, contentSealed),
})

const openContent = ({ keyRing }: Pick<Deps, 'keyRing'>, sealed: Buffer): LineContent =>
  JSON.parse(keyRing.openText(sealed, 'statement line')) as LineContent

async function openCreditsOf(tx: TxDeps, key: AccountKey, lines: readonly CreditLine[]): Promise<OpenCredit[]> {
  const cents = [...new Set(lines.flatMap((line) => (line.cents < 0 ? [-line.cents] : [])))]
  if (cents.length === 0) return []
  const rows = await listOpenCredits(tx.sql, { ...key, cents })
  return rows.map(({ contentSealed, ...row }) => ({ ...row, content: openContent(tx, contentSealed) }))
}

function judgeCredit(
  tx: TxDeps,
  line: CreditLine,
  { payments, named }: { payments: ReturnType<typeof paymentsOf>; named: readonly (readonly NamedWallet[])[] },
): Judged {
  const verdict = creditVerdict(line, payments, named)
  if ('reason' in verdict) return { lineId: line.id, postings: [], reason: verdict.reason }
  const postings = verdict.parts.map((part) => fundingOf(tx, { lineId: line.id, ...part, decidedBy: 'reference' }))
  return { lineId: line.id, postings, reason: null }
}

/** Decides about a debit. @param credits the open credits. A credit that is used for a line is removed */
function judgeDebit(
  tx: TxDeps,
  line: CreditLine,
  { named, credits }: { named: readonly (readonly NamedWallet[])[]; credits: OpenCredit[] },
): Judged {
  const wallets = [...new Map(named.flat().map((one) => [one.walletId, one])).values()]
  const fitting = credits.filter(({ cents }) => cents === -line.cents)
  const verdict = returnVerdict(line, { named: wallets, credits: fitting })
  if ('reason' in verdict) return { lineId: line.id, postings: [], reason: verdict.reason }
  const { credit } = verdict
  credits.splice(credits.indexOf(credit), 1)
  const posting = takingBackOf(tx, { lineId: line.id, credit, decidedBy: 'reference' })
  return { lineId: line.id, postings: [posting], reason: null }
}

type Funding = NamedWallet & { lineId: string; cents: number; decidedBy: 'reference' | 'person' }

/** Returns the posting of a credit to a wallet. */
export const fundingOf = (tx: TxDeps, given: Funding): PostingRow => ({
  ...given,
  ...{ id: newId(tx), account: 'world', paymentId: null, legId: null, takesBack: null, owedCents: 0 },
  part: 'funded',
})

/** Returns the posting of a line that takes a credit back. */
export const takingBackOf = (
  tx: TxDeps,
  {
    lineId,
    credit: { id, platformId, walletId, cents },
    decidedBy,
  }: { lineId: string; credit: Pick<OpenCredit, 'id' | 'platformId' | 'walletId' | 'cents'> } & Pick<
    Funding,
    'decidedBy'
  >,
): PostingRow => ({
  ...fundingOf(tx, { lineId, platformId, walletId, cents: -cents, decidedBy }),
  ...{ part: 'taken_back', takesBack: id },
})

/**
 * Tries to match lines in suspense again, after wallets got numbers. Skips lines about which a person has decided.
 *
 * @returns the number of lines that were matched
 */
export async function retryCredits(deps: Deps): Promise<number> {
  const waiting = await listToTryAgain(deps.sql, LINES_AT_A_TIME)
  let count = 0
  for (const { id, connectionId, accountId } of waiting) {
    const key = { connectionId, accountId }
    count += await inTransactionSkippingFailed<string, Deps, number>(
      deps,
      (failure) => logFailed(deps, failure),
      (tx, failed) => retryLine(tx, key, { id, hasFailed: failed.length > 0 }),
    )
  }
  return count
}

async function retryLine(
  tx: TxDeps,
  key: AccountKey,
  { id, hasFailed }: { id: string; hasFailed: boolean },
): Promise<number> {
  const [line] = await lockLines(tx.sql, [id])
  if (line?.status !== 'SUSPENSE' || (await isMonthClosed(tx, line))) return 0
  await updateTried(tx.sql, [id], tx.clock.now())
  if (hasFailed || !(await hasNumbers(tx, key))) return 0
  const [judged] = await judge(tx, key, await listCreditLines(tx.sql, [id]))
  const { postings, reason } = judged as Judged
  if (postings.length === 0) {
    if (reason !== null) await updateLineReason(tx.sql, id, reason)
    return 0
  }
  await rebook(tx, key, { lineId: id, postings }).catch(failItem(id))
  await updateLine(tx.sql, id, { status: 'MATCHED', reason: null })
  return 1
}
