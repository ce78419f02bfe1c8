import { recordPlatformAudit } from '../../../connections/exchange/outgoing-file-actions.ts'
import { formatDollars } from '../../../foundation/core/money.ts'
import { findConnection } from '../../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import {
  findCasesWithoutLeg,
  findKeptFiles,
  findOpenBankCase,
  findOpenCases,
  readInboundFile,
} from '../../../foundation/exception/bank-case-actions.ts'
import type { AppliedCase, CaseContent, ReadAgain } from '../../../foundation/exception/bank-case-rules.ts'
import type { BankCaseRow, OpenBankCase } from '../../../foundation/exception/bank-case-store.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { applyLegEvent, type LegHandlers, lockLeg } from '../../../money/rail/leg-actions.ts'
import { settleBankCase } from '../../../money/rail/leg-release-actions.ts'
import { isStatement } from '../../../money/reconciliation/statement-check-actions.ts'
import { accountsNamed } from './paid-account-actions.ts'
import { type AppliedLines, applyLines } from './paid-check-actions.ts'
import { type KnownCheck, nameOf } from './paid-check-rules.ts'
import { listPlatformsPaidBy, markPaid, updatePaidUsed } from './paid-check-store.ts'
import { beginList, type LineData, type PaidList, readKnownChecks } from './paid-line-actions.ts'
import { bookedLine } from './paid-line-rules.ts'
import { type PaidReading, readPaidList, unreadList } from './paid-list-rules.ts'
import { type ReadAccount, readAccount, readAmount, readCheckNumber, readDate } from './paid-value-rules.ts'

/** The values that the operator corrects, as they are typed on the command line. */
export type PaidValues = { [Name in 'account' | 'number' | 'amount' | 'date']?: string | undefined }

type Decision = { row: BankCaseRow; content: CaseContent; values: PaidValues }

/**
 * Applies the operator's decision about a case of a list of paid checks. The caller has locked the case and closes it.
 *
 * @throws StartProblem if values are missing or do not fit
 */
export async function applyPaidCase(tx: TxDeps, handlers: LegHandlers, decision: Decision): Promise<AppliedCase> {
  switch (decision.row.kind) {
    case 'file_unread':
      return applyReadable(tx, handlers, decision.row)
    case 'entry_unread':
      return applyByHand(tx, handlers, decision)
    case 'check_amount_differs':
      return applyOwnAmount(tx, handlers, decision)
    default:
      throw new StartProblem('A list of paid checks cannot cause this exception. Close it with a note.')
  }
}

/** Applies the readable lines. The others become cases. */
async function applyReadable(tx: TxDeps, handlers: LegHandlers, row: BankCaseRow): Promise<AppliedCase> {
  const reading = await readKept(tx, row)
  if (reading.lines.length === 0) {
    throw new StartProblem(
      `No line of this list can be read: ${reading.problems[0]}. Describe its columns in the layout of the bank (paid_list, see docs/check-layouts.md) and run "remit files read NAME --again --by NAME --why TEXT", or ask the bank for the right list and close the exception.`,
    )
  }
  const { usedCount, setAside, outcomes } = await applyKept(tx, handlers, { row, reading })
  const others = setAside.length > 0 ? ` ${setAside.length} were not applied: see "remit exceptions list".` : ''
  const platformIds = await listPlatformsPaidBy(tx.sql, row.inboundFileId)
  return { done: `${usedCount} of ${outcomes.size} lines were applied.${others}`, platformIds }
}

async function applyKept(
  tx: TxDeps,
  handlers: LegHandlers,
  { row, reading }: { row: KeptList; reading: PaidReading },
): Promise<AppliedLines> {
  const file = { id: row.inboundFileId, name: row.fileName, connectionId: row.connectionId }
  const applied = await applyLines(tx, handlers, { file, reading, failed: [] })
  await updatePaidUsed(tx.sql, file.id)
  return applied
}

type KeptList = Pick<BankCaseRow, 'inboundFileId' | 'fileName' | 'connectionId'>

async function readKept(
  tx: TxDeps,
  { inboundFileId, connectionId }: Pick<KeptList, 'inboundFileId' | 'connectionId'>,
): Promise<PaidReading> {
  const bytes = await readInboundFile(tx, inboundFileId)
  const checks = findConnection(tx.connections.current(), connectionId)?.checks
  return bytes ? readPaidList(bytes, checks?.layout.paidList ?? null) : unreadList(['its bytes were not kept'])
}

