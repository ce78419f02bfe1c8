import { calendarOf } from '../../../connections/exchange/bank-calendar-rules.ts'
import { parseOutgoingFileName } from '../../../connections/exchange/bank-file-rules.ts'
import { OUTGOING_FILE_KINDS, type OutgoingFileKind } from '../../../connections/exchange/outgoing-file-status.ts'
import type { OutgoingFileRow } from '../../../connections/exchange/outgoing-file-store.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import { isCalendarDate } from '../../../foundation/lib/clock.ts'
import { timeOfId } from '../../../foundation/lib/ids.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { creationDateOf, isAchFileName, orderOfName } from '../../../money/ach/file/ach-file-rules.ts'
import type { CommandFlags } from '../command-flags.ts'

/** The name of the last file of each kind that the bank or the printer has, as the operator says. */
export type Last = Record<OutgoingFileKind, string | null>

/** The flags that name the last file of each kind. */
export const lastFlags = {
  ach: 'lastAch',
  print: 'lastPrint',
  issue: 'lastIssue',
  stop: 'lastStop',
  checkbook: 'lastCheckbook',
  orders: 'lastOrders',
  recall: 'lastRecall',
} as const satisfies Record<OutgoingFileKind, keyof CommandFlags>

type NamedFile = Pick<OutgoingFileRow, 'kind' | 'name'>

/** The files of a connection that the database knows and has lost, and the kinds that it sends. */
export type Here = {
  known: readonly NamedFile[]
  lost: readonly NamedFile[]
  problem: string | null
  isPaperOn: boolean
  hasOrders: boolean
}

/** Returns the last file of each kind. @throws StartProblem that names the missing options */
export function lastOf(flags: CommandFlags, { known, lost, problem, isPaperOn, hasOrders }: Here): Last {
  const names = (kind: OutgoingFileKind) => [
    ...known.filter((file) => file.kind === kind).map(({ name }) => name),
    ...lost.filter((file) => file.kind === kind).map(({ name }) => name),
  ]
  const given: Last = { ach: null, print: null, stop: null, issue: null, checkbook: null, orders: null, recall: null }
  const missing: string[] = []
  for (const kind of OUTGOING_FILE_KINDS) {
    const flag = flags[lastFlags[kind]]
    // The database cannot show which files were made since the backup.
    const isUsed = kind === 'ach' || (kind === 'print' && isPaperOn) || (kind === 'orders' && hasOrders)
    const isUnsure = problem !== null && isUsed
    if (flag === undefined && (isUnsure || names(kind).length > 0)) missing.push(`--last-${kind} NAME`)
    given[kind] = flag === undefined || flag === 'none' ? null : parseOutgoingFileName(flag)
    if (given[kind] !== null && !isNameOf(kind, given[kind]))
      throw new StartProblem(
        `${flag} must be the name of ${['ach', 'issue', 'orders'].includes(kind) ? 'an' : 'a'} ${kind} file.`,
      )
  }
  if (missing.length === 0) return given
  const newest = OUTGOING_FILE_KINDS.flatMap((kind) => {
    const name = names(kind).sort(byOrder).at(-1)
    return name ? [`  ${kind}: ${name}`] : []
  })
  throw new StartProblem(
    [
      problem ? `Bank files are on hold: ${problem}.` : 'The database and the exchange folder match.',
      'Ask the bank and the printer which files they received last, then name them ("none" if they have none):',
      `  remit files recover ${missing.join(' ')}`,
      'Add --file PATH for each file since the backup that is no longer in the exchange folder.',
      'The newest files here:',
      ...newest,
    ].join('\n'),
  )
}

/** Refuses names of files that cannot exist yet. Every waiting file would count as received. @throws StartProblem */
export function requirePast(last: Last, connection: Connection, now: Date): void {
  for (const kind of OUTGOING_FILE_KINDS) {
    const name = last[kind]
    if (name === null) continue
    const date = name.replace(/^(....)(..)(..)-.$/, '$1-$2-$3')
    if (kind === 'ach' && !isCalendarDate(date))
      throw new StartProblem(`${name} is no name of a file: ${date} is no date.`)
    const isFuture =
      kind === 'ach' ? date > creationDateOf(now, calendarOf(connection)) : timeOfId(name.slice(-32)) > now
    if (isFuture)
      throw new StartProblem(`There is no file ${name} yet: its name is that of a later time. Check the name.`)
  }
}

/** Returns the kinds of files whose last file at the bank is still unknown after the recovery. */
export const unknownLast = ({ known, lost, last }: Pick<Here, 'known' | 'lost'> & { last: Last }): OutgoingFileKind[] =>
  OUTGOING_FILE_KINDS.filter((kind) => {
    const name = last[kind]
    return name !== null && ![...known, ...lost].some((file) => file.name === name)
  })

export const isNameOf = (kind: OutgoingFileKind, name: string): boolean =>
  kind === 'ach' ? isAchFileName(name) : new RegExp(`^${kind}-[0-9a-f]{32}$`).test(name)

/** Returns a sort key. File names sort by creation time, separately for ACH files and other files. */
const orderOf = (name: string): string => (/^\d{8}-/.test(name) ? orderOfName(name) : name)
export const byOrder = (a: string, b: string): number => (orderOf(a) < orderOf(b) ? -1 : 1)
export const isUpTo = (name: string, last: string | null): boolean => last !== null && orderOf(name) <= orderOf(last)
