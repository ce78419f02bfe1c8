import { decimalAmount } from '../../foundation/core/money.ts'
import { businessDate } from '../../foundation/lib/clock.ts'
import { csvForMachine } from '../../foundation/lib/text/csv.ts'

/** A posted transfer in the journal. `postedAt`: the time at which it took effect. */
export type JournalEntry = {
  id: string
  platformId: string
  debit: string
  credit: string
  cents: number
  reason: string
  paymentId: string | null
  postedAt: Date
}

/** The names of accounts in the books of a company, by ledger account (`clearing:ACH`) or by its kind (`clearing`). */
export type AccountNames = ReadonlyMap<string, string>

export const JOURNAL_COLUMNS = [
  ...['date', 'entry', 'account', 'debit', 'credit', 'reason', 'payment', 'platform', 'ledger_account'],
] as const

export const journalHeading = (): string => csvForMachine([[...JOURNAL_COLUMNS]])

/** Formats two lines for each entry: the debit, then the credit. */
export const journalText = (
  entries: readonly JournalEntry[],
  { names, timeZone }: { names: AccountNames; timeZone: string },
): string =>
  csvForMachine(
    entries.flatMap(({ id, platformId, debit, credit, cents, reason, paymentId, postedAt }) => {
      const date = businessDate(postedAt, timeZone)
      const amount = decimalAmount(cents)
      const about = [reason, paymentId ?? '', platformId]
      return [
        [date, id, accountName(debit, names), amount, '', ...about, debit],
        [date, id, accountName(credit, names), '', amount, ...about, credit],
      ]
    }),
  )

/**
 * Returns the company's name for a ledger account. If it has none, returns the name for the longest beginning of the account (`bank:first`
 * for `bank:first:operating`), or else the account itself.
 */
export function accountName(account: string, names: AccountNames): string {
  for (let part = account; ; part = part.slice(0, part.lastIndexOf(':'))) {
    const name = names.get(part)
    if (name !== undefined) return name
    if (!part.includes(':')) return account
  }
}

const MAX_NAME_LENGTH = 200

/** Reads the names of accounts from JSON. @returns the names, or every problem with its key */
export function readAccountNames(value: unknown): { names: AccountNames; problems: readonly string[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { names: new Map(), problems: ['it must be an object such as {"wallet": "2100 Customer balances"}'] }
  }
  const entries = Object.entries(value)
  const problems = entries.flatMap(([account, name]) => [
    ...(/^[a-z_]+(:[^:\s]+)*$/.test(account) ? [] : [`${account}: is not a ledger account such as clearing:ACH`]),
    ...(typeof name === 'string' && name.trim() !== '' && name.length <= MAX_NAME_LENGTH
      ? []
      : [`${account}: must have a name of at most ${MAX_NAME_LENGTH} characters`]),
  ])
  return { names: new Map(problems.length > 0 ? [] : (entries as [string, string][])), problems }
}
