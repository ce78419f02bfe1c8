import { type Connection, hasFiles } from '../../foundation/core/connections.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { sumWhenSettled } from '../../foundation/lib/concurrency/sum-when-settled.ts'
import type { Pgp } from '../transport/transport-types.ts'
import { type ConnectionState, findConnectionState } from './connection-state-store.ts'
import { openExchange } from './exchange-guard-actions.ts'

/**
 * A connection whose state folder matches the database. `deps` contains the connections at the start of the pass, even if they are reloaded
 * during it.
 */
export type OpenConnection = { deps: Deps; connection: Connection; folder: string }

/** A connection over SFTP. `pgp`: its keys, or null if files are sent without encryption. */
export type SftpPass = OpenConnection & { pgp: Pgp | null }

/**
 * Runs one pass of a step for each connection with files to which the step applies. A failure of one connection does not stop the others.
 * Skips connections whose files must not be read or written.
 *
 * @param given.isParallel whether a connection works at the same time as the others, because its bank can be slow. The rest work in turn
 * @param given.failed records the failure of a connection
 * @returns the sum of the results
 */
export async function eachConnection(
  given: Deps,
  {
    step,
    isFor = () => true,
    isParallel = () => false,
    work,
    failed = async () => {},
  }: {
    step: string
    isFor?: (connection: Connection) => boolean
    isParallel?: (connection: Connection) => boolean
    work: (open: OpenConnection) => Promise<number>
    failed?: (deps: Deps, connection: Connection, error: unknown) => Promise<void>
  },
): Promise<number> {
  const connections = given.connections.current()
  const deps = { ...given, connections: { current: () => connections } }
  // Connections have their own step here, because the other units of a step are ids of rows.
  const isolation = isolate(deps, 'exchange with connections')
  const skippedIds = isolation.skipped().ids
  const run = async (connection: Connection): Promise<number> => {
    const unit = { platformId: null, kind: 'connection', id: `${connection.id}: ${step}` }
    if (skippedIds.includes(unit.id)) return 0
    const count = await isolation.run(unit, async () => {
      try {
        return await runOne({ deps, connection, work })
      } catch (error) {
        await failed(deps, connection, error)
        throw error
      }
    })
    return count ?? 0
  }
  const runInTurn = async (some: readonly Connection[]): Promise<number> => {
    let count = 0
    for (const connection of some) count += await run(connection)
    return count
  }
  const chosen = connections.all.filter((one) => hasFiles(one) && isFor(one))
  return sumWhenSettled([...chosen.filter(isParallel).map(run), runInTurn(chosen.filter((one) => !isParallel(one)))])
}

async function runOne({
  deps,
  connection,
  work,
}: Omit<OpenConnection, 'folder'> & { work: (open: OpenConnection) => Promise<number> }): Promise<number> {
  const folder = await openExchange(deps, connection)
  return folder === null ? 0 : work({ deps, connection, folder })
}

/** Returns the state of a connection, or null if it was never used. */
export const getConnectionState = ({ sql }: Pick<Deps, 'sql'>, connectionId: string): Promise<ConnectionState | null> =>
  findConnectionState(sql, connectionId)
