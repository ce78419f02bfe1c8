import {
  afterBankingDays,
  type BankCalendar,
  FEDERAL,
  nextAchWindow,
  nextSettlementDate,
} from '../../foundation/lib/banking-day.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import type { LegStatus, RailEvent } from './leg-status.ts'
import type { Rail } from './rail-rules.ts'
import type { ReturnCode } from './return-code-rules.ts'

/** The outcomes that magic values simulate. */
export const SIMULATED_OUTCOMES = ['slow', 'corrected', 'returned', 'returned_late'] as const
export type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number]

export type MagicOutcome = { fate: SimulatedOutcome; returnCode: ReturnCode | null }

const PAPER: readonly Rail[] = ['MAIL', 'PRINT']

export const isPaper = (rail: Rail): boolean => PAPER.includes(rail)

const SECONDS_ON_FAST_RAILS = 30
const HOURS_OF_A_WIRE = 2
const BANKING_DAYS_OF_SWIFT = 2
const DAYS_UNTIL_CASHED = { MAIL: 5, PRINT: 3 }
const DAYS_UNTIL_UNDELIVERABLE = 7
const BANKING_DAYS_OF_A_SLOW_LEG = 3
const DAYS_UNTIL_LATE_RETURN = { debit: 20, credit: 10 }

type SimulatedLeg = { rail: Rail; direction: 'debit' | 'credit'; status: LegStatus; fate: SimulatedOutcome | null }

export type NextStep = { event: RailEvent; at: Date } | null

/**
 * Returns the next event of a leg on a simulated rail. The leg reached its status at `at`. `trustDays`: the number of banking days after
 * which a settled pull is trusted. `calendar`: the calendar of the bank.
 */
export function nextStep(
  leg: SimulatedLeg,
  at: Date,
  { trustDays, calendar = FEDERAL }: { trustDays: number; calendar?: BankCalendar },
): NextStep {
  switch (leg.status) {
    case 'WAITING':
      return { event: 'send', at: leg.rail === 'ACH' ? nextAchWindow(at, calendar) : at }
    case 'SENT':
      return isReturnedUnsettled(leg)
        ? { event: 'return', at: isPaper(leg.rail) ? addDays(at, DAYS_UNTIL_UNDELIVERABLE) : settlesAt(leg, at) }
        : { event: 'settle', at: settlesAt(leg, at) }
    case 'ACCEPTED': // on file rails, the settlement time of its file
      return { event: 'settle', at }
    case 'SETTLED':
      return leg.direction === 'debit' ? afterSettledPull(leg, at, { trustDays, calendar }) : afterSettledPush(leg, at)
    case 'TRUSTED':
      return leg.fate === 'returned_late' ? { event: 'return', at: addDays(at, DAYS_UNTIL_LATE_RETURN.debit) } : null
    default:
      return null
  }
}

/** Returns whether a leg is returned before it settles. On ACH, the money moves first and is returned later. */
const isReturnedUnsettled = ({ rail, fate }: SimulatedLeg) => fate === 'returned' && rail !== 'ACH'

function afterSettledPull(
  { fate }: SimulatedLeg,
  at: Date,
  { trustDays, calendar }: { trustDays: number; calendar: BankCalendar },
): NextStep {
  return fate === 'returned'
    ? { event: 'return', at: afterBankingDays(at, 1) }
    : { event: 'trust', at: afterBankingDays(at, trustDays, calendar) }
}

function afterSettledPush({ fate }: SimulatedLeg, at: Date): NextStep {
  if (fate === 'returned') return { event: 'return', at: afterBankingDays(at, 1) }
  return fate === 'returned_late' ? { event: 'return', at: addDays(at, DAYS_UNTIL_LATE_RETURN.credit) } : null
}

function settlesAt({ rail, fate }: SimulatedLeg, sentAt: Date): Date {
  const at = usuallySettlesAt(rail, sentAt)
  return fate === 'slow' ? afterBankingDays(at, BANKING_DAYS_OF_A_SLOW_LEG) : at
}

function usuallySettlesAt(rail: Rail, sentAt: Date): Date {
  switch (rail) {
    case 'ACH':
      return nextSettlementDate(sentAt)
    case 'MAIL':
    case 'PRINT':
      return addDays(sentAt, DAYS_UNTIL_CASHED[rail])
    case 'WIRE':
      return new Date(sentAt.getTime() + HOURS_OF_A_WIRE * 60 * 60 * 1000)
    case 'SWIFT':
      return afterBankingDays(sentAt, BANKING_DAYS_OF_SWIFT)
    default:
      return new Date(sentAt.getTime() + SECONDS_ON_FAST_RAILS * 1000)
  }
}
