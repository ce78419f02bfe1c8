import { calendarOf } from '../../../connections/exchange/bank-calendar-rules.ts'
import {
  addLostContent,
  addPlatformToFile,
  adoptOutgoingFile,
  type NewOutgoingFile,
} from '../../../connections/exchange/outgoing-file-actions.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import { findConnection, isConfiguredAccount } from '../../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { currentDigestKey } from '../../../foundation/db/digests.ts'
import { nextSettlementDate } from '../../../foundation/lib/banking-day.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { type LegHandlers, lockLeg } from '../../rail/leg-actions.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import { formatRdfi } from '../format/nacha-entry-rules.ts'
import { nachaOriginOf } from '../format/nacha-origin-rules.ts'
import { type NachaContent, parseNachaFiles, type ReadEntry } from '../format/nacha-parse-rules.ts'
import { entryDescriptions, fileNameOf, receiverIdOf } from './ach-file-rules.ts'
import { type AchFileRow, insertAchEntries, insertAchFile, markEntryRecalled, readCounts } from './ach-file-store.ts'
import { undoRejected } from './ach-follow-actions.ts'
import { isComplete } from './ach-inbound-rules.ts'
import { movementOf } from './ach-restore-actions.ts'
import {
  countBefore,
  findFileOfUnassigned,
  freeReserved,
  insertRecoveredEntries,
  listReservedFiles,
  type ReservedFile,
  takeNamedEntries,
  updateNamedEntry,
  updateReserved,
} from './ach-restore-store.ts'

// Adds ACH files that the bank has, and that a restored database does not contain.

/** Adopts an ACH file from its bytes. Its entries are assigned to legs later. @throws StartProblem */
export async function adoptAchFile(
  tx: TxDeps,
  handlers: LegHandlers,
  {
    connection,
    fileName,
    content,
    isTransmitted,
  }: { connection: Connection; fileName: string; content: Buffer; isTransmitted: boolean },
): Promise<{ name: string; hasGapBefore: boolean }> {
  const [reading] = parseNachaFiles(content.toString('latin1'))
  const nacha = reading && isComplete(reading) ? reading.content : null
  if (!nacha?.header || nacha.entries.length === 0)
    throw new StartProblem(`${fileName} is not an ACH file of this service. Check the file.`)
  const { entries, header } = nacha
  const other = tx.connections.current().all.find((one) => isFileOf(one, nacha))
  if (other && other.id !== connection.id && !isFileOf(connection, nacha))
    throw new StartProblem(
      `${fileName} is a file of the connection ${other.id}. Nothing was changed. Leave it out here.`,
    )
  const creationDate = header.creationDate.replace(/^(..)(..)(..)$/, '20$1-$2-$3')
  const name = fileNameOf({ creationDate, modifier: header.fileIdModifier })
  const first = Math.min(...entries.map(({ traceNumber }) => Number(traceNumber.slice(8))))
  const reserved = (await listReservedFiles(tx.sql, connection.id)).find((file) => file.name === name)
  const sentBefore = reserved
    ? placeInReserved(reserved, { first, count: entries.length })
    : await placeOf(tx, { creationDate, first })
  const hasGapBefore = (await countBefore(tx.sql, sentBefore)) < sentBefore
  const parts = [{ name: `${name}.ach`, content }]
  const known = { debitCents: sumOf(entries, 'debit'), creditCents: sumOf(entries, 'credit'), sentBefore }
  if (reserved) {
    await updateReserved(tx.sql, reserved.id, known)
    await addLostContent(tx, { id: reserved.id, connectionId: connection.id, kind: 'ach', parts })
  } else await freeReserved(tx.sql, { from: sentBefore, to: sentBefore + entries.length })
  const id =
    reserved?.id ??
    (await adoptFile(tx, {
      ...{ ...known, connection, name, creationDate, modifier: header.fileIdModifier, isTransmitted, parts },
      entryCount: entries.length,
      companyId: entries[0]?.companyId ?? '',
    }))
  const keyId = await currentDigestKey(tx)
  const rows = entries.map((entry) => ({
    ...entry,
    leg: null,
    rdfi: formatRdfi(entry.routingNumber),
    accountDigest: tx.keyRing.digest(entry.accountNumber, 'ach account', keyId),
  }))
  const named = await checkNamedEntries(tx, handlers, { id, rows })
  const isNew = ({ traceNumber }: (typeof rows)[number]) => !named.has(traceNumber)
  await insertAchEntries(tx.sql, id, rows.filter(isNew))
  // An entry that balances its batch has no payment. Users cannot have the account that it goes to.
  const isOfPayment = ({ routingNumber, accountNumber }: (typeof rows)[number]) =>
    !isConfiguredAccount(tx, { routing: routingNumber, account: accountNumber })
  await insertRecoveredEntries(
    tx.sql,
    id,
    rows.filter((row) => isNew(row) && isOfPayment(row)),
  )
  return { name, hasGapBefore }
}

