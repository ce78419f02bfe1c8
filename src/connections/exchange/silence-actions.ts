import { type Connection, hasFiles } from '../../foundation/core/connections.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { readBankHolds } from '../../foundation/exception/bank-hold-actions.ts'
import { findConnectionState, hasUnreadExchange, listFileConnectionIds } from './connection-state-store.ts'
import { hasUnreadInbound } from './exchange-folder-actions.ts'
import { openExchange } from './exchange-guard-actions.ts'

/**
 * Returns the time until which all files of a bank were read, while no case about the bank is open. Work that assumes
 * that the bank reports problems may be done up to this time. Otherwise, no debit becomes trusted, no file is accepted
 * without an acknowledgment, and no check expires.
 *
 * @returns null if a file may be unread
 */
export async function findSilenceDate(deps: Deps, connection: Connection): Promise<Date | null> {
  // Because of this order, a file that is read during the check is found in the folder, in the table or in a case.
  const at = await listedUntil(deps, connection).catch(() => null) // the step that reads files reports the reason
  if (at === null || (await hasUnreadExchange(deps.sql, connection.id))) return null
  return (await readBankHolds(deps)).connectionIds.has(connection.id) ? null : at
}

/** Returns the time until which all files of a bank were fetched, or null if a file of the bank waits in the folder. */
async function listedUntil(deps: Deps, connection: Connection): Promise<Date | null> {
  const now = deps.clock.now()
  const folder = await openExchange(deps, connection)
  if (folder === null) return null
  if (connection.transport.type === 'folder') return (await hasUnreadInbound(folder, connection)) ? null : now
  return (await findConnectionState(deps.sql, connection.id))?.heardAt ?? null
}

/**
 * The time until which all files of each bank were read, by the id of its connection. Banks with a case or with unread
 * files are missing.
 */
export type Silence = { heardUntil: ReadonlyMap<string, Date>; isComplete: boolean }

/**
 * Reads these times for all banks. `isComplete`: whether the files of all banks that were ever used are read until
 * now.
 *
 * @returns null on simulated rails, which have no files
 */
export async function readSilence(deps: Deps): Promise<Silence | null> {
  if (deps.settings.railNetwork === 'simulated') return null
  const now = deps.clock.now()
  const heardUntil = new Map<string, Date>()
  for (const connection of deps.connections.current().all.filter(hasFiles)) {
    const at = await findSilenceDate(deps, connection)
    if (at) heardUntil.set(connection.id, at)
  }
  const usedIds = await listFileConnectionIds(deps.sql)
  const isComplete = usedIds.every((id) => (heardUntil.get(id)?.getTime() ?? Number.NEGATIVE_INFINITY) >= now.getTime())
  return { heardUntil, isComplete }
}

/** Removes the banks that have an open case now. Must run in the transaction that uses the times. */
export async function withoutHeldBanks(
  deps: Pick<TxDeps, 'sql' | 'keyRing'>,
  silence: Silence | null,
): Promise<Silence | null> {
  if (silence === null) return null
  const { connectionIds } = await readBankHolds(deps)
  if (![...connectionIds].some((id) => silence.heardUntil.has(id))) return silence
  const heardUntil = new Map([...silence.heardUntil].filter(([id]) => !connectionIds.has(id)))
  return { heardUntil, isComplete: false }
}
