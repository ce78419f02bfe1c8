import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { createOutgoingFile } from '../../../connections/exchange/outgoing-file-actions.ts'
import type { CheckLayout } from '../../../foundation/core/check-layout.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import { findConnection } from '../../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../../foundation/db/failed-items.ts'
import { type Isolation, isolate } from '../../../foundation/db/isolation.ts'
import { runInGroup } from '../../../foundation/db/statement-group.ts'
import { inTransaction, inUndoneTransaction } from '../../../foundation/db/transaction.ts'
import { businessDate, formatDate, localClock } from '../../../foundation/lib/clock.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import {
  type LegHandlers,
  legsToFile,
  platformsToFile,
  postponeLeg,
  sendLegInFile,
} from '../../../money/rail/leg-actions.ts'
import { refuseLeg } from '../../../money/rail/leg-refusal-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { readRestoreGap } from '../../../money/rail/restore-hold-actions.ts'
import type { beginChecks } from '../../drawing/check-drawing-actions.ts'
import { payeeText } from '../../drawing/paper-check-rules.ts'
import { readPaperCheck } from '../paper/paper-actions.ts'
import { type CheckForBank, type FileTime, type RenderedList, renderCheckList } from './check-list-rules.ts'
import { openPaperAccount } from './print-check-actions.ts'
import { findAtPrinter, isAtPrinter } from './print-restore-actions.ts'
import { CHECKS_PER_FILE, fileNameOf, manifestOf, type PrintedCheck } from './print-rules.ts'
import {
  assignChecksToList,
  assignPrintFile,
  type CheckList,
  findMailing,
  hasChecksToList,
  type ListedCheck,
  type ListScope,
  listPlatformsToList,
  tryLockPrinting,
} from './print-store.ts'

/** The milliseconds until a check that could not be drawn is tried again. */
const POSTPONED_MS = 60 * 60 * 1000

/**
 * Commits one batch of checks to be mailed: their payments become MAILED, and the bytes of the file are stored. A later pass writes the
 * file.
 *
 * @returns the number of checks, or 0 if none is waiting or another worker is making a batch
 */
export function printChecks(deps: Deps, handlers: LegHandlers, connectionId: string): Promise<number> {
  const isolation = isolate(deps, 'write check files')
  const refuse = (leg: LegRow, { message }: ApiError) =>
    inTransaction(deps, (tx) =>
      refuseLeg(tx, handlers, { leg, kind: 'leg_unsendable', note: `The check was not printed: ${message}` }),
    )
  const skip = async ({ cause, item }: ItemFailed<LegRow>) => {
    // Only the operator can resolve a refusal. Other errors may be gone in an hour.
    if (cause instanceof ApiError) return refuse(item, cause)
    const { platformId, id } = item
    isolation.fail({ platformId, kind: 'leg', id }, cause)
    // Stored in the database, so that other processes wait as well.
    const postponedTo = new Date(deps.clock.now().getTime() + POSTPONED_MS)
    await postponeLeg(deps, { platformId, id }, postponedTo).catch((error) => isolation.fail({ platformId }, error))
  }
  const print = (platformId?: string) => (tx: TxDeps) =>
    printBatch(tx, handlers, { connectionId, isolation, platformId })
  return isolation.runWithoutFailing({
    kind: 'print file',
    all: () => inTransactionSkippingFailed(deps, skip, print()),
    platforms: (skipped) => platformsToFile(deps, { rail: 'MAIL', until: deps.clock.now(), skipped }),
    tryOne: (platformId) => inUndoneTransaction(deps, print(platformId)),
  })
}

