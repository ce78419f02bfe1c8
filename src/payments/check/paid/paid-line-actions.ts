import type { TxDeps } from '../../../foundation/db/deps.ts'
import type { CaseContent } from '../../../foundation/exception/bank-case-rules.ts'
import { recordException } from '../../../foundation/exception/exception-actions.ts'
import { businessDate } from '../../../foundation/lib/clock.ts'
import { applyLegEvent, type LegHandlers, lockLeg } from '../../../money/rail/leg-actions.ts'
import { recordHoldingCase } from '../../../money/rail/leg-case-actions.ts'
import { isStatement } from '../../../money/reconciliation/statement-check-actions.ts'
import { accountsNamed, mayMeanAccount, type OwnAccount, readOwnAccounts } from './paid-account-actions.ts'
import {
  judgePaidLine,
  type KnownCheck,
  type NewCase,
  nameOf,
  stoppedPaidNote,
  type Verdict,
  type Witness,
} from './paid-check-rules.ts'
import {
  findAcceptedAt,
  isAmountOut,
  isLostCheck,
  listNumberedChecks,
  markPaid,
  type NumberedCheck,
} from './paid-check-store.ts'
import type { PaidLine } from './paid-line-rules.ts'
import type { PaidReading } from './paid-list-rules.ts'

/** A list whose lines are being applied. */
export type PaidList = {
  file: { id: string; name: string; connectionId: string }
  witness: Witness
  today: string
  accounts: readonly OwnAccount[]
  /** The account that the list names outside of its lines, for a list without an account column. */
  account: PaidReading['account']
  /** The lines that are applied, by their number in the file. */
  texts: ReadonlyMap<number, string>
  /** Checks that were read for several lines together, by number. Other checks are read for each line. */
  known: Map<number, NumberedCheck[]>
}

export async function beginList(
  tx: TxDeps,
  {
    file,
    witness,
    reading,
  }: { file: PaidList['file']; witness: Witness; reading: Pick<PaidReading, 'lines' | 'account' | 'hasAccountColumn'> },
): Promise<PaidList> {
  return {
    file,
    witness,
    today: businessDate(tx.clock.now(), tx.settings.timeZone),
    accounts: await readOwnAccounts(tx, file.connectionId),
    account: reading.hasAccountColumn ? null : reading.account,
    texts: new Map(reading.lines.map(({ line }) => [line.number, line.text.trim()])),
    known: new Map(),
  }
}

/** Reads the checks that lines name, until a line changes them. */
export async function readChecksOfLines(tx: TxDeps, list: PaidList, lines: readonly PaidLine[]): Promise<void> {
  const numbers = [...new Set(lines.flatMap(({ number }) => number ?? []))]
  const found = await listNumberedChecks(tx.sql, { accountDigests: digestsOf(list.accounts), numbers })
  const byNumber = Map.groupBy(found, ({ number }) => number)
  list.known.clear()
  for (const number of numbers) list.known.set(number, byNumber.get(number) ?? [])
}

/** Lines with a common key are applied in turn: those that name the same check, or checks of the same payment. */
export const keysOfLine = ({ known }: PaidList, { number }: PaidLine): string[] =>
  number === null ? [] : [String(number), ...(known.get(number) ?? []).map(({ paymentId }) => paymentId)]

/** A line has changed a check, and may have changed others of its payment. */
function forgetChecks({ known }: PaidList, { paymentId }: { paymentId: string }): void {
  for (const [number, checks] of known) if (checks.some((check) => check.paymentId === paymentId)) known.delete(number)
}

const digestsOf = (accounts: readonly OwnAccount[]): Buffer[] => accounts.flatMap(({ digests }) => digests)

/** The outcome of a line. `case`: the operator decides. `remark`: the line reports nothing new. */
export type LineOutcome = { outcome: 'paid' } | { outcome: 'remark' | 'case'; reason: string }

type JudgedLine = { line: PaidLine; verdict: Verdict }

