import { withoutZeros } from '../../foundation/core/account-number.ts'
import { formatDollars } from '../../foundation/core/money.ts'
import { accountOf, findConnection } from '../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { findSubjectCase, recordBankCase } from '../../foundation/exception/bank-case-actions.ts'
import { holdLeg, type LegHandlers, lockLegs } from '../rail/leg-actions.ts'
import { settleBankCase } from '../rail/leg-release-actions.ts'
import { book } from './booking-actions.ts'
import { matchCredits } from './credit/credit-actions.ts'
import { linkDetails } from './detail/detail-actions.ts'
import { listMisfits, type Misfit, matchParts, matchReferences } from './match-reference-store.ts'
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

/** Lines that one transaction matches. */
const LINES_AT_A_TIME = 10_000

/** Cases of one statement. The other lines wait in suspense without one. */
const MAX_CASES = 1_000

/**
 * Matches the lines of a placed statement and posts them: by the numbers of wallets, by our references, by files, by the operator's rules, and by
 * amounts that only one leg has. All other lines go to suspense. A payment that a line contradicts is held until its case is closed. After a crash, the next pass
 * continues.
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

/** The digests of an account's number, by which checks are found. */
function digestsOf({ keyRing, connections }: Pick<Deps, 'keyRing' | 'connections'>, key: AccountKey): Buffer[] {
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

/** Handles the lines that matched nothing alone. */
async function matchRest(
  tx: TxDeps,
  handlers: LegHandlers,
  { statement, ...matching }: Matching & { statement: MatchedStatement },
): Promise<void> {
  const { key, range, digests } = matching
  await book(tx, key, await matchParts(tx.sql, range, { digests }))
  const misfits = await listMisfits(tx.sql, range, { digests, limit: MAX_CASES })
  for (const { lineId, problem } of misfits.map(problemOfMisfit)) await updateLineReason(tx.sql, lineId, problem)
  const suspense = { operatorPlatform: OPERATOR_PLATFORM, suspense: suspenseName(key) }
  await book(tx, key, await matchNothing(tx.sql, range, suspense), 'SUSPENSE')
  const contradictions = await listContradictions(tx.sql, statement.id)
  await recordLineCases(tx, handlers, [
    ...misfits
      .filter((one) => !isPaidCheck(one))
      .map((one) => ({ ...problemOfMisfit(one), connectionId: key.connectionId })),
    ...contradictions.map((one) => ({ ...one, problem: problemOfContradiction(one) })),
  ])
  await updateMatched(tx.sql, statement.id, tx.clock.now())
}

/** Whether a line pays a check with another amount. Its payment opens the case: see payments/check/paid/. */
const isPaidCheck = ({ rail, part, isBooked }: Misfit): boolean =>
  (rail === 'MAIL' || rail === 'PRINT') && part === 'sent' && !isBooked

/** Why a line that names a payment does not book it. */
function problemOfMisfit(misfit: Misfit): Misfit & { problem: string } {
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

/** A line that says otherwise than the books about a leg. `place`: in the file of the statement. */
export type LineProblem = {
  lineId: string
  connectionId: string
  place: string
  cents: number
  platformId: string
  legId: string
  problem: string
}

/** Opens a case for each line, and holds the payment of its leg: the bank's two answers about it differ. */
export async function recordLineCases(tx: TxDeps, handlers: LegHandlers, lines: readonly LineProblem[]): Promise<void> {
  if (lines.length === 0) return
  const keys = lines.map(({ platformId, legId }) => ({ platformId, id: legId }))
  const legs = new Map((await lockLegs(tx, handlers, keys)).map((leg) => [leg.id, leg]))
  for (const { lineId, connectionId, place, cents, legId, problem } of lines) {
    const leg = legs.get(legId) ?? null
    const note = `A line of a bank statement (${place}): ${problem}.`
    if (leg) await holdLeg(tx, leg, note)
    await recordBankCase(tx, {
      ...{ kind: 'line_contradicts', connectionId, source: 'statement', line: 0, isBankWide: false, leg },
      file: { id: lineId, name: 'bank statement' },
      cents: Math.abs(cents),
      note,
      content: { lines: [] },
    })
  }
}

/** Closes cases about returns that the bank has confirmed since. */
export const closeConfirmed = (deps: Deps, handlers: LegHandlers): Promise<void> =>
  inTransaction(deps, async (tx) => {
    for (const { lineId } of await listConfirmedReturns(tx.sql))
      await endContradiction(tx, handlers, { lineId, resolution: 'The bank sent the return.' })
  })

/** Closes the case of a line that contradicts a payment, if one is open, and releases the payment. */
export async function endContradiction(
  tx: TxDeps,
  handlers: LegHandlers,
  { lineId, resolution }: { lineId: string; resolution: string },
): Promise<void> {
  const row = await findSubjectCase(tx, { kind: 'line_contradicts', subjectId: lineId })
  if (row) await settleBankCase(tx, handlers, { row, resolution })
}
