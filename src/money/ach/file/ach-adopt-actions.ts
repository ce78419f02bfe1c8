import { calendarOf } from '../../../connections/exchange/bank-calendar-rules.ts'
import {
  addLostContent,
  adoptOutgoingFile,
  type NewOutgoingFile,
} from '../../../connections/exchange/outgoing-file-actions.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import { isConfiguredAccount } from '../../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { currentDigestKey } from '../../../foundation/db/digests.ts'
import { nextSettlementDate } from '../../../foundation/lib/banking-day.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { formatRdfi } from '../format/nacha-entry-rules.ts'
import { nachaOriginOf } from '../format/nacha-origin-rules.ts'
import { type NachaContent, parseNachaFiles } from '../format/nacha-parse-rules.ts'
import { fileNameOf } from './ach-file-rules.ts'
import { type AchFileRow, insertAchEntries, insertAchFile, readCounts } from './ach-file-store.ts'
import { isComplete } from './ach-inbound-rules.ts'
import {
  countBefore,
  freeReserved,
  insertRecoveredEntries,
  listReservedFiles,
  type ReservedFile,
  updateReserved,
} from './ach-restore-store.ts'

// Adds ACH files that the bank has, and that a restored database does not contain.

/** Adopts an ACH file from its bytes. Its entries are assigned to legs later. @throws StartProblem */
export async function adoptAchFile(
  tx: TxDeps,
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
  await insertAchEntries(tx.sql, id, rows)
  // An entry that balances its batch has no payment. Users cannot have the account that it goes to.
  const isOfPayment = ({ routingNumber, accountNumber }: (typeof rows)[number]) =>
    !isConfiguredAccount(tx, { routing: routingNumber, account: accountNumber })
  await insertRecoveredEntries(tx.sql, id, rows.filter(isOfPayment))
  return { name, hasGapBefore }
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