/** Decides about one line of a list by what is known now. */
export async function judgeLine(
  tx: TxDeps,
  { list, line: given }: { list: PaidList; line: PaidLine },
): Promise<JudgedLine> {
  const line = { ...given, account: given.account ?? list.account }
  const named = accountsNamed(tx, list.accounts, line.account)
  const checks = await checksOf(tx, list, { line, named })
  const mentionsOurs = mayMeanAccount(list.accounts, line)
  const { today, witness } = list
  const isLost = checks.named.length === 0 && (await isLostCheck(tx.sql, line))
  const facts = { today, witness, isOurs: named.length > 0, mentionsOurs, isLost, ...checks }
  return { line, verdict: judgePaidLine(line, facts) }
}

/** Decides about a line that the operator has matched with a check. */
export async function judgeMatched(
  tx: TxDeps,
  { list: { today, witness }, line, check }: { list: PaidList; line: PaidLine; check: NumberedCheck },
): Promise<JudgedLine> {
  const named = [await knownCheck(tx, check)]
  const facts = { today, witness, isOurs: true, mentionsOurs: true, isLost: false, earlier: null, others: [], named }
  return { line, verdict: judgePaidLine(line, facts) }
}

/** Applies one line of a list: its check becomes PAID, or the line becomes a case or a remark. */
export async function applyLine(
  tx: TxDeps,
  handlers: LegHandlers,
  { list, line, verdict }: { list: PaidList } & JudgedLine,
): Promise<LineOutcome> {
  switch (verdict.outcome) {
    case 'pay':
      return payCheck(tx, handlers, { list, line, check: verdict.check })
    case 'stopped_paid':
      await reportStoppedPaid(tx, verdict.check, line.paidOn ?? list.today)
      return { outcome: 'case', reason: verdict.reason }
    case 'confirm':
      await markPaid(tx.sql, paidCheckOf(list, line, verdict.check))
      return { outcome: 'remark', reason: verdict.reason }
    case 'case':
      return recordLineCase(tx, handlers, { list, line, one: verdict })
    default:
      return verdict
  }
}

async function checksOf(
  tx: TxDeps,
  list: PaidList,
  { line: { number, line }, named }: { line: PaidLine; named: readonly OwnAccount[] },
): Promise<{ named: KnownCheck[]; others: KnownCheck[]; earlier: 'same_line' | 'other_line' | null }> {
  if (number === null) return { named: [], others: [], earlier: null }
  const accountDigests = digestsOf(list.accounts)
  const checks = list.known.get(number) ?? (await listNumberedChecks(tx.sql, { accountDigests, numbers: [number] }))
  const digestsNamed = digestsOf(named)
  const isNamed = ({ accountDigest }: NumberedCheck) => digestsNamed.some((digest) => digest.equals(accountDigest))
  const [found, others] = [checks.filter(isNamed), checks.filter((check) => !isNamed(check))]
  const [first] = found
  return {
    named: await Promise.all(found.map((check) => knownCheck(tx, check))),
    others: await Promise.all(others.map((check) => knownCheck(tx, check))),
    earlier: first?.paidFileId === list.file.id ? earlierOf(list, first, line) : null,
  }
}

function earlierOf(
  { texts }: PaidList,
  { paidLine }: NumberedCheck,
  line: PaidLine['line'],
): 'same_line' | 'other_line' {
  const isSame = paidLine === line.number || texts.get(paidLine ?? 0) === line.text.trim()
  return isSame ? 'same_line' : 'other_line'
}

/** Reads the checks with a number on some accounts of the operator. */
export async function readKnownChecks(
  tx: TxDeps,
  accounts: readonly OwnAccount[],
  number: number,
): Promise<KnownCheck[]> {
  const found = await listNumberedChecks(tx.sql, { accountDigests: digestsOf(accounts), numbers: [number] })
  return Promise.all(found.map((check) => knownCheck(tx, check)))
}

