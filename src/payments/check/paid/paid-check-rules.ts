import { formatDollars } from '../../../foundation/core/money.ts'
import type { BankCaseKind } from '../../../foundation/exception/bank-case-rules.ts'
import { isInFlight, type LegStatus } from '../../../money/rail/leg-status.ts'
import type { PaidLine } from './paid-line-rules.ts'
import type { Remark } from './paid-list-rules.ts'

/** A check on an account of the operator. Dates are YYYY-MM-DD in the time zone of the business. */
export type KnownCheck = {
  platformId: string
  legId: string
  paymentId: string
  number: number
  cents: number
  status: LegStatus
  issuedOn: string
  stoppedOn: string | null
  /** The day on which the bank accepted the list that stops the check. */
  stopAcceptedOn: string | null
  paidOn: string | null
  /**
   * The source that reported the payment. `scan`: the check was scanned and deposited here, so no bank may pay it. Null: it is not paid.
   */
  paidBy: Witness | 'scan' | null
}

/** The source of the information that checks were paid: a list of the bank, or a bank statement. */
export type Witness = 'list' | 'statement'

export type NewCase = { kind: BankCaseKind; reason: string; check: KnownCheck | null; isBankWide: boolean }

export type Verdict =
  | { outcome: 'pay'; check: KnownCheck }
  /** The list confirms an earlier statement. From now on, the date in the list counts. */
  | { outcome: 'confirm'; check: KnownCheck; reason: string }
  /** The line needs no decision by the operator. */
  | { outcome: 'remark'; reason: string }
  | { outcome: 'stopped_paid'; check: KnownCheck; reason: string }
  | ({ outcome: 'case' } & NewCase)

/** The facts about the check that a line names. */
export type Facts = {
  today: string
  witness: Witness
  /** Whether the account of the line is the operator's. A list without accounts concerns the operator's account. */
  isOurs: boolean
  /** Whether an account of the operator may be anywhere in the line. Columns can be swapped, and a separator can split a number. */
  mentionsOurs: boolean
  /** The checks with the number of the line: `named` on the accounts that it names, `others` on other accounts of the operator. */
  named: readonly KnownCheck[]
  others: readonly KnownCheck[]
  /** Whether the printer has a check of this number and amount, whose payment a restore lost. */
  isLost: boolean
  /** An earlier line of this list that reports the check as paid. */
  earlier: 'same_line' | 'other_line' | null
}

/** Decides about one line of a list. */
export function judgePaidLine(line: PaidLine, facts: Facts): Verdict {
  const { account, listedAs, problem } = line
  const isExact = ({ cents }: KnownCheck) => line.cents.includes(cents)
  const exact = facts.named.filter(isExact)
  const [check] = exact
  if (listedAs !== null) return remark(`the bank lists this check as ${listedAs}, not as paid`)
  if (!facts.isOurs && account) return verdictOfOthers(line, { ...facts, exact: facts.others.filter(isExact) })
  if (problem !== null) return unreadCase(problem, exact.length > 0 ? exact : facts.others.filter(isExact), facts.named)
  const where = account ? `account ending in ${account.digits.slice(-4)}: ` : ''
  if (facts.named.length === 0 && facts.isLost)
    return entryCase(`${where}the payment of this check is not known since the restore of the database`, null, false)
  if (facts.named.length === 0) return bankWideCase(`${where}no check of this number was drawn on this account`)
  if (!check) return amountVerdict(line, facts.named, where)
  if (facts.named.length > 1) {
    return ownCase(`${where}it can mean several accounts with a check of this number`, exact.length > 1 ? null : check)
  }
  return checkVerdict(line, check, { ...facts, where })
}

const remark = (reason: string): Verdict => ({ outcome: 'remark', reason })

const entryCase = (reason: string, check: KnownCheck | null, isBankWide: boolean): Verdict => ({
  outcome: 'case',
  kind: 'entry_unread',
  reason,
  check,
  isBankWide,
})

/** Returns a case about a line that may concern any check. It holds the whole bank. */
const bankWideCase = (reason: string, check: KnownCheck | null = null): Verdict => entryCase(reason, check, true)

/**
 * Returns a case about a line. If the number and amount name one check, the case concerns that check. Otherwise, the line may concern any
 * check.
 */
const ownCase = (reason: string, check: KnownCheck | null): Verdict => entryCase(reason, check, check === null)

/**
 * Decides about a line for another account. Lists can contain other accounts of the company, but an account with one of our checks may be
 * misspelled.
 */
function verdictOfOthers(
  { account, number, problem, hasAllFields }: PaidLine,
  { exact, mentionsOurs }: Pick<Facts, 'mentionsOurs'> & { exact: readonly KnownCheck[] },
): Verdict {
  const where = `account ending in ${account?.digits.slice(-4)}`
  const out = exact.filter(({ status }) => isInFlight(status))
  if (out.length === 0) {
    if (mentionsOurs) return bankWideCase('an account of ours is not in the column of the account')
    // The value in the account column may belong to another column.
    const isShifted = problem !== null && (!hasAllFields || number === null)
    return isShifted ? bankWideCase(problem) : remark(`${where} is not an account that checks were drawn on`)
  }
  const [check = null] = out.length === 1 ? out : []
  return ownCase(`${problem ?? `${where}: no check was drawn on it, but one of this number and amount is out`}`, check)
}

