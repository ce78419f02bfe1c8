import { withoutZeros } from '../../foundation/core/account-number.ts'
import { formatDollars } from '../../foundation/core/money.ts'
import { accountOf, findConnection } from '../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Isolation } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { type CaseEnd, findSubjectCases } from '../../foundation/exception/bank-case-actions.ts'
import { type LegHandlers, lockLegs } from '../rail/leg-actions.ts'
import { recordHoldingCase } from '../rail/leg-case-actions.ts'
import { settleBankCase } from '../rail/leg-release-actions.ts'
import { book } from './booking-actions.ts'
import { matchCredits } from './credit/credit-actions.ts'
import { linkDetails } from './detail/detail-actions.ts'
import { listMisfits, listRecalledLegs, type Misfit, matchParts, matchReferences } from './match-reference-store.ts'
import {
  type Contradiction,
  type LineRange,
  listConfirmedReturns,
  listContradictions,
  type MatchedStatement,
  matchAmounts,
  matchFileTotals,
  matchNamedFiles,
  matchNothing,
  matchRules,
  tryLockUnmatched,
  updateLineReason,
  updateMatched,
} from './match-store.ts'
import { type AccountKey, OPERATOR_PLATFORM, suspenseName } from './own-account-rules.ts'
import { matchReturnedOrders } from './returned/returned-match-actions.ts'

/** The maximum number of lines that one transaction matches. */
const LINES_AT_A_TIME = 10_000

/** The maximum number of cases for one statement. The other lines wait in suspense without a case. */
export const MAX_CASES = 1_000

/**
 * Matches the lines of a placed statement and posts them, in this order: by the numbers of wallets, by our references, by files, by the
 * operator's rules, and by amounts that only one leg has. All other lines go to suspense. A payment that a line contradicts is held until
 * its case is closed. If the process stops, the next pass continues.
 *
 * @returns the number of lines
 */
export async function matchStatement(deps: Deps, handlers: LegHandlers, statement: MatchedStatement): Promise<number> {
  const key = { connectionId: statement.connectionId, accountId: statement.accountId }
  const { id: statementId, day } = statement
  const range = { statementId, connectionId: key.connectionId, day, now: deps.clock.now() }
  const digests = digestsOf(deps, key)
  await linkDetails(deps, key, statement)
  let count = await matchCredits(deps, key, statement)
  for (let from = 1; from <= statement.lineCount; from += LINES_AT_A_TIME) {
    const own = { ...range, from, to: from + LINES_AT_A_TIME - 1 }
    count += await inTransaction(deps, async (tx) =>
      (await tryLockUnmatched(tx.sql, statement.id)) ? matchRange(tx, { key, range: own, digests }) : 0,
    )
  }
  const whole = { ...range, from: 0, to: MAX_POSITION }
  await inTransaction(deps, async (tx) => {
    if (await tryLockUnmatched(tx.sql, statement.id))
      await matchRest(tx, handlers, { statement, key, range: whole, digests })
  })
  return count
}

const MAX_POSITION = 2_147_483_647

/** Returns the digests of an account's number, by which checks are found. */
export function digestsOf({ keyRing, connections }: Pick<Deps, 'keyRing' | 'connections'>, key: AccountKey): Buffer[] {
  const connection = findConnection(connections.current(), key.connectionId)
  if (!connection?.accounts.some(({ id }) => id === key.accountId)) return []
  return keyRing.digests(withoutZeros(accountOf(connection, key.accountId).accountNumber), 'paper account')
}

type Matching = { key: AccountKey; range: LineRange; digests: readonly Buffer[] }

async function matchRange(tx: TxDeps, { key, range, digests }: Matching): Promise<number> {
  const { sql } = tx
  const steps = [
    () => matchReferences(sql, range, { digests }),
    () => matchReturnedOrders(tx, range),
    () => matchNamedFiles(sql, range),
    () => matchRules(sql, range, OPERATOR_PLATFORM),
    () => matchFileTotals(sql, range),
    () => matchAmounts(sql, range),
  ]
  let count = 0
  for (const step of steps) count += await book(tx, key, await step())
  return count
}

/** Handles the lines that were not matched automatically. */
async function matchRest(
  tx: TxDeps,
  handlers: LegHandlers,
  { statement, ...matching }: Matching & { statement: MatchedStatement },
): Promise<void> {
  const { key, range, digests } = matching
  await book(tx, key, await matchParts(tx.sql, range, { digests }))
  const misfits = (await listMisfits(tx.sql, range, { digests, limit: MAX_CASES })).map(problemOfMisfit)
  for (const [lineId, [first, ...others]] of Map.groupBy(misfits, (one) => one.lineId)) {
    const more = others.length === 0 ? '' : `; ${others.length} more of its payments do not match`
    if (first) await updateLineReason(tx.sql, lineId, `${first.problem}${more}`)
  }
  const recalled = await listRecalledLegs(tx.sql, range, { limit: MAX_CASES })
  for (const { lineId } of recalled) await updateLineReason(tx.sql, lineId, RECALLED)
  const suspense = { operatorPlatform: OPERATOR_PLATFORM, suspense: suspenseName(key) }
  await book(tx, key, await matchNothing(tx.sql, range, suspense), { status: 'SUSPENSE' })
  const contradictions = await listContradictions(tx.sql, { statementId: statement.id })
  await recordLineCases(tx, handlers, [
    ...misfits.filter((one) => !isPaidCheck(one)).map((one) => ({ ...one, connectionId: key.connectionId })),
    ...recalled.map((one) => ({ ...one, connectionId: key.connectionId, problem: RECALLED })),
    ...contradictions.map((one) => ({ ...one, problem: problemOfContradiction(one) })),
  ])
  await updateMatched(tx.sql, statement.id, tx.clock.now())
}

