import {
  CARRIED_RAILS,
  type CarriedRail,
  type Connections,
  ISO_RAILS,
  PROCESSOR_RAILS,
} from '../../foundation/core/connections.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { countChecksToList, countOpenFiles, countOpenLegs, listOtherConnectionIds } from './removed-connection-store.ts'

type Reader = Pick<Deps, 'sql'>

/**
 * Explains why connections, or sections of connections, must not be removed: their open files and lists of checks would not be sent, and
 * the bank's messages about their payments would not be read.
 *
 * @param next the connections of the new file
 * @returns null if nothing that was removed has open work
 */
export async function removalProblem({ sql }: Reader, next: Connections): Promise<string | null> {
  const problems: string[] = []
  for (const id of await listOtherConnectionIds(
    sql,
    next.all.map((one) => one.id),
  )) {
    const files = await countOpenFiles(sql, id)
    const work = await findWork({ sql }, { connectionId: id, rails: CARRIED_RAILS })
    if (files > 0 || work !== null) problems.push(problemOf(id, { files, work: work ?? legsText(0) }))
  }
  for (const connection of next.all)
    for (const { section, field, rails } of SECTIONS) {
      const work = connection[field] ? null : await findWork({ sql }, { connectionId: connection.id, rails })
      if (work !== null) problems.push(sectionProblemOf(connection.id, { section, work }))
    }
  return problems.length === 0 ? null : problems.join('\n')
}

/** The sections without which the orders and checks of rails are not followed, by their names in connections.json. */
const SECTIONS = [
  { section: 'ach', field: 'ach', rails: ['ACH'] },
  { section: 'checks', field: 'checks', rails: ['MAIL', 'PRINT'] },
  { section: 'iso20022', field: 'iso20022', rails: ISO_RAILS },
  { section: 'adapter or paypal', field: 'processor', rails: PROCESSOR_RAILS },
] as const satisfies readonly { section: string; field: string; rails: readonly CarriedRail[] }[]

/** Returns the open movements of money and checks of a connection on rails in words, or null if there are none. */
async function findWork(
  { sql }: Reader,
  { connectionId, rails }: { connectionId: string; rails: readonly CarriedRail[] },
): Promise<string | null> {
  const legs = await countOpenLegs(sql, { connectionId, rails })
  const checks = rails.includes('MAIL') ? await countChecksToList(sql, connectionId) : 0
  if (legs + checks === 0) return null
  return checks === 0 ? legsText(legs) : `${legsText(legs)}, and ${countText(checks, 'check')} to list`
}

const problemOf = (id: string, { files, work }: { files: number; work: string }): string =>
  `connections.json lacks the connection ${id}, which has ${countText(files, 'open file')} and ${work}. ` +
  `Put it back. To retire a bank, give its rails to another connection first, and remove it when its payments have settled and ` +
  `"remit files list --connection ${id}" shows no open files.`

const sectionProblemOf = (id: string, { section, work }: { section: string; work: string }): string =>
  `connections.json lacks the section ${section} of the connection ${id}, which has ${work}. ` +
  `Put it back. To retire its rails, remove them from "rails" first, and the section when their payments have settled.`

const legsText = (count: number): string => `${countText(count, 'open movement')} of money`

const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