function unreadCase(problem: string, exact: readonly KnownCheck[], named: readonly KnownCheck[]): Verdict {
  const [check = null] = exact.length === 1 ? exact : []
  if (check) return ownCase(`${nameOf(check)}: ${problem}`, check)
  const [one = null] = named.length === 1 ? named : []
  return bankWideCase(problem, one)
}

function amountVerdict({ cents }: PaidLine, named: readonly KnownCheck[], where: string): Verdict {
  const [check = null] = named.length === 1 ? named : []
  const amount = cents.map(formatDollars).join(' or ')
  if (!check) return bankWideCase(`${where}${amount} is not the amount of a check of this number`)
  const reason = `${where}${amount}: ${nameOf(check)}`
  if (!isInFlight(check.status)) return bankWideCase(reason, check)
  return { outcome: 'case', kind: 'check_amount_differs', reason, check, isBankWide: false }
}

function checkVerdict(
  { paidOn }: PaidLine,
  check: KnownCheck,
  { today, witness, earlier, where }: Facts & { where: string },
): Verdict {
  const name = `${where}${nameOf(check)}`
  if (check.paidBy === 'scan')
    return ownCase(`${name} here on ${check.paidOn}, by a scan: the bank paid it as well`, check)
  if (check.paidOn !== null) {
    // A list and a statement may each report the check once. If two statement lines report the same check, their matching opens a case.
    if (witness === 'statement') return remark(`${name} already, on ${check.paidOn}`)
    if (check.paidBy === 'statement') return { outcome: 'confirm', check, reason: `${name} already, by a statement` }
    if (earlier === 'other_line') return bankWideCase(`${name} by another line of this list`, check)
    // Lists of banks overlap, so a repeated line is not a second payment.
    if (earlier === 'same_line' || paidOn === null || check.paidOn === paidOn) {
      return remark(`${name} already, on ${check.paidOn}`)
    }
    return bankWideCase(`${name} ${check.paidOn}`, check)
  }
  if (paidOn !== null && paidOn > today) {
    return ownCase(`${name}: the date ${paidOn} is in the future, because today is ${today}`, check)
  }
  if (paidOn !== null && paidOn < check.issuedOn) {
    return ownCase(`${name}: the date ${paidOn} is before ${check.issuedOn}, the date on the check`, check)
  }
  if (isInFlight(check.status)) return { outcome: 'pay', check }
  if (check.status === 'CANCELLED' && check.stoppedOn) {
    return { outcome: 'stopped_paid', check, reason: `${name} ${check.stoppedOn}` }
  }
  return ownCase(name, check)
}

const states: Record<LegStatus, string> = {
  WAITING: 'is not out yet',
  SENT: 'is out',
  ACCEPTED: 'is out',
  SETTLED: 'was paid',
  TRUSTED: 'was paid',
  STOPPING: 'is out',
  RETURNED: 'was returned',
  CANCELLED: 'was stopped',
}

export const nameOf = ({ number, paymentId, cents, status }: KnownCheck): string =>
  `check ${number} of payment ${paymentId}, ${formatDollars(cents)}, ${states[status]}`

/** Explains what happened to a check that was paid although it was stopped, and who has the money twice. */
export function stoppedPaidNote({ number, stoppedOn, stopAcceptedOn }: KnownCheck, paidOn: string): string {
  const heads = `The bank paid check ${number} on ${paidOn}. It was stopped on ${stoppedOn}`
  const both = 'The payee has the money, and the sender got it back.'
  const accepted = stopAcceptedOn ? `, and the bank accepted the stop on ${stopAcceptedOn}` : ''
  if (stoppedOn !== null && paidOn < stoppedOn) {
    return `${heads}${accepted}. The bank paid before it knew of the stop, so its payment stands. ${both} Claim it from the sender.`
  }
  if (stopAcceptedOn !== null && paidOn > stopAcceptedOn) {
    return `${heads}${accepted}. The bank paid although it had accepted the stop. ${both} Claim it from the bank.`
  }
  if (stopAcceptedOn !== null && paidOn < stopAcceptedOn) {
    return `${heads}${accepted}. The bank paid before it accepted the stop. ${both} Claim it from the sender.`
  }
  return `${heads}${accepted}. Ask the bank which came first. ${both} If the stop came first, claim it from the bank, otherwise from the sender.`
}

/** Returns the report about a list of paid checks, or null if there is nothing to report. */
export function reportOnPaid(
  name: string,
  { usedCount, setAside, remarks }: { usedCount: number; setAside: readonly Remark[]; remarks: readonly Remark[] },
): string | null {
  if (setAside.length + remarks.length === 0) return null
  const rows = (some: readonly Remark[]) =>
    some
      .toSorted((a, b) => a.line - b.line)
      .map(({ line, reason }) => (line === 0 ? `  ${reason}` : `  line ${line}: ${reason}`))
  return [
    ...(setAside.length > 0
      ? [
          `Of ${name}, which is in done/, these lines were set aside. "remit exceptions list" shows them:`,
          '',
          ...rows(setAside),
          '',
        ]
      : []),
    ...(remarks.length > 0 ? [`Remarks on ${name}:`, '', ...rows(remarks), ''] : []),
    `Used: ${usedCount} paid checks.`,
    '',
  ].join('\n')
}
