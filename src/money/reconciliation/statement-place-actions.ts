import { createHash } from 'node:crypto'
import type { Connection } from '../../foundation/core/connections.ts'
import { formatDollars } from '../../foundation/core/money.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { endBankCase, recordBankCase } from '../../foundation/exception/bank-case-actions.ts'
import type { BankCaseKind } from '../../foundation/exception/bank-case-rules.ts'
import { postBankBalance } from '../ledger/bank-posting-actions.ts'
import type { StatementHead, StatementTotals } from '../statement/statement-types.ts'
import { findLastClosedDay, lockChain } from './month-lock-store.ts'
import {
  type AccountKey,
  bankAccountName,
  OPERATOR_PLATFORM,
  openingName,
  ownAccountOf,
  suspenseName,
} from './own-account-rules.ts'
import {
  comparedContent,
  doNumbersProve,
  type LineTexts,
  type Numbers,
  OTHER_CONTENT,
  partOf,
  refusalOf,
  type StatementPlace,
} from './statement-chain-rules.ts'
import {
  findNeighbors,
  listPlacedOn,
  listSealedLines,
  lockReading,
  type SealedLine,
  type StatementRow,
  sumLines,
  sumWithoutBalances,
  updateBalancePosted,
  updateStatement,
} from './statement-store.ts'

/** A statement that was read to its end. `problems`: sentences without values of the file. `totals`: null if the file broke off. */
export type ReadStatement = {
  id: string
  connection: Connection
  fileName: string
  head: StatementHead
  totals: StatementTotals | null
  problems: readonly string[]
  /** The places of lines that could not be read. */
  unreadLines: readonly string[]
}

/**
 * Places a statement in the chain of its account, in one transaction. If the same statement arrives twice, the second one is linked to the
 * first. A statement without a place becomes a case, and its lines are not used.
 */
export async function placeStatement(tx: TxDeps, statement: ReadStatement): Promise<void> {
  const { id, connection, head, totals } = statement
  const row = await lockReading(tx.sql, id)
  if (!row) return
  const { lastDay, ...sums } = await sumLines(tx.sql, id)
  const account = ownAccountOf(connection, head.account)
  const day = head.day ?? lastDay
  const { openingCents = null, closingCents = null } = totals ?? {}
  const facts = { ...sums, day, openingCents, closingCents, accountId: account?.id ?? null }
  const refusal = refusalOf({ ...head, hasEnd: totals !== null, account, day })
  if (refusal !== null || account === null) {
    await updateStatement(tx.sql, id, { ...facts, status: 'SET_ASIDE' })
    return recordCase(tx, statement, { kind: 'statement_unread', problem: refusal ?? 'it names no account' })
  }
  if (head.action === 'test') return updateStatement(tx.sql, id, { ...facts, status: 'SET_ASIDE' })
  if (head.kind !== 'statement' || day === null) {
    await updateStatement(tx.sql, id, { ...facts, status: 'NOTED' })
    return endUnreadCases(tx, id)
  }
  await lockChain(tx.sql, { connectionId: connection.id, accountId: account.id })
  return placeInChain(tx, { statement, row: { ...row, ...facts, accountId: account.id, day } })
}

/** Ends the cases of a statement that was set aside before, and that is used now. */
async function endUnreadCases(tx: TxDeps, id: string): Promise<void> {
  for (const kind of ['statement_unread', 'month_closed'] as const)
    await endBankCase(tx, { kind, subjectId: id }, 'The statement was read again.')
}

type PlacedRow = StatementRow & { accountId: string; day: string }

async function placeInChain(
  tx: TxDeps,
  { statement, row }: { statement: ReadStatement; row: PlacedRow },
): Promise<void> {
  const { id, accountId, day, openingCents, closingCents, lineCount, creditCents, debitCents, linesHash } = row
  const facts = { accountId, day, openingCents, closingCents, lineCount, creditCents, debitCents, linesHash }
  const numbers: Numbers = { ...facts, linesHash: linesHash ?? '', lastDay: day, sequence: row.sequence }
  const key = { connectionId: row.connectionId, accountId }
  const place = await placeOf(tx, { id, numbers, placed: await listPlacedOn(tx.sql, key, day) })
  if ('sameAs' in place) {
    await updateStatement(tx.sql, id, { ...facts, status: 'DUPLICATE', sameAs: place.sameAs })
    return endUnreadCases(tx, id)
  }
  if ('problem' in place) {
    await updateStatement(tx.sql, id, { ...facts, status: 'SET_ASIDE' })
    return recordCase(tx, statement, { kind: 'statement_unread', problem: place.problem })
  }
  const closed = await findLastClosedDay(tx.sql, key)
  if (closed !== null && day <= closed) {
    await updateStatement(tx.sql, id, { ...facts, status: 'SET_ASIDE' })
    const problem = `it is of ${day}, and ${day.slice(0, 7)} is closed for ${key.connectionId}:${accountId}`
    return recordCase(tx, statement, { kind: 'month_closed', problem })
  }
  const { part } = place
  await updateStatement(tx.sql, id, {
    ...facts,
    ...{ part, status: 'PLACED', matchedAt: lineCount === 0 ? tx.clock.now() : null },
  })
  await endUnreadCases(tx, id)
  await recordUnreadLines(tx, statement)
  await postBalance(tx, key, { ...row, part }, statement)
  const { after } = await findNeighbors(tx.sql, { ...key, day, part })
  if (after) await postBalance(tx, key, after as PlacedRow, statement)
  tx.afterCommit(tx.wake)
}

