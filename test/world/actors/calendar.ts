import { isBankingDay } from '../../../src/foundation/lib/banking-day.ts'
import { addDays, localClock } from '../../../src/foundation/lib/clock.ts'
import { count, type World } from '../world.ts'

// Moves the clock over a weekend, a holiday, a change of daylight saving time, the end of a month, or a leap day.

const ZONE = 'America/Los_Angeles'
/** The clock does not move to an edge that is more days away. */
const DAYS_AHEAD = 100
const HOUR_MS = 3_600_000

const weekdayOf = (day: Date): number => day.getUTCDay()

/** Returns whether a special time is between 17:00 of a day and 17:00 of the next one. Days are those of the bank, at 00:00 UTC. */
const edges: Record<string, (day: Date, next: Date) => boolean> = {
  weekend: (day) => weekdayOf(day) === 5,
  holiday: (_, next) => ![0, 6].includes(weekdayOf(next)) && !isBankingDay(next),
  'daylight saving time': (day, next) => offsetOf(day) !== offsetOf(next),
  'month end': (day, next) => day.getUTCMonth() !== next.getUTCMonth(),
  'leap day': (_, next) => next.getUTCMonth() === 1 && next.getUTCDate() === 29,
}

/** Returns the offset of the bank's clock from UTC at noon of a day, in hours. */
function offsetOf(day: Date): number {
  const noon = new Date(day.getTime() + 20 * HOUR_MS)
  return (localClock(noon, ZONE).getTime() - noon.getTime()) / HOUR_MS
}

/** Moves the clock to the evening before one of the next edges, or past it. */
export async function jump(world: World): Promise<string> {
  const { clock, dice } = world
  const today = startOfDay(localClock(clock.now(), ZONE))
  const days = Array.from({ length: DAYS_AHEAD }, (_, index) => addDays(today, index + 1))
  const found = Object.entries(edges).flatMap(([name, isEdge]) => {
    const day = days.find((one) => isEdge(one, addDays(one, 1)))
    return day ? [{ name, day }] : []
  })
  const { name, day } = dice.pick(found) as { name: string; day: Date }
  const until = new Date(day.getTime() + (dice.chance(0.3) ? 24 : 48 + dice.between(0, 30)) * HOUR_MS)
  clock.advance((until.getTime() - clock.now().getTime()) / 1000)
  count(world, `jump: ${name}`)
  return name
}

const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / (24 * HOUR_MS)) * 24 * HOUR_MS)
