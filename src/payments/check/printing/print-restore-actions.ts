import { adoptOutgoingFile } from '../../../connections/exchange/outgoing-file-actions.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import { checkBankOfConnection } from '../../../foundation/core/operator-account.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { isId } from '../../../foundation/lib/ids.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { parseCsv } from '../../../foundation/lib/text/csv.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { holdForReview, holdIfMaybeAtBank } from '../../../money/rail/restore-hold-actions.ts'
import { sealPaperAccount, storePaperDigest } from './print-check-actions.ts'
import { claimRecoveredCheck, insertRecoveredChecks, raiseCheckSerial } from './print-restore-store.ts'

// Recovers after a database restore: handles checks that the printer has and the database does not contain.

/** A print file with its list, from the folder or from the operator. */
export type AdoptedPrintFile = {
  connection: Connection
  name: string
  pdf: Buffer | null
  list: Buffer
  isTransmitted: boolean
}

/** Adopts a print file from its manifest, so that its payments are not printed again. @throws StartProblem */
export async function adoptPrintFile(
  tx: TxDeps,
  { connection, name, pdf, list, isTransmitted }: AdoptedPrintFile,
): Promise<void> {
  const reading = parseCsv(list.toString('utf8'))
  const [header, ...rows] = reading.rows ?? []
  const [payment, number] = ['payment', 'number'].map((column) => header?.fields.indexOf(column) ?? -1) as [
    number,
    number,
  ]
  if (payment < 0 || number < 0)
    throw new StartProblem(`${name}.csv is not a list of checks of this service. Check the file.`)
  const checks = rows.flatMap(({ fields }) => {
    const [paymentId, serial] = [fields[payment] ?? '', Number(fields[number])]
    return isId(paymentId) && Number.isSafeInteger(serial) ? [{ paymentId, number: serial }] : []
  })
  const parts = [...(pdf ? [{ name: `${name}.pdf`, content: pdf }] : []), { name: `${name}.csv`, content: list }]
  const id = name.replace(/^print-/, '')
  await adoptOutgoingFile(
    tx,
    { id, connectionId: connection.id, kind: 'print', name, effectiveAt: null, parts, platformIds: [] },
    { isTransmitted },
  )
  await insertRecoveredChecks(tx.sql, name, checks)
  await reserveCheckNumbers(tx, connection, Math.max(...checks.map((check) => check.number), 0) + 1)
}

/** Ensures that the next check on the account of a connection gets this number or a higher one. */
export async function reserveCheckNumbers(tx: TxDeps, connection: Connection, nextNumber: number): Promise<void> {
  const accountNumber = checkBankOfConnection(connection)?.accountNumber
  if (accountNumber === undefined) return
  const account = {
    connectionId: connection.id,
    accountDigest: await storePaperDigest(tx, accountNumber),
    accountSealed: sealPaperAccount(tx, accountNumber),
  }
  await raiseCheckSerial(tx.sql, { ...account, lastSerial: nextNumber - 1 })
}

/** Returns whether the printer has, or may have, the check of a leg. If so, the leg is held until the operator reviews it. */
export async function isAtPrinter(tx: TxDeps, leg: LegRow, gap: Date | null): Promise<boolean> {
  const check = await claimRecoveredCheck(tx.sql, leg.subjectId)
  if (!check) return holdIfMaybeAtBank(tx, leg, gap)
  await holdForReview(tx, leg, `The printer has check ${check.number} of this payment in ${check.fileName}.`)
  return true
}
