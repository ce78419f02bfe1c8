import type { Connection } from '../../../foundation/core/connections.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { addDays, formatDate, formatDateTime, instantOf, localClock } from '../../../foundation/lib/clock.ts'
import { neutralJson } from '../../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'
import { isBankingDay } from '../../../money/rail/banking-day-rules.ts'
import type { CommandFlags } from '../command-flags.ts'
import type { DatabaseCommand } from '../on-database.ts'
import { railsText, transportText } from './connections-commands.ts'

/** Prepares `remit connections list`. */
export const listCommand = ({ json }: CommandFlags): DatabaseCommand => {
  return async (deps) => {
    const connections = deps.connections.current()
    const states = await readStates(deps)
    const rows = connections.all.map((one) => ({
      id: one.id,
      transport: transportText(one),
      rails: railsText(connections, one),
      accounts: one.accounts.map(({ id, accountNumber }) => `${id} ••••${accountNumber.slice(-4)}`).join(', '),
      nextCutOff: nextCutOff(one, deps.clock.now()),
      lastContact: states.get(one.id)?.contactedAt ?? null,
      problem: states.get(one.id)?.lastProblem ?? null,
    }))
    if (json) return neutralJson(rows)
    if (rows.length === 0) return 'This environment has no connections: its rails are simulated.'
    return textTable([
      ['ID', 'TRANSPORT', 'RAILS', 'ACCOUNTS', 'NEXT CUT-OFF', 'LAST CONTACT', 'PROBLEM'],
      ...rows.map(({ nextCutOff, lastContact, problem, ...cells }) => [
        ...Object.values(cells),
        nextCutOff === null ? '' : formatDateTime(nextCutOff).slice(0, 16),
        lastContact === null ? 'never' : formatDateTime(lastContact).slice(0, 16),
        problem ?? '',
      ]),
    ])
  }
}

type State = { contactedAt: Date | null; lastProblem: string | null }

/** What the database knows about each connection. */
async function readStates(_deps: Deps): Promise<ReadonlyMap<string, State>> {
  return new Map() // TODO(merge): connection_states
}

/** The next time at which a file is written. Null: the connection has no cut-offs. */
function nextCutOff({ ach, timeZone, holidays }: Connection, now: Date): Date | null {
  if (!ach) return null
  for (let day = localClock(now, timeZone); ; day = addDays(day, 1)) {
    const date = formatDate(day)
    if (!isBankingDay(day) || holidays.includes(date)) continue
    const times = ach.windows.map((time) => instantOf(new Date(`${date}T${time}:00Z`), timeZone))
    const next = times.find((time) => time >= now)
    if (next) return next
  }
}