async function printBatch(
  tx: TxDeps,
  handlers: LegHandlers,
  {
    connectionId,
    isolation,
    platformId,
  }: { connectionId: string; isolation: Isolation; platformId: string | undefined },
): Promise<number> {
  if (!(await tryLockPrinting(tx.sql, 'print'))) return 0
  const now = tx.clock.now()
  const skipped = { ...isolation.skipped(), ids: [] } // the database stores which checks are postponed
  const legs = await legsToFile(tx, { rail: 'MAIL', until: now, skipped, platformId, limit: CHECKS_PER_FILE })
  if (legs.length === 0) return 0
  const drawing = await beginDrawing(now)
  const printed: (PrintedCheck & { leg: LegRow })[] = []
  const gap = await readRestoreGap(tx)
  const atPrinter = await findAtPrinter(tx, legs)
  const isPrinted = (leg: LegRow) => isAtPrinter(tx, handlers, { leg, atPrinter, gap })
  const sent = await runInGroup(tx.sql, legs, {
    keysOf: ({ subjectId }) => [subjectId],
    run: async (leg) =>
      !(await isPrinted(leg).catch(failItem(leg))) && (await sendLegInFile(tx, handlers, leg).catch(failItem(leg))),
  })
  for (const leg of legs.filter((_, index) => sent[index])) {
    printed.push({ ...(await printOne(tx, { leg, drawing }).catch(failItem(leg))), leg })
    await setImmediate() // Drawing blocks the event loop, so other work may run between two checks.
  }
  if (printed.length === 0) return 0
  const id = newId(tx)
  await createOutgoingFile(tx, {
    id,
    connectionId,
    kind: 'print',
    name: fileNameOf('print', id),
    effectiveAt: null,
    // The manifest is written last. When it appears, the PDF is complete.
    parts: [
      { name: `${fileNameOf('print', id)}.pdf`, content: await drawing.end() },
      { name: `${fileNameOf('print', id)}.csv`, content: manifestOf(printed) },
    ],
    platformIds: printed.map(({ leg }) => leg.platformId),
  })
  const legKeys = printed.map(({ leg }) => ({ platformId: leg.platformId, legId: leg.id }))
  await assignPrintFile(tx.sql, id, legKeys)
  tx.afterCommit(() => isolation.succeed(printed.map(({ leg }) => leg.id)))
  return printed.length
}

type Drawing = ReturnType<typeof beginChecks>

/** Loads the drawing code late, because fonts and PDFs take a tenth of a service's start time. */
const beginDrawing = async (now: Date): Promise<Drawing> =>
  (await import('../../drawing/check-drawing-actions.ts')).beginChecks(now)

/** Draws the check of a leg that was sent. */
async function printOne(tx: TxDeps, { leg, drawing }: { leg: LegRow; drawing: Drawing }): Promise<PrintedCheck> {
  const key = { platformId: leg.platformId, paymentId: leg.subjectId }
  const mailing = await findMailing(tx.sql, key)
  assert.ok(mailing, 'a check goes by post to no address')
  const check = await readPaperCheck(tx, key, leg)
  const page = drawing.add(check)
  return { ...mailing, number: Number(check.number), paymentId: key.paymentId, cents: leg.cents, page }
}

/** Commits a list for the bank (positive pay) of newly issued and newly stopped checks. @returns the number of lines */
export const issueChecks = (deps: Deps, connectionId: string): Promise<number> =>
  commitList(deps, { connectionId, kind: 'issue' })

/** Commits a list of checks that the bank must no longer pay. @returns the number of checks */
export const stopChecks = (deps: Deps, connectionId: string): Promise<number> =>
  commitList(deps, { connectionId, kind: 'stop' })

type ListKind = 'issue' | 'stop'
type ListFile = { connectionId: string; kind: ListKind }

const listsOf: Record<ListKind, readonly CheckList[]> = { issue: ['issue', 'void'], stop: ['stop'] }

function commitList(deps: Deps, file: ListFile): Promise<number> {
  const isolation = isolate(deps, 'write check files')
  const { connectionId } = file
  const commit = (given: Omit<ListScope, 'connectionId'>) => (tx: TxDeps) =>
    commitOneList(tx, file, { connectionId, ...given })
  return isolation.runWithoutFailing({
    kind: `${file.kind} file`,
    all: async (skipped) =>
      (await isAnyToList(deps, listsOf[file.kind], { connectionId, skipped }))
        ? inTransaction(deps, commit({ skipped }))
        : 0,
    platforms: async (skipped) => {
      const found = await Promise.all(
        listsOf[file.kind].map((list) => listPlatformsToList(deps.sql, list, { connectionId, skipped })),
      )
      return [...new Set(found.flat())]
    },
    tryOne: (platformId) => inUndoneTransaction(deps, commit({ platformId })),
  })
}