/** Records that a check was paid, with the correct values of the line and the operator's values for the others. */
async function applyByHand(tx: TxDeps, handlers: LegHandlers, decision: Decision): Promise<AppliedCase> {
  const { row, content, values } = decision
  const data = dataOf(content)
  const list = await listOf(tx, row)
  const number = values.number === undefined ? data.number : readCheckNumber(values.number)
  if (number === null) throw new StartProblem('--number must be the number of the check that was paid.')
  const cents = values.amount === undefined ? data.cents : (readAmount(values.amount)?.cents ?? [])
  if (cents.length === 0) throw new StartProblem('--amount must be the amount of the check, such as 1250.00.')
  const check = await findCheck(tx, list, { number, account: accountOf(values, data) })
  if (!cents.includes(check.cents)) {
    throw new StartProblem(
      `Check ${number} has the amount ${formatDollars(check.cents)}. If the bank paid another one, give --amount ${(check.cents / 100).toFixed(2)} and claim the difference from the bank.`,
    )
  }
  const paidOn = dateOf(values, data, { today: list.today, issuedOn: check.issuedOn })
  await payByHand(tx, handlers, { row, check, paidOn })
  return { done: `Check ${number} was paid on ${paidOn}.`, platformIds: [check.platformId] }
}

const dataOf = ({ data }: CaseContent): LineData => ({
  account: null,
  number: null,
  cents: [],
  paidOn: null,
  ...(data as Partial<LineData>),
})

const listOf = (tx: TxDeps, { inboundFileId: id, fileName: name, connectionId }: BankCaseRow): Promise<PaidList> =>
  beginList(tx, { file: { id, name, connectionId }, witness: 'list', reading: unreadList([]) })

function accountOf({ account }: PaidValues, data: LineData): ReadAccount | null {
  if (account === undefined) return data.account === null ? null : readAccount(data.account)
  const read = readAccount(account)
  if (!read) throw new StartProblem('--account must be the number of the account, or its last four digits.')
  return read
}

/** Finds the check by its number alone, because the account of the line may be misspelled. */
async function findCheck(
  tx: TxDeps,
  list: PaidList,
  { number, account }: { number: number; account: ReadAccount | null },
): Promise<KnownCheck> {
  const named = accountsNamed(tx, list.accounts, account)
  const checks = await readKnownChecks(tx, named.length > 0 ? named : list.accounts, number)
  const [check, ...others] = checks
  if (!check) throw new StartProblem(`No check ${number} was drawn on this account. Give its --number and --account.`)
  if (others.length > 0) throw new StartProblem(`Several accounts have a check ${number}. Give --account.`)
  return check
}

function dateOf(
  { date }: PaidValues,
  data: LineData,
  { today, issuedOn }: { today: string; issuedOn: string },
): string {
  const paidOn = date === undefined ? data.paidOn : readDate(date).on
  if (paidOn === null || paidOn > today || paidOn < issuedOn) {
    throw new StartProblem(`--date must be the day on which it was paid, from ${issuedOn} to ${today}: YYYY-MM-DD.`)
  }
  return paidOn
}

/** Records a check as paid with its own amount. The operator settles the difference with the bank. */
async function applyOwnAmount(
  tx: TxDeps,
  handlers: LegHandlers,
  { row, content, values }: Decision,
): Promise<AppliedCase> {
  const data = dataOf(content)
  const list = await listOf(tx, row)
  if (data.number === null) throw new StartProblem('The line names no check. Close the exception with a note.')
  const check = await findCheck(tx, list, { number: data.number, account: accountOf({}, data) })
  const paidOn = dateOf(values, { ...data, paidOn: data.paidOn ?? list.today }, { ...check, today: list.today })
  await payByHand(tx, handlers, { row, check, paidOn })
  const taken = data.cents.map(formatDollars).join(' or ')
  const done = `Check ${check.number} was paid on ${paidOn} with its amount, ${formatDollars(check.cents)}. The bank says ${taken}: settle the difference with the bank.`
  return { done, platformIds: [check.platformId] }
}

async function payByHand(
  tx: TxDeps,
  handlers: LegHandlers,
  { row, check, paidOn }: { row: BankCaseRow; check: KnownCheck; paidOn: string },
): Promise<void> {
  const leg = await lockLeg(tx, handlers, { platformId: check.platformId, id: check.legId })
  // A check that waits to be printed again may have been printed before, although the printer rejected its file.
  const sent = leg?.status === 'WAITING' ? await applyLegEvent(tx, handlers[leg.purpose], leg, 'send') : leg
  const paid = sent && (await applyLegEvent(tx, handlers[sent.purpose], sent, 'settle'))
  if (!paid) {
    const now = nameOf({ ...check, status: leg?.status ?? check.status })
    throw new StartProblem(`It cannot be recorded as paid: ${now}. Close the exception with a note.`)
  }
  const { platformId, legId } = check
  await markPaid(tx.sql, { platformId, legId, fileId: row.inboundFileId, line: row.line, paidOn })
}