/** An entry of a file, as its content shows it. */
type ReadRow = ReadEntry & { rdfi: string; accountDigest: Buffer }

/**
 * Compares the entries that the operator named while the content of a file was unknown with the content. They move to the file that has them.
 * If the file has no such entry, or it is the one of another payment, the bank does not have the payment: it waits for another file.
 *
 * @returns the trace numbers of these entries
 */
async function checkNamedEntries(
  tx: TxDeps,
  handlers: LegHandlers,
  { id, rows }: { id: string; rows: readonly ReadRow[] },
): Promise<Set<string>> {
  const named = await takeNamedEntries(
    tx.sql,
    id,
    rows.map(({ traceNumber }) => traceNumber),
  )
  for (const entry of named) {
    const row = rows.find(({ traceNumber }) => traceNumber === entry.traceNumber)
    const isSame =
      row !== undefined &&
      movementOf(entry) === movementOf({ ...row, cents: row.amountCents, description: row.entryDescription }) &&
      (row.receiverId === entry.receiverId ||
        tx.keyRing.isDigestOf(entry.accountDigest, row.accountNumber, 'ach account'))
    if (entry.platformId !== null) await addPlatformToFile(tx, id, entry.platformId)
    if (row) await updateNamedEntry(tx.sql, id, { ...row, isSame })
    else await markEntryRecalled(tx.sql, { fileId: id, traceNumber: entry.traceNumber }, tx.clock.now())
    if (isSame || entry.platformId === null || entry.legId === null) continue
    const leg = await lockLeg(tx, handlers, { platformId: entry.platformId, id: entry.legId })
    if (leg) await undoRejected(tx, handlers, leg)
    tx.log.error({ leg: entry.legId, trace: entry.traceNumber }, 'the named entry is not the one of this leg: undone')
  }
  return new Set(named.map(({ traceNumber }) => traceNumber))
}

/**
 * Returns the number of entries that were sent before a file, from its first trace number. Trace numbers start over eventually, so a file is
 * either shortly after the last known file, or an older one.
 */
async function placeOf(
  { sql }: TxDeps,
  { creationDate, first }: { creationDate: string; first: number },
): Promise<number> {
  const { sentBefore } = await readCounts(sql, { creationDate })
  const skipped = skippedUpTo(sentBefore, first)
  const isOlder = skipped > MAX_SEQUENCE / 2 && sentBefore + skipped >= MAX_SEQUENCE
  return isOlder ? sentBefore + skipped - MAX_SEQUENCE : sentBefore + skipped
}

/**
 * Returns the number of entries that were sent before a file for which a name and trace numbers are reserved.
 *
 * @throws StartProblem if it has other trace numbers
 */
function placeInReserved(
  { name, sentBefore, entryCount }: ReservedFile,
  { first, count }: { first: number; count: number },
): number {
  const skipped = skippedUpTo(sentBefore, first)
  if (skipped + count <= entryCount) return sentBefore + skipped
  throw new StartProblem(
    `The trace numbers in the file named ${name} are not those of the lost file. Nothing was changed. Check the file.`,
  )
}

/** Returns the number of trace numbers between the last one that was used and a later one. */
const skippedUpTo = (sentBefore: number, first: number): number =>
  (first - 1 - (sentBefore % MAX_SEQUENCE) + MAX_SEQUENCE) % MAX_SEQUENCE

/** Returns whether the header and the batches of a file name the bank and the company of a connection. */
const isFileOf = (connection: Connection, { header, entries }: NachaContent): boolean => {
  const origin = nachaOriginOf(connection)
  return (
    origin !== null &&
    header?.immediateDestination === origin.immediateDestination.trim() &&
    header.immediateOrigin === origin.immediateOrigin.trim() &&
    entries.every(({ companyId }) => companyId === origin.companyId.trim())
  )
}

const sumOf = (entries: readonly { direction: string; amountCents: number }[], direction: 'debit' | 'credit'): number =>
  entries.reduce((sum, one) => sum + (one.direction === direction ? one.amountCents : 0), 0)

