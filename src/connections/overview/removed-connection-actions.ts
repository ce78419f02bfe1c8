import type { Connections } from '../../foundation/core/connections.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { countOpenFiles, countOpenLegs, listOtherConnectionIds } from './removed-connection-store.ts'

/**
 * Explains why connections must not be removed: their open files would not be sent, and the bank's messages about their payments would not
 * be read.
 *
 * @param next the connections of the new file
 * @returns null if no removed connection has open work
 */
export async function removalProblem({ sql }: Pick<Deps, 'sql'>, next: Connections): Promise<string | null> {
  const problems: string[] = []
  for (const id of await listOtherConnectionIds(
    sql,
    next.all.map((one) => one.id),
  )) {
    const [files, legs] = [await countOpenFiles(sql, id), await countOpenLegs(sql, id)]
    if (files + legs > 0) problems.push(problemOf(id, { files, legs }))
  }
  return problems.length === 0 ? null : problems.join('\n')
}

const problemOf = (id: string, { files, legs }: { files: number; legs: number }): string =>
  `connections.json lacks the connection ${id}, which has ${countText(files, 'open file')} and ${countText(legs, 'open movement')} of money. ` +
  `Put it back. To retire a bank, give its rails to another connection first, and remove it when its payments have settled and ` +
  `"remit files list --connection ${id}" shows no open files.`

const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