const RECALLED = 'it books an entry that was rejected or canceled, and that is sent again in another file'

/** Returns whether a line pays a check with another amount. Then the code of the payment opens the case (payments/check/paid/). */
const isPaidCheck = ({ rail, part, isBooked }: Misfit): boolean =>
  (rail === 'MAIL' || rail === 'PRINT') && part === 'sent' && !isBooked

/** Explains why a line that names a payment does not book it. */
export function problemOfMisfit(misfit: Misfit): Misfit & { problem: string } {
  const { cents, legCents, isBooked, formerBookedOn, part } = misfit
  const what = part === 'sent' ? 'movement' : 'return'
  const problem = isBooked
    ? `it books a ${what} that the line of ${formerBookedOn} has booked already`
    : `its amount is ${formatDollars(Math.abs(cents))}, and that of the ${what} that it names is ${formatDollars(legCents)}`
  return { ...misfit, problem }
}

const problemOfContradiction = ({ part }: Contradiction): string =>
  part === 'returned'
    ? 'it books the return of a movement, and the bank has sent no return'
    : 'it books a movement that was never sent, was stopped or was rejected'

/**
 * A line that contradicts the books about a leg. `place`: the place in the file of the statement. `postingId`: if the line books the leg, its
 * booking. Another booking of the line is another case.
 */
export type LineProblem = {
  lineId: string
  postingId?: string
  connectionId: string
  place: string
  cents: number
  platformId: string
  legId: string
  problem: string
  /** The proposed decision, if the line is not of a statement. */
  proposal?: string
}

/**
 * Opens a case for each line and leg, and holds the payment of the leg, because the bank's two reports about the leg differ. The same line, or
 * the same booking of it, does not hold the leg again.
 *
 * @returns the number of new cases
 */
export async function recordLineCases(
  tx: TxDeps,
  handlers: LegHandlers,
  lines: readonly LineProblem[],
): Promise<number> {
  if (lines.length === 0) return 0
  let count = 0
  const keys = lines.map(({ platformId, legId }) => ({ platformId, id: legId }))
  const legs = new Map((await lockLegs(tx, handlers, keys)).map((leg) => [leg.id, leg]))
  for (const { lineId, postingId = '', connectionId, place, cents, legId, problem, proposal } of lines) {
    const leg = legs.get(legId) ?? null
    const note = `A line of a ${proposal === undefined ? 'bank statement' : 'notification'} (${place}): ${problem}.`
    const isNew = await recordHoldingCase(tx, {
      ...{ kind: 'line_contradicts', connectionId, source: 'statement', line: 0, isBankWide: false, leg },
      file: { id: lineId, name: 'bank statement' },
      event: postingId,
      cents: Math.abs(cents),
      note,
      content: { lines: [], ...(proposal !== undefined && { proposals: [proposal] }) },
    })
    if (isNew) count++
  }
  return count
}

/**
 * Replaces the cases of a line that the operator has decided: closes the open ones, and opens one for each leg that the line now books and
 * about which it contradicts the bank's answers. A decision cannot pay a debit out that the bank took back.
 *
 * @returns the number of payments that the line holds
 */
export async function replaceContradictions(
  tx: TxDeps,
  handlers: LegHandlers,
  { lineId, ...end }: { lineId: string } & CaseEnd,
): Promise<number> {
  await endContradictions(tx, handlers, { lineId, legId: null, ...end })
  const contradictions = await listContradictions(tx.sql, { lineId })
  return recordLineCases(
    tx,
    handlers,
    contradictions.map((one) => ({ ...one, problem: problemOfContradiction(one) })),
  )
}

/** Closes cases about returns that the bank has confirmed in the meantime. */
export async function closeConfirmed(deps: Deps, handlers: LegHandlers, isolation: Isolation): Promise<void> {
  const resolution = 'The bank sent the return.'
  for (const { platformId, lineId, legId } of await listConfirmedReturns(deps.sql, isolation.skipped())) {
    const end = () => inTransaction(deps, (tx) => endContradictions(tx, handlers, { lineId, legId, resolution }))
    await isolation.run({ platformId, kind: 'leg', id: legId }, end)
  }
}

/**
 * Closes the open cases of a line that contradicts payments, and releases the payments.
 *
 * @param given.legId of the only case to close. Null: all cases of the line
 */
async function endContradictions(
  tx: TxDeps,
  handlers: LegHandlers,
  { lineId, legId, ...end }: { lineId: string; legId: string | null } & CaseEnd,
): Promise<void> {
  for (const row of await findSubjectCases(tx, { kind: 'line_contradicts', subjectId: lineId }))
    if (legId === null || row.legId === legId) await settleBankCase(tx, handlers, { row, ...end })
}
