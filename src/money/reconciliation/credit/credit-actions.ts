import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../../foundation/db/failed-items.ts'
import type { Isolation } from '../../../foundation/db/isolation.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { endBankCase } from '../../../foundation/exception/bank-case-actions.ts'
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
  type LinePayment,
  MAX_PAYMENTS,
  type OpenCredit,
  paymentsOf,
} from './credit-rules.ts'
import { type CreditLineRow, listCreditLines, listToTryAgain, listUnexplained, updateTried } from './credit-store.ts'
import {
  type DifferingCredit,
  isKnownToDiffer,
  judgeReturns,
  openContent,
  type ReturnJudgement,
  recordDifference,
} from './return-actions.ts'

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
          const page = { direction, after: from, limit: LINES_AT_A_TIME, maxPayments: MAX_PAYMENTS }
          const rows = await listUnexplained(tx.sql, statement.id, page)
          return { count: await bookNew(tx, key, { rows, failed }), last: rows.at(-1)?.position ?? null }
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
  for (const one of await judge(tx, key, { rows })) {
    const { id } = one.line
    if (failed.includes(id)) await updateLineReason(tx.sql, id, 'it could not be booked; the log says why')
    else if (one.postings.length === 0) await recordReason(tx, key, one)
    else for (const posting of one.postings) postings.push(await moveWalletMoney(tx, posting).catch(failItem(id)))
  }
  return insertAndBook(tx, key, postings)
}

/** `differs`: the credit that the line takes back with another amount. */
type Judged = {
  line: CreditLine
  postings: PostingRow[]
  reason: string | null
  differs: DifferingCredit | null
}

/** Decides about each line, and locks the wallets that the lines concern. */
async function judge(
  tx: TxDeps,
  key: AccountKey,
  { rows, seeksAmounts = true }: { rows: readonly CreditLineRow[]; seeksAmounts?: boolean },
): Promise<Judged[]> {
  const lines = rows.map((row) => lineOf(tx, row))
  const payments = lines.map(paymentsOf)
  const found = await findNamedWallets(tx, {
    connectionId: key.connectionId,
    texts: payments.flat().map(({ texts }) => texts),
  })
  const facts = lines.map((line, index) => {
    const own = payments[index] as LinePayment[]
    return { line, payments: own, named: found.splice(0, own.length) }
  })
  const debits = facts.filter(({ line }) => line.cents < 0)
  const returns = await judgeReturns(tx, key, {
    debits: debits.map(({ line, named }) => ({ line, named: distinct(named.flat()) })),
    seeksAmounts,
  })
  const judged = facts.map((one) => {
    const judgement = returns.get(one.line.id)
    return judgement ? judgedReturn(tx, one.line, judgement) : judgeCredit(tx, one)
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

const distinct = (wallets: readonly NamedWallet[]): NamedWallet[] => [
  ...new Map(wallets.map((one) => [one.walletId, one])).values(),
]

const lineOf = (tx: TxDeps, { contentSealed, position, ...line }: CreditLineRow): CreditLine => ({
  ...line,
  content: openContent(tx, contentSealed),
})

type LineFacts = { line: CreditLine; payments: readonly LinePayment[]; named: readonly (readonly NamedWallet[])[] }

function judgeCredit(tx: TxDeps, { line, payments, named }: LineFacts): Judged {
  const nothing = { line, postings: [], differs: null }
  const verdict = creditVerdict(line, payments, named)
  if ('reason' in verdict) return { ...nothing, reason: verdict.reason }
  const postings = verdict.parts.map((part) => fundingOf(tx, { lineId: line.id, ...part, decidedBy: 'reference' }))
  return { ...nothing, postings, reason: null }
}

function judgedReturn(tx: TxDeps, line: CreditLine, judgement: ReturnJudgement): Judged {
  if (!('credit' in judgement)) return { line, postings: [], ...judgement }
  const posting = takingBackOf(tx, { lineId: line.id, credit: judgement.credit, decidedBy: 'reference' })
  return { line, postings: [posting], reason: null, differs: null }
}

/** Records why a line waits for the operator. */
async function recordReason(tx: TxDeps, key: AccountKey, { line, reason, differs }: Judged): Promise<void> {
  if (reason !== null) await updateLineReason(tx.sql, line.id, reason)
  if (differs) await recordDifference(tx, key, { line, credit: differs })
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
 * Tries lines in suspense again, after wallets got numbers. A line that the operator decided about is left alone. A line that fails does
 * not stop the others.
 *
 * @returns the number of lines that were matched
 */
export async function retryCredits(deps: Deps, isolation: Isolation): Promise<number> {
  const waiting = await listToTryAgain(deps.sql, {
    connectionIds: deps.connections.current().all.map(({ id }) => id),
    skipped: isolation.skipped(),
    now: deps.clock.now(),
    limit: LINES_AT_A_TIME,
  })
  let count = 0
  for (const { id, connectionId, accountId } of waiting) {
    const unit = { platformId: null, kind: 'bank statement line', id }
    const tryOne = () => inTransaction(deps, (tx) => retryLine(tx, { connectionId, accountId }, id))
    count += (await isolation.run(unit, tryOne)) ?? 0
  }
  return count
}

async function retryLine(tx: TxDeps, key: AccountKey, id: string): Promise<number> {
  const [line] = await lockLines(tx.sql, [id])
  if (line?.status !== 'SUSPENSE' || (await isMonthClosed(tx, line))) return 0
  await updateTried(tx.sql, [id], tx.clock.now())
  if (!(await hasNumbers(tx, key))) return 0
  const given = { rows: await listCreditLines(tx.sql, [id]), seeksAmounts: !isKnownToDiffer(line) }
  const [judged] = (await judge(tx, key, given)) as [Judged]
  if (judged.postings.length === 0) {
    await recordReason(tx, key, judged)
    return 0
  }
  await rebook(tx, key, { lineId: id, postings: judged.postings })
  await updateLine(tx.sql, id, { status: 'MATCHED', reason: null })
  await endBankCase(tx, { kind: 'line_contradicts', subjectId: id }, 'The line names the number of a wallet.')
  return 1
}
