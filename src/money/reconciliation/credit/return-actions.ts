import { formatDollars } from '../../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { recordBankCase } from '../../../foundation/exception/bank-case-actions.ts'
import { addDays } from '../../../foundation/lib/clock.ts'
import type { AccountKey } from '../own-account-rules.ts'
import {
  type CreditLine,
  creditsSharing,
  type DebitLine,
  differingCredit,
  hasReference,
  indexCredits,
  isReturn,
  type LineContent,
  type OpenCredit,
  returnVerdict,
} from './credit-rules.ts'
import { listOpenCredits, listOpenCreditsOf, listRecentCredits, type OpenCreditRow } from './credit-store.ts'

/**
 * The number of days after a credit within which a statement line can reverse it. After that, the operator matches the line with the
 * wallet.
 */
const DAYS_TO_RETURN = 120

/** The maximum number of credits of one amount, or of the named wallets, that are searched for the credit of a return. */
const MAX_CREDITS = 1_000

/** The maximum number of credits of any amount that are searched if a return has another amount than its credit. */
const MAX_RECENT_CREDITS = 10_000

/** A credit that a return refers to but whose amount differs. `cents`: the amount of the credit. */
export type DifferingCredit = Pick<OpenCredit, 'walletId' | 'cents'>

/** `differs`: the credit that the line reverses with a different amount. A case then informs the operator. */
export type ReturnJudgement = { credit: OpenCredit } | { reason: string | null; differs: DifferingCredit | null }

/**
 * Judges each debit separately, in order. Each credit is used once.
 *
 * @param given.seeksAmounts whether to search credits of other amounts for the debits that name no wallet
 * @returns the judgements by line id
 */
export async function judgeReturns(
  tx: TxDeps,
  key: AccountKey,
  { debits, seeksAmounts }: { debits: readonly DebitLine[]; seeksAmounts: boolean },
): Promise<Map<string, ReturnJudgement>> {
  const judged = new Map<string, ReturnJudgement>()
  const unplaced: DebitLine[] = []
  const used = new Set<string>()
  const { ofAmount, ofWallets, cutAmounts } = await readOpenCredits(tx, key, debits)
  const unused = (credits: readonly OpenCredit[]) => credits.filter(({ id }) => !used.has(id))
  for (const debit of debits) {
    const { id, cents } = debit.line
    const isNamed = debit.named.length > 0
    const credits = unused(isNamed ? ofWallets.filter((one) => one.cents === -cents) : (ofAmount.get(-cents) ?? []))
    const verdict = returnVerdict(debit, { credits, isCut: cutAmounts.has(-cents) })
    if ('credit' in verdict) used.add(verdict.credit.id)
    else unplaced.push(debit)
    judged.set(id, 'credit' in verdict ? verdict : { ...verdict, differs: null })
  }
  const isSought = seeksAmounts && unplaced.some((debit) => isReturn(debit.line) && hasReference(debit))
  const recent = indexCredits(isSought ? await readRecentCredits(tx, key) : [])
  for (const debit of unplaced) {
    const possible = debit.named.length > 0 ? ofWallets : creditsSharing(recent, debit.line)
    const differs = differingCredit(debit, unused(possible))
    if (!differs) continue
    const { walletId, cents } = differs
    judged.set(debit.line.id, { reason: differenceOf(debit.line, differs), differs: { walletId, cents } })
  }
  return judged
}

const DIFFERS = 'its amount is '

/** Returns whether a line waits because its amount differs from that of its credit. */
export const isKnownToDiffer = ({ reason }: { reason: string | null }): boolean => reason?.startsWith(DIFFERS) ?? false

const differenceOf = ({ cents }: Pick<CreditLine, 'cents'>, credit: DifferingCredit): string =>
  `${DIFFERS}${formatDollars(-cents)}, and that of the credit that it takes back is ${formatDollars(credit.cents)}`

/** Opens a case for a line that takes a credit back with another amount. The case closes when the operator decides about the line. */
export const recordDifference = (
  tx: TxDeps,
  { connectionId }: AccountKey,
  { line: { id, place, cents }, credit }: { line: CreditLine; credit: DifferingCredit },
): Promise<void> =>
  recordBankCase(tx, {
    ...{ kind: 'line_contradicts', connectionId, source: 'statement', line: 0, isBankWide: false, leg: null },
    file: { id, name: 'bank statement' },
    cents: Math.abs(cents),
    note: `A line of a bank statement (${place}): ${differenceOf({ cents }, credit)}.`,
    content: { lines: [], data: credit },
  })

/**
 * Reads the credits that the debits can reverse: by the named wallets, and by amount. `cutAmounts`: the amounts with too many credits to
 * read all.
 */
async function readOpenCredits(
  tx: TxDeps,
  key: AccountKey,
  debits: readonly DebitLine[],
): Promise<{ ofAmount: Map<number, OpenCredit[]>; ofWallets: OpenCredit[]; cutAmounts: ReadonlySet<number> }> {
  const walletIds = [...new Set(debits.flatMap(({ named }) => named.map(({ walletId }) => walletId)))]
  const cents = [...new Set(debits.filter(hasReference).map(({ line }) => -line.cents))]
  const ofWallets = await listOpenCreditsOf(tx.sql, { ...key, walletIds, cents: null, limit: MAX_CREDITS })
  const others = await listOpenCredits(tx.sql, { ...key, cents, since: sinceOf(tx), limit: MAX_CREDITS + 1 })
  const counts = [...Map.groupBy(others, (row) => row.cents)]
  const cutAmounts = new Set(counts.flatMap(([amount, rows]) => (rows.length > MAX_CREDITS ? amount : [])))
  const opened = (rows: readonly OpenCreditRow[]) => rows.map((row) => creditOf(tx, row))
  return { ofAmount: Map.groupBy(opened(others), (one) => one.cents), ofWallets: opened(ofWallets), cutAmounts }
}

async function readRecentCredits(tx: TxDeps, key: AccountKey): Promise<OpenCredit[]> {
  const rows = await listRecentCredits(tx.sql, { ...key, since: sinceOf(tx), limit: MAX_RECENT_CREDITS })
  return rows.map((row) => creditOf(tx, row))
}

const sinceOf = ({ clock }: TxDeps): Date => addDays(clock.now(), -DAYS_TO_RETURN)

/** Decrypts the content once, and only when a rule needs it. */
function creditOf(tx: TxDeps, { contentSealed, ...row }: OpenCreditRow): OpenCredit {
  let content: LineContent | null = null
  return {
    ...row,
    get content() {
      content ??= openContent(tx, contentSealed)
      return content
    },
  }
}

/** Opens the sealed content of a line. */
export const openContent = ({ keyRing }: Pick<Deps, 'keyRing'>, sealed: Buffer): LineContent =>
  JSON.parse(keyRing.openText(sealed, 'statement line')) as LineContent