async function commitOneList(tx: TxDeps, { connectionId, kind }: ListFile, scope: ListScope): Promise<number> {
  if (!(await tryLockPrinting(tx.sql, kind))) return 0
  const fileId = newId(tx)
  const list = await takeList(tx, { kind, fileId, scope })
  if (!list) return 0
  const name = fileNameOf(kind, fileId)
  const { platformIds, ending, content } = list
  const parts = [{ name: `${name}.${ending}`, content }]
  await createOutgoingFile(tx, { id: fileId, connectionId, kind, name, effectiveAt: null, parts, platformIds })
  return list.checks.length
}

/** A rendered list with its checks and their platforms. `ending`: the ending of the file name. */
type TakenList = RenderedList & { checks: CheckForBank[]; platformIds: Set<string>; ending: 'csv' | 'txt' }

/** Assigns the waiting checks to a file and renders it. Returns null if no check waits. */
async function takeList(
  tx: TxDeps,
  { kind, fileId, scope }: { kind: ListKind; fileId: string; scope: ListScope },
): Promise<TakenList | null> {
  const layout = layoutOf(tx, scope.connectionId)
  const checks: CheckForBank[] = []
  const platformIds = new Set<string>()
  for (const list of listsOf[kind]) {
    const limit = layout.checksPerFile - checks.length
    for (const check of limit > 0 ? await assignChecksToList(tx, { list, fileId, limit, ...scope }) : []) {
      checks.push(checkForBank(tx, list, check))
      platformIds.add(check.platformId)
    }
  }
  if (checks.length === 0) return null
  const at = fileTime(localClock(tx.clock.now(), tx.settings.timeZone))
  const rendered = renderCheckList(layout, kind === 'issue' ? layout.issueFile : layout.stopFile, { checks, at })
  return { ...rendered, checks, platformIds, ending: layout.style.form === 'csv' ? 'csv' : 'txt' }
}

/** Formats the time of a file. @param local the local time of the business in the UTC fields of a date */
const fileTime = (local: Date): FileTime => ({
  date: formatDate(local),
  time: local.toISOString().slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM:SS'.length).replaceAll(':', ''),
})

function layoutOf({ connections }: Pick<TxDeps, 'connections'>, connectionId: string): CheckLayout {
  const checks = findConnection(connections.current(), connectionId)?.checks
  assert.ok(checks, 'checks are listed for a connection that has none')
  return checks.layout
}

/** Returns the lists that would be written now, with their checks. Changes nothing. */
export async function previewLists(deps: Deps, connectionId: string): Promise<{ kind: ListKind; list: TakenList }[]> {
  const lists: { kind: ListKind; list: TakenList }[] = []
  for (const kind of ['issue', 'stop'] as const) {
    const list = await inUndoneTransaction(deps, (tx) =>
      takeList(tx, { kind, fileId: newId(tx), scope: { connectionId } }),
    )
    if (list) lists.push({ kind, list })
  }
  return lists
}

async function isAnyToList(
  { sql }: Pick<Deps, 'sql'>,
  lists: readonly CheckList[],
  scope: ListScope,
): Promise<boolean> {
  for (const list of lists) if (await hasChecksToList(sql, list, scope)) return true
  return false
}

function checkForBank(tx: TxDeps, list: CheckList, check: ListedCheck): CheckForBank {
  const { number, cents, issuedOn, payee, stoppedAt, isInPrintFile } = check
  const stoppedOn = stoppedAt && businessDate(stoppedAt, tx.settings.timeZone)
  const action = list === 'issue' && !isInPrintFile ? 'add' : list
  return {
    action,
    account: openPaperAccount(tx, check.accountSealed),
    number,
    cents,
    issuedOn,
    payee: payeeText(payee),
    stoppedOn,
  }
}
