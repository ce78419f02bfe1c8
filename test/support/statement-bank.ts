import type { Deps } from '../../src/foundation/db/deps.ts'
import { bai2Lines, camtLines, type SampleLine } from './statement-files.ts'

type Movement = { cents: number; reference: string; code?: string }

/** A bank that writes statements from its own books: with fees, empty days, in both formats, out of order, and some twice. */
export function createStatementBank({
  account,
  dice: { chance, random },
  receive,
}: {
  account: string
  dice: { chance(probability: number): boolean; random(): number }
  receive(name: string, content: string): Promise<void>
}) {
  const booked = new Set<string>()
  let waiting: SampleLine[] = []
  let balanceCents = 5_000_000
  let lastDay = ''

  /** Books a movement once. */
  function book(key: string, { cents, reference, code = cents > 0 ? '142' : '451' }: Movement): void {
    if (booked.has(key) || cents === 0) return
    booked.add(key)
    waiting.push({ cents, reference, code, text: code === '475' ? 'CHECK PAID' : 'ACH' })
  }

  /** Writes a statement of all movements since the last one, and one of the empty day before. @returns the closing balance */
  async function writeStatements(day: string): Promise<number> {
    const before = new Date(`${day}T00:00:00Z`)
    before.setUTCDate(before.getUTCDate() - 1)
    const emptyDay = before.toISOString().slice(0, 10)
    if (lastDay >= emptyDay) return balanceCents
    lastDay = day
    waiting.push({ cents: -1_500, code: '698', reference: '', text: 'Monthly SERVICE CHARGE' })
    const lines = waiting.toSorted(() => random() - 0.5)
    waiting = []
    // Only BAI2 says which lines are checks.
    const hasChecks = lines.some(({ code }) => code === '475')
    const write = hasChecks || chance(0.5) ? bai2Lines : camtLines
    const files = [
      bai2Lines({ account, openingCents: balanceCents, lines: [], day: emptyDay }),
      write({ account, openingCents: balanceCents, lines, day }),
    ].map((one) => one.join('\n'))
    balanceCents += lines.reduce((sum, { cents }) => sum + cents, 0)
    for (const file of chance(0.5) ? files.toReversed() : files) {
      await receive('day.bai', file)
      if (chance(0.2)) await receive('day.bai', `${file}\n`)
    }
    return balanceCents
  }

  /** Returns the balance of the bank account in the ledger of Remit. */
  async function inLedger({ sql }: Pick<Deps, 'sql'>): Promise<number> {
    const [row] = await sql<{ cents: number }[]>`
      select coalesce(sum(case when debit like 'bank:%' then cents else -cents end), 0)::bigint as cents
      from transfers
      where debit like 'bank:%' or credit like 'bank:%'
    `
    return row?.cents ?? 0
  }

  return { book, writeStatements, inLedger }
}
