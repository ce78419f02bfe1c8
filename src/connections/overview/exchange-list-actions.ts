import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { isId } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { parseOutgoingFileName } from '../exchange/bank-file-rules.ts'
import { type ExchangeFilter, type ExchangeRow, findExchanges, listExchanges } from './exchange-list-store.ts'

const MAX_LISTED = 200

/** Lists files in both directions, newest first. `hasMore`: whether older ones were left out. */
export async function getExchanges(
  { sql }: Pick<Deps, 'sql'>,
  filter: ExchangeFilter,
): Promise<{ files: ExchangeRow[]; hasMore: boolean }> {
  const rows = await listExchanges(sql, { ...filter, limit: MAX_LISTED + 1 })
  return { files: rows.slice(0, MAX_LISTED), hasMore: rows.length > MAX_LISTED }
}

/** Lists all files in both directions, newest first, for programs. */
export const getAllExchanges = ({ sql }: Pick<Deps, 'sql'>, filter: ExchangeFilter): Promise<ExchangeRow[]> =>
  listExchanges(sql, { ...filter, limit: null })

/** Finds our file with a name that was written for a connection, or null. */
export const findOwnFile = async (
  { sql }: Pick<TxDeps, 'sql'>,
  { connectionId, name }: { connectionId: string; name: string },
): Promise<ExchangeRow | null> =>
  (await findExchanges(sql, { id: null, name, outName: name, limit: MAX_LISTED })).find(
    (file) => file.direction === 'out' && file.connectionId === connectionId,
  ) ?? null

/** Finds a file by the name or the id that the operator typed. @throws StartProblem if there is none, or several have the name */
export async function requireExchange({ sql }: Pick<TxDeps, 'sql'>, text: string): Promise<ExchangeRow> {
  const given = { id: isId(text) ? text : null, name: text, outName: parseOutgoingFileName(text) }
  const files = await findExchanges(sql, { ...given, limit: MAX_LISTED })
  const [file] = files
  if (!file) throw new StartProblem(`There is no file ${text}. Run "remit files list --all" to see all files.`)
  if (files.length === 1) return file
  const lines = files.map(({ id, connectionId, createdAt }) => `  ${id}  ${connectionId}  ${createdAt.toISOString()}`)
  throw new StartProblem(
    `${files.length} files have the name ${text}. Name one of them by its id:\n${lines.join('\n')}`,
  )
}
