import { formatDollars } from '../../../foundation/core/money.ts'
import { DAY_MS, formatDate } from '../../../foundation/lib/clock.ts'
import type { FileOfLine } from './file-part-store.ts'
import type { BookableLeg, LineRow } from './reconcile-store.ts'

/**
 * A part of a line. `name`: the id of a leg or a wallet, the name of an ACH file, or the name of the operator's account. `cents`: signed as
 * the line.
 */
export type LinePart = { name: string; cents: number }

/** A way to book a line: it is matched to legs that have its amount together, or it is divided into parts. */
export type Proposal = { why: string; legIds: readonly string[]; parts: readonly LinePart[]; paymentId: string | null }

/** A booked line with the same account and amount. */
export type Twin = { id: string; connectionId: string; accountId: string; cents: number; bookedOn: string }

/**
 * The facts in the books about a line. `contradictedLegId`: the leg that the line names although the line does not match it. `credit`: the
 * credit to a wallet that it takes back with another amount. `files`: the ACH files that it may book. `isOfLost`: it books an entry, order or
 * check whose payment a restore lost, or its return.
 */
export type LineFacts = {
  legs: readonly BookableLeg[]
  twins: readonly Twin[]
  contradictedLegId: string | null
  credit: { walletId: string; cents: number } | null
  files: readonly FileOfLine[]
  isOfLost: boolean
}

/** Advice about a line. `finding`: the probable error, as a sentence. */
export type Advice = { finding: string; proposals: Proposal[] }

/** The account of the operator for amounts that the bank owes or is owed because of its own errors. */
const BANK_ERRORS = 'bank_errors'
/** The account of the operator for movements whose payments a restore lost. It settles them with their holders. */
const LOST_PAYMENTS = 'lost_payments'

const MAX_PROPOSALS = 5
const TWIN_DAYS = 7

type Line = Pick<LineRow, 'id' | 'connectionId' | 'accountId' | 'cents' | 'kind' | 'bookedOn' | 'day' | 'reason'>

/** Suggests what a line is and how it could be booked, with the most likely way first. */
export function adviceFor(line: Line, facts: LineFacts): Advice {
  const proposals = [
    ...ofContradiction(line, facts),
    ...ofReturn(line, facts),
    ...ofLost(line, facts),
    ...ofAmount(line, facts.legs),
    ...ofKind(line),
    ...ofTwins(line, facts.twins, { from: 0, to: 1 }),
    ...ofSwappedDigits(line, facts.legs),
    ...ofWrongSign(line, facts.legs),
    ...ofTwins(line, facts.twins, { from: 2, to: TWIN_DAYS }),
  ].slice(0, MAX_PROPOSALS)
  return { finding: proposals[0]?.why ?? unknownFinding(line), proposals }
}

/** Returns the amount of a leg with the sign of a statement line: credits to our account are positive. */
export const signedCents = ({ direction, cents }: Pick<BookableLeg, 'direction' | 'cents'>): number =>
  direction === 'debit' ? cents : -cents

/** Returns the amounts of legs that could match a line: its own amount, and those with two digits swapped. */
export function amountsNear({ cents }: Pick<LineRow, 'cents'>): number[] {
  const digits = [...String(Math.abs(cents))]
  const swapped = digits.slice(1).map((digit, index) => {
    const other = [...digits]
    other[index + 1] = digits[index] as string
    other[index] = digit
    return Number(other.join(''))
  })
  return [...new Set([Math.abs(cents), ...swapped])].filter((amount) => amount > 0)
}

/** Returns a proposal for a line that names a leg with another amount, or a leg that another line has already booked. */
function ofContradiction(line: Line, { legs, contradictedLegId }: LineFacts): Proposal[] {
  const leg = legs.find(({ id }) => id === contradictedLegId)
  if (!leg || line.reason === null) return []
  const isSent = Math.sign(signedCents(leg)) === Math.sign(line.cents)
  const legCents = isSent ? signedCents(leg) : -signedCents(leg)
  const why = `${capital(line.reason)}. The difference is a claim against the bank.`
  const isTaken = isSent ? leg.isBooked : leg.isReturnBooked
  if (isTaken) return [claim(line, why)]
  const parts = [
    { name: leg.id, cents: legCents },
    { name: BANK_ERRORS, cents: line.cents - legCents },
  ]
  return [{ why, legIds: [], parts, paymentId: leg.paymentId }]
}

/** A return whose amount differs from its credit. */
function ofReturn(line: Line, { credit }: LineFacts): Proposal[] {
  if (!credit || line.reason === null) return []
  const parts = [
    { name: credit.walletId, cents: -credit.cents },
    { name: BANK_ERRORS, cents: line.cents + credit.cents },
  ]
  const why = `${capital(line.reason)}. The difference is a claim against the bank.`
  return [{ why, legIds: [], parts, paymentId: null }]
}

