import { nextCutOff } from '../../../connections/exchange/bank-calendar-rules.ts'
import { listConnectionStates } from '../../../connections/exchange/connection-state-store.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { neutralJson } from '../../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'
import type { CommandFlags } from '../command-flags.ts'
import type { DatabaseCommand } from '../on-database.ts'
import { railsText, transportText } from './connections-commands.ts'

/** Prepares `remit connections list`. */
export const listCommand = ({ json }: CommandFlags): DatabaseCommand => {
  return async (deps) => {
    const connections = deps.connections.current()
    const states = new Map((await listConnectionStates(deps.sql)).map((state) => [state.connectionId, state]))
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