/**
 * Applies lines about a check that were read after a restore, while its payment was unknown, and closes their cases. A line that still cannot
 * be applied has a case that names the payment. If an operator closed a case too early, its line is applied as well.
 */
export async function applyLinesOfCheck(
  tx: TxDeps,
  handlers: LegHandlers,
  { number, ...given }: { number: number; connectionId: string; since: Date },
): Promise<void> {
  const cases = await findCasesWithoutLeg(tx, { source: 'paid', ...given })
  for (const row of cases.filter(({ content }) => dataOf(content).number === number)) {
    const { outcomes } = await applyLines(tx, handlers, await lineOfCase(tx, row))
    const outcome = outcomes.get(row.line)
    const isApplied = outcome !== undefined && outcome.outcome !== 'case'
    if (row.closedAt || !(isApplied || (await hasCaseOfPayment(tx, row)))) continue
    const done = isApplied ? 'Its line was applied.' : 'Another exception about its line names the payment.'
    await settleBankCase(tx, handlers, { row, resolution: `The payment of the check is known again. ${done}` })
  }
}

/** Reads the line of a case again. The lines of bank statements are not kept as files. */
async function lineOfCase(tx: TxDeps, row: OpenBankCase): Promise<Parameters<typeof applyLines>[2]> {
  const file = { id: row.inboundFileId, name: row.fileName, connectionId: row.connectionId }
  if (!(await isStatement(tx, row.inboundFileId))) {
    const reading = await readKept(tx, row)
    const lines = reading.lines.filter(({ line }) => line.number === row.line)
    return { file, reading: { ...reading, lines }, failed: [] }
  }
  const { account, number, cents, paidOn } = dataOf(row.content)
  const [text] = row.content.lines
  const isWhole = text && account !== null && number !== null && cents[0] !== undefined && paidOn !== null
  const lines = isWhole ? [bookedLine(text, { account, number, cents: cents[0] as number, paidOn })] : []
  return { file, witness: 'statement', reading: { lines, account: null, hasAccountColumn: true }, failed: [] }
}

const hasCaseOfPayment = async (tx: TxDeps, { inboundFileId, line }: OpenBankCase): Promise<boolean> =>
  (await findOpenCases(tx, { inboundFileId })).some((one) => one.line === line && one.legId !== null)

/**
 * Reads a list with cases again after a setting has changed. Closes the cases whose lines can be applied now.
 *
 * @returns a text that says what was done
 * @throws StartProblem if no list of this name has a case, or the list still cannot be read
 */
export const readPaidFileAgain = (deps: Deps, handlers: LegHandlers, { name, by, why }: ReadAgain): Promise<string> =>
  inTransaction(deps, async (tx) => {
    const file = (await findKeptFiles(tx, name)).find(({ source }) => source === 'paid')
    if (!file) throw new StartProblem(`No list of paid checks with the name ${name} has an exception.`)
    const reading = await readKept(tx, file)
    if (reading.problems.length > 0) throw new StartProblem(`${name} still cannot be used: ${reading.problems[0]}.`)
    const row = { ...file, fileName: name }
    const { outcomes } = await applyKept(tx, handlers, { row, reading })
    const resolution = `The list was read again (${why}).`
    const closed = await closeSettled(tx, handlers, { fileId: file.inboundFileId, outcomes, resolution, by })
    for (const platformId of await listPlatformsPaidBy(tx.sql, file.inboundFileId)) {
      const audit = { platformId, action: 'bank_file_read_again', actor: 'operator', subject: `${by}: ${why}` } as const
      await recordPlatformAudit(tx, { name }, audit)
    }
    const left = [...outcomes.values()].filter(({ outcome }) => outcome === 'case').length
    return `${name} was read again. ${closed} cases are closed. ${left} lines are not applied.`
  })

/** Closes the case of the file, and those of lines that were applied now. @returns the number of closed cases */
async function closeSettled(
  tx: TxDeps,
  handlers: LegHandlers,
  { fileId, outcomes, ...end }: { fileId: string; outcomes: AppliedLines['outcomes']; resolution: string; by: string },
): Promise<number> {
  const open = await findOpenCases(tx, { inboundFileId: fileId })
  const settled = open.filter(({ line }) => line === 0 || outcomes.get(line)?.outcome !== 'case')
  for (const { id } of settled) {
    const row = await findOpenBankCase(tx, id)
    if (row) await settleBankCase(tx, handlers, { row, ...end })
  }
  return settled.length
}
