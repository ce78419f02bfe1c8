import type { Deps } from '../../src/foundation/db/deps.ts'
import type { Dice } from './quarter-people.ts'
import { bai2Lines, camtLines, csvLines, type SampleLine } from './statement-files.ts'

type Movement = { cents: number; reference: string; code?: string }

/**
 * A bank that writes statements from its own books: with fees, empty days, in each format, out of order, some twice,
 * and some that are missing until the operator asks for them.
 */
export function createStatementBank({
  account,
  dice: { chance, random, pick },
  receive,
  text = 'ACH',
  hasCsv = true,
}: {
  account: string
  dice: Pick<Dice, 'chance' | 'pick'> & { random(): number }
  receive(name: string, content: string): Promise<void>
  /** Descriptions of lines that are not checks. */
  text?: string
  /** Only one account of a connection can have statements as CSV, which does not name it. */
  hasCsv?: boolean
}) {
  const booked = new Set<string>()
  let waiting: SampleLine[] = []
  let balanceCents = 5_000_000
  let lastDay = ''
  const missing: string[] = []

  /** Books a movement once. */
  function book(key: string, { cents, reference, code = cents > 0 ? '142' : '451' }: Movement): void {
    if (booked.has(key) || cents === 0) return
    booked.add(key)
    waiting.push({ cents, reference, code, text: code === '475' ? 'CHECK PAID' : text })
  }

  /**
   * Writes a statement of all movements since the last one, and one of the previous day, which can be missing.
   * @returns the closing balance
   */
  async function writeStatements(day: string): Promise<number> {
    const date = new Date(`${day}T00:00:00Z`)
    date.setUTCDate(date.getUTCDate() - 1)
    const dayBefore = date.toISOString().slice(0, 10)
    if (lastDay >= dayBefore) return balanceCents
    const isMissing = lastDay !== '' && chance(0.3)
    lastDay = day
    const fee = { cents: -1_500, code: '698', reference: '', text: 'Monthly SERVICE CHARGE' }
    if (!isMissing) waiting.push(fee)
    const before = statementOf(bai2Lines, isMissing ? [fee] : [], dayBefore)
    const lines = waiting.toSorted(() => random() - 0.5)
    waiting = []
    // Only BAI2 marks lines that are checks.
    const hasChecks = lines.some(({ code }) => code === '475')
    const formats = [bai2Lines, camtLines, ...(hasCsv ? [csvLines] : [])]
    const format = pick(hasChecks || lines.length === 0 ? [bai2Lines] : formats)
    const files = [before, statementOf(format as typeof bai2Lines, lines, day)]
    if (isMissing) missing.push(before)
    for (const file of chance(0.5) ? files.toReversed() : files) {
      if (isMissing && file === before) continue
      await receive('day.bai', file)
      if (chance(0.2)) await receive('day.bai', `${file}\n`)
    }
    return balanceCents
  }

  function statementOf(format: typeof bai2Lines, lines: readonly SampleLine[], day: string): string {
    const content = format({ account, openingCents: balanceCents, lines, day }).join('\n')
    balanceCents += lines.reduce((sum, { cents }) => sum + cents, 0)
    return content
  }

  /** The operator asks for the statements that are missing. */
  async function sendMissing(): Promise<void> {
    for (const file of missing.splice(0)) await receive('day.bai', file)
  }

  /** Returns the balance of the bank account in the ledger of Remit. `name`: of the ledger account. */
  async function inLedger({ sql }: Pick<Deps, 'sql'>, name: string): Promise<number> {
    const [row] = await sql<{ cents: number }[]>`
      select coalesce(sum(case when debit = ${name} then cents else -cents end), 0)::bigint as cents
      from transfers
      where debit = ${name} or credit = ${name}
    `
    return row?.cents ?? 0
  }

  /** `balance`: the closing balance of the last statement. */
  return {
    book,
    writeStatements,
    sendMissing,
    isMissing: () => missing.length > 0,
    balance: () => balanceCents,
    inLedger,
  }
}