/** The line books an ACH file with entries whose payments a restore lost, or one such movement, or its return. */
function ofLost(line: Line, { files, isOfLost }: LineFacts): Proposal[] {
  if (isOfLost)
    return [
      own(line, {
        name: LOST_PAYMENTS,
        why: 'A restore lost the payment of this movement. If a client repeats it later, undo this.',
      }),
    ]
  return files.flatMap(({ name, openDebits, openCredits, lostDebits, lostCredits }) => {
    const sums = [
      { open: openDebits + openCredits, lost: lostDebits + lostCredits },
      { open: openDebits, lost: lostDebits },
      { open: openCredits, lost: lostCredits },
    ]
    const sum = sums.find(({ open, lost }) => open + lost === line.cents)
    if (!sum) return []
    const parts = [
      { name, cents: sum.open },
      { name: LOST_PAYMENTS, cents: sum.lost },
    ].filter(({ cents }) => cents !== 0)
    const hasLost = lostDebits !== 0 || lostCredits !== 0
    const lost = ', with movements whose payments a restore lost. If a client repeats one later, undo this'
    return [{ why: `It books the file ${name}${hasLost ? lost : ''}.`, legIds: [], parts, paymentId: null }]
  })
}

function ofAmount(line: Line, legs: readonly BookableLeg[]): Proposal[] {
  const sent = legs.filter((leg) => !leg.isBooked && signedCents(leg) === line.cents)
  const returned = legs.filter(
    (leg) => leg.returnedAt !== null && !leg.isReturnBooked && -signedCents(leg) === line.cents,
  )
  const found = [
    ...sent.map((leg) => ({ leg, at: leg.sentAt, what: 'was sent' })),
    ...returned.map((leg) => ({ leg, at: leg.returnedAt, what: 'came back' })),
  ].toSorted((a, b) => distance(line, a.at) - distance(line, b.at))
  return found.map(({ leg, at, what }) => ({
    why: `${found.length === 1 ? 'One open payment has' : `${found.length} open payments have`} this amount. This one ${what}${at ? ` on ${formatDate(at)}` : ''}.`,
    legIds: [leg.id],
    parts: [],
    paymentId: leg.paymentId,
  }))
}

const ACCOUNT_OF_KIND: Partial<Record<string, { name: string; why: string }>> = {
  fee: { name: 'fees', why: 'A fee of the bank that no rule explains.' },
  interest: { name: 'interest', why: 'Interest that no rule explains.' },
}

function ofKind(line: Line): Proposal[] {
  const known = ACCOUNT_OF_KIND[line.kind]
  return known ? [own(line, known)] : []
}

/** Returns a proposal for a line that repeats another booked line of these days. Most repeated lines are of the same day. */
function ofTwins(line: Line, twins: readonly Twin[], { from, to }: { from: number; to: number }): Proposal[] {
  const twin = twins.find((one) => {
    const days = distance(line, new Date(one.bookedOn)) / DAY_MS
    const isOfAccount = one.connectionId === line.connectionId && one.accountId === line.accountId
    return one.id !== line.id && isOfAccount && one.cents === line.cents && days >= from && days <= to
  })
  if (!twin) return []
  return [
    claim(line, `Another line of this amount, of ${twin.bookedOn}, is booked: the bank may have booked it twice.`),
  ]
}

function ofSwappedDigits(line: Line, legs: readonly BookableLeg[]): Proposal[] {
  return legs
    .filter((leg) => !leg.isBooked && leg.cents !== Math.abs(line.cents) && isNear(line, leg))
    .map((leg) => ({
      why: `Two digits may be swapped: an open payment is for ${formatDollars(leg.cents)}.`,
      legIds: [],
      parts: [
        { name: leg.id, cents: signedCents(leg) },
        { name: BANK_ERRORS, cents: line.cents - signedCents(leg) },
      ],
      paymentId: leg.paymentId,
    }))
}

const isNear = (line: Line, leg: BookableLeg): boolean =>
  Math.sign(signedCents(leg)) === Math.sign(line.cents) && amountsNear(line).includes(leg.cents)

function ofWrongSign(line: Line, legs: readonly BookableLeg[]): Proposal[] {
  return legs
    .filter((leg) => !leg.isBooked && leg.returnedAt === null && signedCents(leg) === -line.cents)
    .map((leg) => ({
      why: 'The sign may be wrong: an open payment of this amount goes the other way.',
      legIds: [],
      parts: [
        { name: leg.id, cents: signedCents(leg) },
        { name: BANK_ERRORS, cents: line.cents - signedCents(leg) },
      ],
      paymentId: leg.paymentId,
    }))
}

const claim = (line: Line, why: string): Proposal => own(line, { name: BANK_ERRORS, why })

const own = ({ cents }: Line, { name, why }: { name: string; why: string }): Proposal => ({
  why,
  legIds: [],
  parts: [{ name, cents }],
  paymentId: null,
})

const unknownFinding = ({ cents, reason }: Line): string => {
  if (reason !== null) return `${capital(reason)}.`
  return cents > 0
    ? 'An unknown credit: no open payment has this amount. Find out who sent it.'
    : 'An unknown debit: no open payment has this amount. Ask the bank.'
}

const distance = ({ bookedOn, day }: Line, at: Date | null): number =>
  at === null ? Number.MAX_SAFE_INTEGER : Math.abs(at.getTime() - Date.parse(bookedOn ?? day))

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
