import { CARRIED_RAILS, type Connection, type Connections } from '../../foundation/core/connections.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { businessDate, startOfDay } from '../../foundation/lib/clock.ts'
import { nextCutOff } from '../exchange/bank-calendar-rules.ts'
import { getConnectionState } from '../exchange/connection-pass-actions.ts'
import type { ConnectionState } from '../exchange/connection-state-store.ts'
import {
  findLastFileTime,
  type ListedCase,
  type ListedFile,
  listCasesOfConnection,
  listFilesSince,
} from './connection-overview-store.ts'

/**
 * The condition of a connection. `in_use`: a folder through which files have moved, because a folder has no sessions. `new`: no session or
 * file yet. `failing`: the last session failed. `silent`: no file arrived in the time that the connection expects.
 */
export const CONNECTION_CONDITIONS = ['connected', 'in_use', 'new', 'failing', 'silent'] as const
export type ConnectionCondition = (typeof CONNECTION_CONDITIONS)[number]

/** A connection with its recent files and cases. */
export type ConnectionOverview = {
  connection: Connection
  condition: ConnectionCondition
  state: ConnectionState | null
  /** The last session that succeeded. For a folder, the time when the last file left it or arrived in it. */
  contactedAt: Date | null
  rails: readonly string[]
  nextCutOff: Date | null
  /** The files of today in the time zone of the bank, and those that have not ended, newest first. */
  files: ListedFile[]
  /** The open cases, oldest first. */
  cases: ListedCase[]
}

const MAX_FILES = 50
const MAX_CASES = 50

/** Describes each connection of the installation, in the order of connections.json. */
export async function getConnectionOverviews(deps: Deps): Promise<ConnectionOverview[]> {
  const connections = deps.connections.current()
  const overviews: ConnectionOverview[] = []
  for (const connection of connections.all) overviews.push(await overviewOf(deps, connections, connection))
  return overviews
}

async function overviewOf(deps: Deps, connections: Connections, connection: Connection): Promise<ConnectionOverview> {
  const { id, timeZone } = connection
  const now = deps.clock.now()
  const since = startOfDay(new Date(`${businessDate(now, timeZone)}T00:00:00Z`), timeZone)
  const state = await getConnectionState(deps, id)
  const cases = await listCasesOfConnection(deps.sql, { connectionId: id, limit: MAX_CASES })
  const isFolder = connection.transport.type === 'folder'
  const contactedAt = isFolder ? await findLastFileTime(deps.sql, id) : (state?.contactedAt ?? null)
  return {
    connection,
    condition: conditionOf({ state, cases, used: contactedAt && (isFolder ? 'in_use' : 'connected') }),
    state,
    contactedAt,
    rails: CARRIED_RAILS.filter((rail) => connections.rails[rail] === id),
    nextCutOff: nextCutOff(connection, now),
    files: await listFilesSince(deps.sql, { connectionId: id, since, limit: MAX_FILES }),
    cases,
  }
}

type Facts = Pick<ConnectionOverview, 'state' | 'cases'> & { used: ConnectionCondition | null }

function conditionOf({ state, cases, used }: Facts): ConnectionCondition {
  if (state && state.tries > 0) return 'failing'
  if (cases.some(({ kind }) => kind === 'connection_silent')) return 'silent'
  return used ?? 'new'
}