const MAX_SEQUENCE = 9_999_999

/** Reserves the name and the trace numbers of a file whose content is unknown, so that they are not used again. */
export async function reserveAchFile(tx: TxDeps, connection: Connection, name: string): Promise<void> {
  const creationDate = name.replace(/^(....)(..)(..)-.$/, '$1-$2-$3')
  const { sentBefore } = await readCounts(tx.sql, { creationDate })
  const companyId = nachaOriginOf(connection)?.companyId.trim() ?? ''
  const unknown = { entryCount: UNKNOWN_ENTRIES, companyId, debitCents: 0, creditCents: 0 }
  const file = { name, creationDate, modifier: name.slice(9), sentBefore, ...unknown }
  await adoptFile(tx, { ...file, connection, parts: [], isTransmitted: true })
}

/** Finds the file whose content is unknown, and for which a trace number is reserved. */
export async function findFileOfReserved(
  { sql, connections }: Pick<TxDeps, 'sql' | 'connections'>,
  traceNumber: string,
): Promise<ReservedFile | null> {
  const sequence = Number(traceNumber.slice(8))
  if (!/^\d{15}$/.test(traceNumber) || sequence === 0) return null
  const isIn = ({ connectionId, sentBefore, entryCount }: ReservedFile) => {
    const connection = findConnection(connections.current(), connectionId)
    const odfi = connection && nachaOriginOf(connection)?.odfiRoutingNumber.slice(0, 8)
    return odfi === traceNumber.slice(0, 8) && skippedUpTo(sentBefore, sequence) < entryCount
  }
  return (await listReservedFiles(sql, null)).find(isIn) ?? null
}

/** Returns whether an unknown entry can become known: its file is here, or its content was lost. `cents`: null for any amount. */
export const isKnownLater = async (
  tx: TxDeps,
  entry: { traceNumber: string; direction: string; cents: number | null },
): Promise<boolean> =>
  (await findFileOfUnassigned(tx.sql, entry)) !== null || (await findFileOfReserved(tx, entry.traceNumber)) !== null

/** Adds an entry to a file whose content is unknown: the operator has found out that it is the one of a leg. */
export async function addNamedEntry(
  tx: TxDeps,
  file: ReservedFile,
  { traceNumber, leg, receiver }: { traceNumber: string; leg: LegRow; receiver: NamedReceiver },
): Promise<void> {
  const { routingNumber, accountNumber } = receiver.account
  const accountDigest = tx.keyRing.digest(accountNumber, 'ach account', await currentDigestKey(tx))
  const entry = { traceNumber, accountDigest, rdfi: formatRdfi(routingNumber), leg: null }
  await insertAchEntries(tx.sql, file.id, [entry])
  const receiverId = receiverIdOf(leg, receiver).slice(0, 15).trim()
  const movement = {
    direction: leg.direction,
    amountCents: leg.cents,
    entryDescription: entryDescriptions[leg.purpose],
  }
  await insertRecoveredEntries(tx.sql, file.id, [{ ...entry, ...movement, receiverId }])
}

type NamedReceiver = { receiverId: string; account: { routingNumber: string; accountNumber: string } }

/** Returns the names of the files of a connection whose content is unknown, because a restore of the database lost it. */
export const reservedAchNames = async (deps: Pick<Deps, 'sql'>, { id }: Connection): Promise<string[]> =>
  (await listReservedFiles(deps.sql, id)).map(({ name }) => name)

type AdoptedFile = Omit<AchFileRow, 'id' | 'effectiveDate'> &
  Pick<NewOutgoingFile, 'name' | 'parts'> & { connection: Connection; isTransmitted: boolean }

/** Adopts a bank file with its ACH row. @returns its id */
async function adoptFile(
  tx: TxDeps,
  { connection, name, parts, isTransmitted, ...file }: AdoptedFile,
): Promise<string> {
  const id = newId(tx)
  const effectiveAt = nextSettlementDate(new Date(`${file.creationDate}T22:00:00Z`), calendarOf(connection)) // an afternoon in the United States
  const bankFile = { id, connectionId: connection.id, kind: 'ach', name, effectiveAt, parts, platformIds: [] } as const
  await adoptOutgoingFile(tx, bankFile, { isTransmitted })
  await insertAchFile(tx.sql, { ...file, id, effectiveDate: effectiveAt.toISOString().slice(0, 10) })
  return id
}

/** The number of trace numbers to reserve, which is more than a week of files uses. */
const UNKNOWN_ENTRIES = 1_000_000