async function placeOf(
  tx: TxDeps,
  { id, numbers, placed }: { id: string; numbers: Numbers; placed: readonly StatementRow[] },
): Promise<StatementPlace> {
  const place = partOf(numbers, placed)
  if (!('sameAs' in place) || doNumbersProve(numbers)) return place
  return (await sumOfTexts(tx, id)) === (await sumOfTexts(tx, place.sameAs)) ? place : OTHER_CONTENT
}

const LINES_AT_A_TIME = 1_000

/** Returns a number that is equal for statements whose lines have equal texts and references, in any order. */
async function sumOfTexts(tx: TxDeps, statementId: string): Promise<bigint> {
  let sum = 0n
  for (let after: number | null = 0; after !== null; ) {
    const rows: SealedLine[] = await listSealedLines(tx.sql, { statementId, after, limit: LINES_AT_A_TIME })
    for (const { contentSealed, ...line } of rows) {
      const content = JSON.parse(tx.keyRing.openText(contentSealed, 'statement line')) as LineTexts
      const hash = createHash('sha256').update(comparedContent({ ...content, ...line }))
      sum += BigInt(`0x${hash.digest('hex')}`)
    }
    after = rows.length < LINES_AT_A_TIME ? null : (rows.at(-1) as SealedLine).position
  }
  return sum
}

/**
 * Posts the part of a statement's balances that its lines do not explain. The first statement of an account opens the account. A gap before
 * a statement, and a difference to its lines, become cases and stay in suspense until the missing lines arrive. After the posting, the
 * bank's ledger account has the closing balance.
 */
async function postBalance(tx: TxDeps, key: AccountKey, row: PlacedRow, file: ReadStatement): Promise<void> {
  const { id, openingCents, closingCents, creditCents, debitCents } = row
  if (openingCents === null || closingCents === null) return
  const { before } = await findNeighbors(tx.sql, { ...key, day: row.day, part: row.part })
  const otherCents = await sumWithoutBalances(tx.sql, { ...key, day: row.day, part: row.part }, before)
  const gapCents = before ? openingCents - (before.closingCents ?? 0) - otherCents : 0
  const differenceCents = closingCents - openingCents - creditCents + debitCents
  const wanted = { openedCents: before ? 0 : openingCents - otherCents, carriedCents: gapCents + differenceCents }
  const changes = [
    { account: openingName(key), cents: wanted.openedCents - row.openedCents },
    { account: suspenseName(key), cents: wanted.carriedCents - row.carriedCents },
  ]
  for (const change of changes.filter(({ cents }) => cents !== 0)) {
    await postBankBalance(tx, { ...change, platformId: OPERATOR_PLATFORM, bankAccount: bankAccountName(key) })
  }
  await updateBalancePosted(tx.sql, id, wanted)
  const statement = { ...file, id }
  const isNew = id === file.id
  if (isNew && differenceCents !== 0)
    await recordCase(tx, statement, {
      kind: 'statement_difference',
      cents: Math.abs(differenceCents),
      problem: `the closing balance of ${row.day} differs from the opening balance and the lines by ${formatDollars(differenceCents)}`,
    })
  if (!isNew && wanted.carriedCents === row.carriedCents) return
  // A gap of another amount is another case.
  const resolution = gapCents === 0 ? 'The missing lines arrived.' : 'The gap has another amount now.'
  await endBankCase(tx, { kind: 'statement_gap', subjectId: id }, resolution)
  if (gapCents === 0) return
  await recordCase(tx, statement, {
    ...{ kind: 'statement_gap', event: file.id, cents: Math.abs(gapCents) },
    problem: `the statement of ${row.day} opens with ${formatDollars(openingCents)}, and the one before, of ${before?.day}, closed with ${formatDollars(before?.closingCents ?? 0)}: ${formatDollars(gapCents)} in between`,
  })
}

const MAX_LINE_CASES = 100

async function recordUnreadLines(tx: TxDeps, statement: ReadStatement): Promise<void> {
  const { unreadLines } = statement
  for (const [index, problem] of unreadLines.slice(0, MAX_LINE_CASES).entries())
    await recordCase(tx, statement, { kind: 'statement_line_unread', problem, line: index + 1 })
}

/** Records a case about a statement. Its content contains the problems that the reader found. */
const recordCase = (
  tx: TxDeps,
  { id, connection, fileName, head, problems }: ReadStatement,
  {
    kind,
    problem,
    cents = null,
    line = 0,
    event = '',
  }: { kind: BankCaseKind; problem: string; cents?: number | null; line?: number; event?: string },
): Promise<void> =>
  recordBankCase(tx, {
    ...{ kind, connectionId: connection.id, source: 'statement', file: { id, name: fileName }, line, event, cents },
    // A statement that cannot be used may contain a returned debit.
    isBankWide: kind === 'statement_unread' || kind === 'month_closed',
    note: `A bank statement (${head.place}): ${problem}.`,
    content: { lines: [], problems: [...problems] },
  })
