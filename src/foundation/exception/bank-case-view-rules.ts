import { formatDollars } from '../core/money.ts'
import { formatDateTime } from '../lib/clock.ts'
import { type BankCaseKind, bankCaseKinds } from './bank-case-rules.ts'
import type { HeldMoney, OpenBankCase } from './bank-case-store.ts'

/**
 * Returns a case as `remit exceptions show` prints it: the lines with masked numbers, the held money, and the possible commands.
 * `isClosable`: whether a note may close it.
 */
export function bankCaseView(row: OpenBankCase, { held, isClosable }: { held: HeldMoney; isClosable: boolean }) {
  const { id, kind, connectionId, fileName, line, platformId, paymentId, note, createdAt, content } = row
  return {
    id,
    kind,
    since: formatDateTime(createdAt),
    connection: connectionId,
    file: fileName,
    ...(line > 0 && { line }),
    ...(platformId && { platform: platformId }),
    ...(paymentId && { payment: paymentId }),
    ...(row.cents !== null && { amount: formatDollars(row.cents) }),
    what_happened: note,
    problems: content.problems ?? [],
    ...(content.proposals && { proposals: content.proposals }),
    lines: content.lines.map(({ number, text }) => `${number}: ${maskedLine(text)}`),
    ...(content.hiddenCount && { entries_not_shown: content.hiddenCount }),
    held: heldBy(row, held),
    what_to_do: bankCaseKinds[kind],
    commands: isClosable ? [...commandsOf(row), closeCommand(row)] : commandsOf(row),
  }
}

/**
 * Masks a line for the terminal: shows only the last four digits of numbers that could be accounts. An addenda record also shows its code and
 * its original trace number, because the operator needs them for the decision.
 */
export const maskedLine = (text: string): string =>
  maskedGroups(text).replaceAll(/\d{5,}/g, (digits, offset: number) => {
    const isReason = /^7(98|99)/.test(text) && offset === '799R'.length
    const shown = isReason ? digits.slice(0, '01091000010000001'.length) : ''
    const others = digits.slice(shown.length)
    return shown + '*'.repeat(Math.max(others.length - 4, 0)) + others.slice(-4)
  })

const DATE = String.raw`(?:\d{4}-\d{2}-\d{2}|\d{2}-\d{2}-\d{4})(?!\d)`
const IBAN = /(?<![A-Z\d])[A-Z]{2}\d{2}(?:[ -][A-Z\d]{4}){2,7}(?:[ -][A-Z\d]{1,4})?(?![A-Z\d])/g
/** A date, or groups of digits. An amount is no group. */
const GROUPS = new RegExp(String.raw`(?<![\d.,:/])(?:${DATE}|\d{1,6}(?:[ -](?!${DATE})\d{1,6})+(?![\d:/]|[.,]\d))`, 'g')
const IS_DATE = new RegExp(`^${DATE}$`)
const FEWEST_DIGITS = { iban: 10, groups: 8 }

/** Masks numbers that are written in groups, with blanks or hyphens: IBANs, and numbers of accounts and cards. Dates stay. */
const maskedGroups = (text: string): string =>
  text
    .replaceAll(IBAN, (iban) => (digitsIn(iban) < FEWEST_DIGITS.iban ? iban : maskedButFour(iban)))
    .replaceAll(GROUPS, (groups) =>
      IS_DATE.test(groups) || digitsIn(groups) < FEWEST_DIGITS.groups ? groups : maskedButFour(groups),
    )

const digitsIn = (text: string): number => text.replaceAll(/\D/g, '').length

/** Replaces all letters and digits but the last four. */
const maskedButFour = (text: string): string => text.replaceAll(/[A-Z\d](?=(?:[^A-Z\d]*[A-Z\d]){4})/g, '*')

function heldBy(row: OpenBankCase, { debitCount, debitCents, checkCount, checkCents }: HeldMoney): string[] {
  return [
    ...(row.isBankWide
      ? [
          `the trust of ${debitCount} debits over ${row.connectionId}, of ${formatDollars(debitCents)}: their payouts wait`,
          `the expiry of ${checkCount} checks drawn on ${row.connectionId}, of ${formatDollars(checkCents)}`,
          'the acceptance of files that the bank does not acknowledge',
        ]
      : []),
    ...(row.legId ? [`the payment ${row.paymentId ?? '(micro-deposits of a bank)'}`] : []),
    ...(row.accountSealed ? ['the next debit to the account'] : []),
  ]
}

/** The cases of statements that end when the file is read again and can be used. */
const KINDS_READ_AGAIN: readonly BankCaseKind[] = ['file_unread', 'statement_unread', 'month_closed']

const closeCommand = ({ id }: OpenBankCase): string => `remit exceptions close ${id} --note TEXT`

/** Returns the commands that decide a case, in addition to closing it. */
function commandsOf({ id, kind, source, connectionId, fileName, legId }: OpenBankCase): string[] {
  const apply = `remit exceptions apply ${id}`
  if (source === 'mail' || kind === 'payment_missing') return []
  if (source === 'statement') {
    const readAgain = `remit statements read PATH/${fileName} --connection ${connectionId} --again`
    const isLeg = kind === 'line_contradicts' && legId !== null
    return [
      ...(KINDS_READ_AGAIN.includes(kind) ? [readAgain] : []),
      ...(isLeg ? [`${apply} --code AC04 --note TEXT`] : []),
    ]
  }
  if (kind === 'file_not_sent') {
    const name = fileName.replace(/\.[a-z]+$/, '')
    return [
      `remit files send ${name} --yes`,
      `remit files mark-sent ${name} --by NAME --why TEXT`,
      `remit files cancel ${name}`,
      `remit files reject ${name}`,
    ]
  }
  if (source === 'order') return [`${apply}${legId ? '' : ' --trace ORDER'} --code ACSC|AC04|CNCL|… --note TEXT`]
  if (source === 'transfer') return [`remit connections test ${connectionId}`]
  switch (kind) {
    case 'payout_unknown':
    case 'payout_contradicts':
      return [`${apply} --code PAID --note TEXT`, `${apply} --code MS03 --note TEXT`]
    case 'file_unread':
      return [`${apply} --note TEXT`, `remit files read ${fileName} --again --by NAME --why TEXT`]
    case 'entry_unread':
      return source === 'ach'
        ? [`${apply} --trace NUMBER --code R01 --note TEXT`]
        : [`${apply} --number NUMBER --amount 12.50 --date YYYY-MM-DD --note TEXT`]
    case 'correction_unread':
    case 'correction_impossible':
      return [`${apply} --routing NUMBER --account NUMBER --type CHECKING --note TEXT`]
    case 'check_amount_differs':
      return [`${apply} --note TEXT`]
    default:
      return []
  }
}
