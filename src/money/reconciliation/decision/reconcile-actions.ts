import { type Actor, namesOfIds, recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { decimalAmount, formatDollars } from '../../../foundation/core/money.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { type Caller, personOf } from '../../../foundation/http/caller.ts'
import { isId, newId } from '../../../foundation/lib/ids.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { isAchFileName } from '../../ach/file/ach-file-rules.ts'
import { reopenOrders } from '../../iso20022/order/order-follow-actions.ts'
import type { LegHandlers } from '../../rail/leg-actions.ts'
import { findWalletAnywhere, lockForCredits } from '../../wallet/wallet-funding-actions.ts'
import { isMonthClosed } from '../bank-day-actions.ts'
import { rebook, walletsOf } from '../booking-actions.ts'
import { fundingOf, takingBackOf } from '../credit/credit-actions.ts'
import { listOpenCreditsOf } from '../credit/credit-store.ts'
import { replaceContradictions } from '../match-actions.ts'
import { OPERATOR_PLATFORM, suspenseName } from '../own-account-rules.ts'
import { lockOpenLegsOfFile } from './file-part-store.ts'
import { type LinePart, signedCents } from './proposal-rules.ts'
import {
  type BookableLeg,
  type Decision,
  insertDecision,
  type LineRow,
  type LineStatus,
  listLinesOfSameLegs,
  listPostings,
  lockBookableLegs,
  lockLines,
  type PostingRow,
  updateLine,
} from './reconcile-store.ts'

/** The operator who decides. `name`: for the history. `member`: the signed-in operator, or null at the command line. */
export type Decider = { name: string; member: Actor | null }

/**
 * The functions of higher folders that decisions call. `payChecks`: pays the checks that a line now books, and returns the number of payments
 * that are held because it cannot.
 */
export type ReconcileHooks = {
  handlers: LegHandlers
  payChecks(tx: TxDeps, handlers: LegHandlers, lineId: string): Promise<number>
}

/** The context of a decision: the hooks, and the operator who decides. */
export type Deciding = ReconcileHooks & { by: Decider }

/** Returns the signed-in operator of a request. @throws ApiError not_signed_in */
export async function getDecider(deps: Pick<TxDeps, 'sql'>, caller: Caller): Promise<Decider> {
  const person = personOf(caller)
  const names = await namesOfIds(deps, caller.platformId, [person])
  return { name: names[person] ?? 'a member', member: caller }
}

async function requireLines(tx: TxDeps, ids: readonly string[]): Promise<LineRow[]> {
  const unknown = ids.find((id) => !isId(id))
  if (unknown !== undefined) throw new StartProblem(`${unknown} is not the id of a line. See "remit reconcile list".`)
  const rows = await lockLines(tx.sql, ids)
  if (rows.length !== new Set(ids).size) throw new StartProblem('No placed statement has a line with this id.')
  return rows
}

async function requireWaiting(tx: TxDeps, ids: readonly string[]): Promise<LineRow[]> {
  const rows = await requireLines(tx, ids)
  const other = rows.find(({ status }) => status !== 'SUSPENSE')
  if (other)
    throw new StartProblem(`The line ${other.id} is ${other.status}. Take that back first: remit reconcile undo.`)
  return rows
}

/**
 * Books lines against legs: one line against several legs, or several lines against one.
 *
 * @returns the number of payments that are held, because the booking contradicts the bank's answers about them
 * @throws StartProblem if the sums differ
 */
export async function matchLines(
  tx: TxDeps,
  deciding: Deciding,
  { lineIds, legIds }: { lineIds: readonly string[]; legIds: readonly string[] },
): Promise<number> {
  const lines = await requireWaiting(tx, lineIds)
  const [first] = lines as [LineRow]
  if (lines.length > 1 && legIds.length > 1)
    throw new StartProblem('Match several lines with one leg, or one line with several legs.')
  if (lines.some((one) => one.connectionId !== first.connectionId || one.accountId !== first.accountId))
    throw new StartProblem('The lines are of different accounts.')
  const legs = await requireLegs(tx, first.connectionId, legIds)
  const sum = lines.reduce((total, { cents }) => total + cents, 0)
  const part = partOf(legs, sum)
  const booked = legs.find((leg) => (part === 'sent' ? leg.isBooked : leg.isReturnBooked))
  if (booked) throw new StartProblem(`The leg ${booked.id} is booked by another line already.`)
  let heldCount = 0
  for (const line of lines) {
    const postings = legs.map((leg) => legPosting(tx, line, { leg, part, cents: lines.length > 1 ? line.cents : null }))
    const decision = { status: 'MATCHED', action: 'match', detail: legIds.join(', '), why: null } as const
    heldCount = await decide(tx, deciding, line, postings, { ...decision, lineIds })
  }
  return heldCount
}

/**
 * Books a line as a credit to a wallet, or as the return of such a credit. A debit takes back the latest credit of the same amount to the
 * wallet.
 *
 * @throws StartProblem
 */
export async function matchWallet(
  tx: TxDeps,
  deciding: Deciding,
  { lineIds, walletId }: { lineIds: readonly string[]; walletId: string },
): Promise<void> {
  if (lineIds.length > 1) throw new StartProblem('Match one line with a wallet at a time.')
  const [line] = (await requireWaiting(tx, lineIds)) as [LineRow]
  const wallet = isId(walletId) ? await findWalletAnywhere(tx, walletId) : null
  if (!wallet) throw new StartProblem(`${walletId} is not the id of a wallet.`)
  const postings = [await walletPosting(tx, line, { ...wallet, walletId, cents: line.cents })]
  await requireHolders(tx, postings)
  const decision = { status: 'MATCHED', action: 'match', detail: `wallet ${walletId}`, why: null } as const
  await decide(tx, deciding, line, postings, decision)
}

/** @throws StartProblem */
async function requireHolders(tx: TxDeps, postings: readonly PostingRow[]): Promise<void> {
  const wallets = walletsOf(postings)
  const usable = await lockForCredits(tx, wallets)
  if (wallets.some(({ walletId }) => !usable.has(walletId)))
    throw new StartProblem('The holder of this wallet was deleted.')
}

/**
 * Returns the posting of a part of a line for a wallet: a credit to it, or the return of its latest one of this amount.
 *
 * @param others the postings of the other parts. Each part takes back another credit
 * @throws StartProblem
 */
async function walletPosting(
  tx: TxDeps,
  line: LineRow,
  { cents, ...wallet }: { platformId: string; walletId: string; cents: number },
  others: readonly PostingRow[] = [],
): Promise<PostingRow> {
  const { id: lineId, connectionId, accountId } = line
  if (cents > 0) return fundingOf(tx, { lineId, ...wallet, cents, decidedBy: 'person' })
  const taken = others.map(({ takesBack }) => takesBack)
  const wanted = { connectionId, accountId, walletIds: [wallet.walletId], cents: -cents, limit: taken.length + 1 }
  const credit = (await listOpenCreditsOf(tx.sql, wanted)).find(({ id }) => !taken.includes(id))
  const another = others.some(({ walletId }) => walletId === wallet.walletId) ? 'other ' : ''
  if (!credit)
    throw new StartProblem(`The wallet has no ${another}credit of ${formatDollars(-cents)} that can be taken back.`)
  return takingBackOf(tx, { lineId, credit, decidedBy: 'person' })
}

async function requireLegs(tx: TxDeps, connectionId: string, legIds: readonly string[]): Promise<BookableLeg[]> {
  const legs = legIds.every(isId) ? await lockBookableLegs(tx.sql, connectionId, legIds) : []
  if (legs.length > 0 && legs.length === new Set(legIds).size) return legs
  throw new StartProblem(`No such leg was sent over ${connectionId}. "remit reconcile show" proposes legs.`)
}

/** Returns whether lines with this sum book the legs or their returns. @throws StartProblem */
function partOf(legs: readonly BookableLeg[], sum: number): 'sent' | 'returned' {
  const legSum = legs.reduce((total, leg) => total + signedCents(leg), 0)
  if (legSum === sum) return 'sent'
  if (legSum === -sum) return 'returned'
  throw new StartProblem(
    `The lines sum up to ${decimalAmount(sum)}, and the legs to ${decimalAmount(legSum)}. Book a difference with: remit reconcile split.`,
  )
}

const NO_WALLET = { walletId: null, takesBack: null, owedCents: 0 }
const NOTHING = { ...NO_WALLET, paymentId: null, legId: null, part: null }

const legPosting = (
  tx: TxDeps,
  line: LineRow,
  { leg, part, cents }: { leg: BookableLeg; part: 'sent' | 'returned'; cents: number | null },
): PostingRow => ({
  id: newId(tx),
  lineId: line.id,
  account: 'world',
  platformId: leg.platformId,
  paymentId: leg.paymentId,
  legId: leg.id,
  ...NO_WALLET,
  part,
  cents: cents ?? signedCents(leg) * (part === 'sent' ? 1 : -1),
  decidedBy: 'person',
})

/**
 * Divides a line into parts: for legs, ACH files, wallets, and accounts of the operator.
 *
 * @returns the number of payments that are held, because the booking contradicts the bank's answers about them
 * @throws StartProblem if the parts are not the whole line
 */
export async function splitLine(
  tx: TxDeps,
  deciding: Deciding,
  { lineId, parts }: { lineId: string; parts: readonly LinePart[] },
): Promise<number> {
  const [line] = (await requireWaiting(tx, [lineId])) as [LineRow]
  const sum = parts.reduce((total, { cents }) => total + cents, 0)
  if (sum !== line.cents)
    throw new StartProblem(`The parts sum up to ${decimalAmount(sum)}, and the line is ${decimalAmount(line.cents)}.`)
  const postings: PostingRow[] = []
  for (const part of parts) {
    const isFile = isAchFileName(part.name)
    postings.push(...(isFile ? await filePostings(tx, line, part) : [await partPosting(tx, line, part, postings)]))
  }
  requireOnce(postings)
  await requireHolders(tx, postings)
  const detail = parts.map(({ name, cents }) => `${name}=${decimalAmount(cents)}`).join(', ')
  return decide(tx, deciding, line, postings, { status: 'SPLIT', action: 'split', detail, why: null })
}

/** @throws StartProblem if two postings book the same leg */
function requireOnce(postings: readonly PostingRow[]): void {
  const seen = new Set<string>()
  for (const { legId, part } of postings) {
    if (legId !== null && seen.has(`${legId} ${part}`))
      throw new StartProblem(`Two parts book the leg ${legId}. Name each leg once.`)
    seen.add(`${legId} ${part}`)
  }
}

/** Books what no line has booked of an ACH file: its debits, its credits, or both, whichever has the amount. @throws StartProblem */
async function filePostings(tx: TxDeps, line: LineRow, { name, cents }: LinePart): Promise<PostingRow[]> {
  const all = await lockOpenLegsOfFile(tx.sql, { connectionId: line.connectionId, name })
  const [debits, credits] = ['debit', 'credit'].map((one) => all.filter(({ direction }) => direction === one))
  const sumOf = (legs: readonly BookableLeg[] = []) => legs.reduce((sum, leg) => sum + signedCents(leg), 0)
  const legs = [all, debits, credits].find((some) => sumOf(some) === cents)
  if (legs && all.length > 0) return legs.map((leg) => legPosting(tx, line, { leg, part: 'sent', cents: null }))
  const sums = `debits of ${decimalAmount(sumOf(debits))} and credits of ${decimalAmount(sumOf(credits))}`
  throw new StartProblem(
    all.length === 0
      ? `No ACH file ${name} of ${line.connectionId} has movements that no line has booked.`
      : `The file ${name} has ${sums} that no line has booked. Neither these nor their sum are ${decimalAmount(cents)}.`,
  )
}

/** @param others the postings of the former parts @throws StartProblem */
async function partPosting(
  tx: TxDeps,
  line: LineRow,
  { name, cents }: LinePart,
  others: readonly PostingRow[],
): Promise<PostingRow> {
  if (!isId(name)) return ownPosting(tx, line, { name, cents })
  const wallet = await findWalletAnywhere(tx, name)
  if (wallet && cents > 0 && others.some((one) => one.walletId === name && one.part === 'funded'))
    throw new StartProblem(`Two parts fund the wallet ${name}. Add their amounts up, and name it once.`)
  if (wallet) return walletPosting(tx, line, { ...wallet, walletId: name, cents }, others)
  const [leg] = (await requireLegs(tx, line.connectionId, [name])) as [BookableLeg]
  const part = partOf([leg], cents)
  if (part === 'sent' ? leg.isBooked : leg.isReturnBooked)
    throw new StartProblem(`The leg ${leg.id} is booked by another line already.`)
  return legPosting(tx, line, { leg, part, cents })
}

const ACCOUNT_NAME = /^[a-z][a-z0-9_]{0,29}$/

function ownPosting(tx: TxDeps, { id: lineId }: LineRow, { name, cents }: LinePart): PostingRow {
  if (!ACCOUNT_NAME.test(name))
    throw new StartProblem(
      `${name} is neither the id of a leg or a wallet nor the name of an ACH file or of an account such as fees.`,
    )
  const account = `operator:${name}`
  return { ...NOTHING, id: newId(tx), lineId, account, platformId: OPERATOR_PLATFORM, cents, decidedBy: 'person' }
}

/** Books a line that concerns nothing in the books to `operator:ignored`, with the reason. */
export async function ignoreLine(
  tx: TxDeps,
  deciding: Deciding,
  { lineId, why }: { lineId: string; why: string },
): Promise<void> {
  const [line] = (await requireWaiting(tx, [lineId])) as [LineRow]
  const posting = ownPosting(tx, line, { name: 'ignored', cents: line.cents })
  await decide(tx, deciding, line, [posting], {
    status: 'IGNORED',
    action: 'ignore',
    detail: formatDollars(line.cents),
    why,
  })
}

/**
 * Undoes how a line is booked, together with other lines that book the same leg. They wait in suspense again. Orders that only these lines
 * proved are open again.
 *
 * @returns the number of lines
 */
export async function undoLine(tx: TxDeps, deciding: Deciding, { lineId }: { lineId: string }): Promise<number> {
  await requireLines(tx, [lineId])
  const lines = await requireLines(tx, await listLinesOfSameLegs(tx.sql, lineId))
  const undoable = lines.filter(({ status }) => status !== 'SUSPENSE' && status !== 'NEW')
  const [first] = undoable
  if (!first) throw new StartProblem('The line waits for a decision, so there is nothing to take back.')
  const former = await listPostings(
    tx.sql,
    undoable.map(({ id }) => id),
  )
  for (const line of undoable) {
    const key = { connectionId: line.connectionId, accountId: line.accountId }
    const own = { platformId: OPERATOR_PLATFORM, account: suspenseName(key), cents: line.cents }
    const posting = { ...NOTHING, ...own, id: newId(tx), lineId: line.id }
    const decision = { status: 'SUSPENSE', action: 'undo', detail: line.status, why: null } as const
    await decide(tx, deciding, line, [{ ...posting, decidedBy: 'person' }], decision)
  }
  const legsOf = (wanted: 'sent' | 'returned') =>
    former.flatMap(({ platformId, legId, part }) => (legId && part === wanted ? [{ platformId, id: legId }] : []))
  const legs = { sent: legsOf('sent'), returned: legsOf('returned') }
  await reopenOrders(tx, deciding.handlers, { connectionId: first.connectionId, ...legs })
  return undoable.length
}

/**
 * Replaces how a line is booked, and records the decision. If the new booking contradicts the bank's answers, its payments are held.
 *
 * @returns the number of held payments
 */
async function decide(
  tx: TxDeps,
  { handlers, payChecks, by }: Deciding,
  line: LineRow,
  postings: readonly PostingRow[],
  { status, lineIds, ...decision }: Decision & { status: LineStatus; lineIds?: readonly string[] },
): Promise<number> {
  const key = { connectionId: line.connectionId, accountId: line.accountId }
  await requireOpenMonth(tx, line)
  const former = await rebook(tx, key, { lineId: line.id, postings, ...(lineIds && { lineIds }) })
  await updateLine(tx.sql, line.id, { status, reason: decision.why })
  await insertDecision(tx.sql, line.id, { ...decision, decidedAt: tx.clock.now(), decidedBy: by.name })
  const concerned = [...former, ...postings].filter(({ legId, walletId }) => legId !== null || walletId !== null)
  const platformIds = new Set(concerned.map(({ platformId }) => platformId))
  await recordDecision(tx, by, { platformIds, subject: `${decision.action} ${line.id}` })
  if (decision.action === 'undo') return 0
  const resolution = `remit reconcile ${decision.action}`
  const heldCount = await replaceContradictions(tx, handlers, { lineId: line.id, resolution, by: by.name })
  return heldCount + (await payChecks(tx, handlers, line.id))
}

/** Refuses to change a line of a closed month. @throws StartProblem */
async function requireOpenMonth(tx: TxDeps, line: LineRow): Promise<void> {
  if (!(await isMonthClosed(tx, line))) return
  const { connectionId, accountId, day } = line
  throw new StartProblem(
    `The line is of ${day}, and ${day.slice(0, 7)} is closed for ${connectionId}:${accountId}. ` +
      `Reopen it first: remit reconcile reopen --month ${day.slice(0, 7)} --why TEXT.`,
  )
}

/** Records a decision in the audit trails of the platforms whose payments it concerns, and of the platform of the member who decided. */
async function recordDecision(
  tx: TxDeps,
  { member }: Decider,
  { platformIds, subject }: { platformIds: ReadonlySet<string>; subject: string },
): Promise<void> {
  const operator = { userId: null, credential: { kind: 'operator' }, origin: null } as const
  for (const platformId of platformIds) {
    if (platformId !== member?.platformId)
      await recordAudit(tx, { ...operator, platformId }, 'statement_line_decided', subject)
  }
  if (member) await recordAudit(tx, member, 'statement_line_decided', subject)
}
