import assert from 'node:assert/strict'
import { eachConnection, type OpenConnection } from '../../connections/exchange/connection-pass-actions.ts'
import { adoptOutgoingFile, createOutgoingFile } from '../../connections/exchange/outgoing-file-actions.ts'
import { followUps } from '../../connections/exchange/outgoing-file-status.ts'
import type { OutgoingFileRow } from '../../connections/exchange/outgoing-file-store.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { isId, newId } from '../../foundation/lib/ids.ts'
import { parseCsv } from '../../foundation/lib/text/csv.ts'
import { getBanks } from '../../money/bank/bank-actions.ts'
import { bankAccountNumber } from '../../money/bank/bank-correction-actions.ts'
import { getUser } from '../../people/user/user-actions.ts'
import { lockUser } from '../../people/user/user-lock-actions.ts'
import { isWholeAddress } from '../../people/user/user-rules.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { AdoptedPrintFile } from '../check/printing/print-restore-actions.ts'
import { addressLines } from '../payment/paper-rules.ts'
import { applyCheckbookEvent, canBePrinted } from './checkbook-actions.ts'
import { CHECKS_PER_BOOK, manifestOf } from './checkbook-rules.ts'
import {
  type CheckbookRow,
  findCheckbook,
  findCheckbookById,
  listCheckbooksInFile,
  listCheckbooksToPrint,
} from './checkbook-store.ts'

const BOOKS_PER_PASS = 20

/** One pass: writes a print file for each book that can no longer be canceled. @returns the number of books */
export async function printCheckbooks(deps: Deps): Promise<number> {
  const { rails } = deps.connections.current()
  return eachConnection(deps, {
    step: 'write checkbooks',
    isFor: ({ id }) => id === rails.MAIL,
    work: printCheckbooksOver,
  })
}

async function printCheckbooksOver({ deps, connection: { id: connectionId } }: OpenConnection): Promise<number> {
  const isolation = isolate(deps, 'write checkbooks')
  const given = { now: deps.clock.now(), limit: BOOKS_PER_PASS, ...isolation.skipped() }
  let count = 0
  for (const book of await listCheckbooksToPrint(deps.sql, given)) {
    const unit = { platformId: book.platformId, kind: 'checkbook', id: book.id }
    if (await isolation.run(unit, () => inTransaction(deps, (tx) => printCheckbook(tx, { ...book, connectionId }))))
      count++
  }
  return count
}

/** Writes the print file of a book. @returns false if the book was canceled or printed since it was listed */
async function printCheckbook(
  tx: TxDeps,
  { platformId, userId, id, connectionId }: UserKey & { id: string; connectionId: string },
): Promise<boolean> {
  await lockUser(tx, { platformId, userId })
  const book = await findCheckbook(tx.sql, { platformId, id })
  if (book?.status !== 'PENDING' || !(await canBePrinted(tx, book))) return false
  const fileId = newId(tx)
  if (!(await applyCheckbookEvent(tx, book, 'print', { fileId }))) return false
  const name = `checkbook-${fileId}`
  await createOutgoingFile(tx, {
    id: fileId,
    connectionId,
    kind: 'checkbook',
    name,
    effectiveAt: null,
    // The manifest is written last. When it appears, the PDF is complete.
    parts: [
      { name: `${name}.pdf`, content: await drawCheckbook(tx, book) },
      { name: `${name}.csv`, content: manifestOf(book) },
    ],
    platformIds: [platformId],
  })
  return true
}

async function drawCheckbook(tx: TxDeps, { platformId, userId, ...book }: CheckbookRow): Promise<Buffer> {
  const user = await getUser(tx, { platformId, userId })
  const bank = (await getBanks(tx, { platformId, userId })).find(({ id }) => id === book.bankId)
  assert.ok(bank, 'a book that can be printed has a bank')
  const { address } = user.merchant
  const fullName = user.firstName && user.lastName ? `${user.firstName} ${user.lastName}` : null
  // Loaded late, because fonts and PDFs take a tenth of a service's start time.
  const { drawBlankChecks } = await import('../drawing/checkbook-drawing-actions.ts')
  return drawBlankChecks({
    firstNumber: book.firstNumber,
    count: CHECKS_PER_BOOK,
    drawer: {
      name: user.businessName ?? fullName ?? user.name,
      address: isWholeAddress(address) ? addressLines(address) : [],
    },
    bank: {
      name: bank.name,
      routingNumber: bank.routing,
      accountNumber: (await bankAccountNumber(tx, { platformId, bankId: bank.id })) as string,
      fractionalRouting: null,
    },
    mark: tx.settings.specimenBank ? 'SPECIMEN' : null,
    createdAt: book.createdAt,
  })
}

/** Changes the checkbooks of one platform to follow the status of their print file. */
export async function followCheckbookFile(
  tx: TxDeps,
  { file, platformId }: { file: OutgoingFileRow; platformId: string },
): Promise<void> {
  const followUp = file.kind === 'checkbook' ? followUps.checkbook[file.status] : undefined
  if (!followUp) return
  for (const book of await listCheckbooksInFile(tx.sql, { platformId, fileId: file.id })) {
    await applyCheckbookEvent(tx, book, followUp === 'accept' ? 'mail' : 'recall')
  }
}

/** Marks a PENDING book as printed after a database restore, because the printer has its file. */
export async function adoptCheckbookFile(
  tx: TxDeps,
  { connection, name, pdf, list, isTransmitted }: AdoptedPrintFile,
): Promise<void> {
  const [, row] = parseCsv(list.toString('utf8')).rows ?? []
  const bookId = row?.fields[0] ?? ''
  const book = isId(bookId) ? await findCheckbookById(tx.sql, bookId) : null
  const id = name.replace(/^checkbook-/, '')
  if (book) await applyCheckbookEvent(tx, book, 'print', { fileId: id })
  const parts = [...(pdf ? [{ name: `${name}.pdf`, content: pdf }] : []), { name: `${name}.csv`, content: list }]
  const platformIds = book ? [book.platformId] : []
  await adoptOutgoingFile(
    tx,
    { id, connectionId: connection.id, kind: 'checkbook', name, effectiveAt: null, parts, platformIds },
    { isTransmitted },
  )
}
