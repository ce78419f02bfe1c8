import {
  type ConnectionOverview,
  getConnectionOverviews,
} from '../../../connections/overview/connection-overview-actions.ts'
import { formatDateTime, localClock } from '../../../foundation/lib/clock.ts'
import { neutralJson } from '../../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'
import type { CommandFlags } from '../command-flags.ts'
import type { DatabaseCommand } from '../on-database.ts'
import { transportText } from './connections-commands.ts'

/** Prepares `remit connections list`. */
export const listCommand = ({ json }: CommandFlags): DatabaseCommand => {
  return async (deps) => {
    const rows = (await getConnectionOverviews(deps)).map(rowOf)
    if (json) return neutralJson(rows)
    if (rows.length === 0) return 'This environment has no connections: its rails are simulated.'
    return textTable([
      ['ID', 'STATE', 'TRANSPORT', 'RAILS', 'ACCOUNTS', 'NEXT CUT-OFF', 'LAST CONTACT', 'CASES', 'PROBLEM'],
      ...rows.map(({ nextCutOff, zone, lastContact, openCases, problem, ...cells }) => [
        ...Object.values(cells),
        nextCutOff === null ? '' : `${formatDateTime(localClock(nextCutOff, zone)).slice(0, 16)} ${zone}`,
        lastContact === null ? 'never' : formatDateTime(lastContact).slice(0, 16),
        `${openCases}`,
        problem ?? '',
      ]),
    ])
  }
}

const rowOf = ({ connection, condition, rails, nextCutOff, state, contactedAt, cases }: ConnectionOverview) => ({
  id: connection.id,
  state: condition,
  transport: transportText(connection),
  rails: rails.join(', ') || 'none',
  accounts: connection.accounts.map(({ id, accountNumber }) => `${id} ••••${accountNumber.slice(-4)}`).join(', '),
  nextCutOff,
  zone: connection.timeZone,
  lastContact: contactedAt,
  openCases: cases.length,
  problem: state?.lastProblem ?? null,
})