async function knownCheck(tx: TxDeps, check: NumberedCheck): Promise<KnownCheck> {
  const acceptedAt = check.stopFileId ? await findAcceptedAt(tx.sql, check.stopFileId) : null
  const dayOf = (at: Date | null) => at && businessDate(at, tx.settings.timeZone)
  const paidBy = check.paidOn === null ? null : await witnessOf(tx, check.paidFileId)
  return { ...check, stoppedOn: dayOf(check.stoppedAt), stopAcceptedOn: dayOf(acceptedAt), paidBy }
}

async function witnessOf(tx: TxDeps, paidFileId: string | null): Promise<KnownCheck['paidBy']> {
  if (paidFileId === null) return 'scan'
  return (await isStatement(tx, paidFileId)) ? 'statement' : 'list'
}

async function payCheck(
  tx: TxDeps,
  handlers: LegHandlers,
  { list, line, check }: { list: PaidList; line: PaidLine; check: KnownCheck },
): Promise<LineOutcome> {
  forgetChecks(list, check)
  const leg = await lockLeg(tx, handlers, { platformId: check.platformId, id: check.legId })
  const paid = leg && (await applyLegEvent(tx, handlers[leg.purpose], leg, 'settle'))
  if (!paid) {
    // The check may have been stopped since the query.
    const now = { ...check, status: leg?.status ?? check.status }
    return recordLineCase(tx, handlers, { list, line, one: { ...entryAbout(now), reason: nameOf(now) } })
  }
  await markPaid(tx.sql, paidCheckOf(list, line, check))
  return { outcome: 'paid' }
}

const paidCheckOf = ({ file, today }: PaidList, { line, paidOn }: PaidLine, { platformId, legId }: KnownCheck) => ({
  ...{ platformId, legId },
  fileId: file.id,
  line: line.number,
  paidOn: paidOn ?? today,
})

const entryAbout = (check: KnownCheck) => ({ kind: 'entry_unread', check, isBankWide: false }) as const

/** Reports that the bank paid a stopped check. */
const reportStoppedPaid = (tx: TxDeps, check: KnownCheck, paidOn: string): Promise<void> =>
  recordException(tx, {
    platformId: check.platformId,
    kind: 'stopped_check_paid',
    paymentId: check.paymentId,
    legId: check.legId,
    cents: check.cents,
    note: stoppedPaidNote(check, paidOn),
  })

/** Records why a line was not used, and holds the legs of the payment whose check it names, once for each line. */
export async function recordLineCase(
  tx: TxDeps,
  handlers: LegHandlers,
  {
    list,
    line,
    one: { kind, reason, check, isBankWide },
  }: { list: Pick<PaidList, 'file' | 'witness'>; line: PaidLine; one: NewCase },
): Promise<LineOutcome> {
  const { number } = line.line
  const isList = list.witness === 'list'
  const leg = check && (await lockLeg(tx, handlers, { platformId: check.platformId, id: check.legId }))
  await recordHoldingCase(tx, {
    kind,
    connectionId: list.file.connectionId,
    source: 'paid',
    file: list.file,
    line: number,
    isBankWide: isBankWide || (kind === 'check_amount_differs' && (await isAmountOut(tx.sql, line.cents))),
    leg,
    cents: check?.cents ?? line.cents[0] ?? null,
    note: `Line ${number} of ${isList ? 'a list of paid checks' : 'a bank statement'} was not used: ${reason}.`,
    content: contentOf(line),
    reason: `${isList ? `The list ${list.file.name} of paid checks` : list.file.name}, line ${number}: ${reason}`,
  })
  return { outcome: 'case', reason }
}

/** The values that were read from a line. The operator corrects only those that are wrong. */
export type LineData = { account: string | null; number: number | null; cents: number[]; paidOn: string | null }

function contentOf({ line, account, number, cents, paidOn, problem }: PaidLine): CaseContent {
  const data: LineData = { account: account?.digits ?? null, number, cents: [...cents], paidOn }
  return { lines: [line], data, ...(problem !== null && { problems: [problem] }) }
}
