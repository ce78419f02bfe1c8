import assert from 'node:assert/strict'
import { addPlatformToFile, adoptOutgoingFile } from '../../../connections/exchange/outgoing-file-actions.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import { dollarsToCents, formatDollars } from '../../../foundation/core/money.ts'
import { checkBankOfConnection, connectionOfRail, findConnection } from '../../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { businessDate } from '../../../foundation/lib/clock.ts'
import { isId, timeOfId } from '../../../foundation/lib/ids.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { parseCsv } from '../../../foundation/lib/text/csv.ts'
import { type LegHandlers, lockLeg, sendLegInFile } from '../../../money/rail/leg-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import {
  assignWaitingLegs,
  claimOf,
  endMissingPayments,
  holdIfMaybeAtBank,
  holdUnlessReviewed,
  NO_GAP,
  type RestoreGap,
  reportMissingPayments,
} from '../../../money/rail/restore-hold-actions.ts'
import { payeeText } from '../../drawing/paper-check-rules.ts'
import { applyLinesOfCheck } from '../paid/paid-decision-actions.ts'
import { readIssuedNumbers } from './check-list-read-rules.ts'
import { findPrintedNumber, listPaperDigests, sealPaperAccount, storePaperDigest } from './print-check-actions.ts'
import {
  insertRecoveredChecks,
  isStillUnassigned,
  listChecksWithoutPayment,
  listLegsAtPrinter,
  listOpenPayments,
  listRecoveredChecks,
  markCheckMatched,
  type RecoveredCheck,
  raiseCheckSerial,
} from './print-restore-store.ts'
import { assignPrintFile, findLegOfNumber, findMailing, insertPrintedCheck, tryLockPrinting } from './print-store.ts'

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
  const checks = readChecks(list, `${name}.csv`)
  const parts = [...(pdf ? [{ name: `${name}.pdf`, content: pdf }] : []), { name: `${name}.csv`, content: list }]
  const id = name.replace(/^print-/, '')
  await adoptOutgoingFile(
    tx,
    { id, connectionId: connection.id, kind: 'print', name, effectiveAt: null, parts, platformIds: [] },
    { isTransmitted },
  )
  await insertRecoveredChecks(tx.sql, id, checks)
  await reserveCheckNumbers(tx, connection, Math.max(...checks.map((check) => check.number), 0) + 1)
}

/**
 * Reserves the numbers in a list of issued checks that the database lost, so that no other check gets them. @returns false if they cannot be
 * read
 */
export async function reserveListedNumbers(tx: TxDeps, connection: Connection, list: Buffer): Promise<boolean> {
  const numbers = connection.checks && readIssuedNumbers(connection.checks.layout, list)
  if (!numbers) return false
  await reserveCheckNumbers(tx, connection, Math.max(...numbers) + 1)
  return true
}

/** Reads the checks of a list for the printer. @throws StartProblem */
function readChecks(list: Buffer, fileName: string) {
  const [header, ...rows] = parseCsv(list.toString('utf8')).rows ?? []
  const columns = ['payment', 'number', 'amount', 'payee'].map((column) => header?.fields.indexOf(column) ?? -1)
  const checks = rows.map(({ fields }) => {
    const [paymentId = '', number, amount, payee = ''] = columns.map((column) => fields[column] ?? '')
    return { paymentId, number: Number(number), cents: dollarsToCents(Number(amount)) ?? 0, payee }
  })
  const isCheck = ({ paymentId, number, cents }: (typeof checks)[number]) =>
    isId(paymentId) && Number.isSafeInteger(number) && number > 0 && cents > 0
  if (checks.length === 0 || !checks.every(isCheck))
    throw new StartProblem(`${fileName} is not a list of checks of this service. Check the file.`)
  return checks
}

/**
 * Ensures that the next check on the account of a connection gets this number or a higher one. @returns the last number in use or reserved, or
 * null if the connection has no checks
 */
export async function reserveCheckNumbers(
  tx: TxDeps,
  connection: Connection,
  nextNumber: number,
): Promise<number | null> {
  const accountNumber = checkBankOfConnection(connection)?.accountNumber
  if (accountNumber === undefined) return null
  const account = {
    connectionId: connection.id,
    accountDigest: await storePaperDigest(tx, accountNumber),
    accountSealed: sealPaperAccount(tx, accountNumber),
  }
  return raiseCheckSerial(tx.sql, { ...account, lastSerial: nextNumber - 1 })
}

/** The checks that the printer has of each leg: its own, and those that may be its own. */
export type AtPrinter = Map<LegRow, { own: RecoveredCheck | null; similar: RecoveredCheck[] }>

/**
 * Finds the checks of legs that the printer already has. A check is certain by the id of its payment. A payment that the database has lost
 * may be repeated under another id, so a check of the same amount and payee may be its own.
 */
export async function findAtPrinter(tx: TxDeps, legs: readonly LegRow[]): Promise<AtPrinter> {
  const checks = legs.length > 0 ? await listRecoveredChecks(tx.sql) : []
  if (checks.length === 0) return new Map()
  const paymentIds = checks.map(({ paymentId }) => paymentId)
  const open = new Set(await listOpenPayments(tx.sql, paymentIds))
  const lost = checks.filter(({ paymentId }) => !open.has(paymentId))
  const atPrinter: AtPrinter = new Map()
  for (const leg of legs) {
    const own = checks.find(({ paymentId }) => paymentId === leg.subjectId) ?? null
    const ofAmount = lost.filter(
      (one) => one.cents === leg.cents && claimOf(leg, { ...one, likeness: 'similar' }) !== 'none',
    )
    const mailing = ofAmount.length > 0 ? await findMailing(tx.sql, { ...leg, paymentId: leg.subjectId }) : null
    atPrinter.set(leg, { own, similar: ofAmount.filter(({ payee }) => payee === payeeText(mailing?.name ?? '')) })
  }
  return atPrinter
}

/**
 * Returns whether the printer has, or may have, the check of a leg. A leg whose check is certain is assigned to it. If only the amount and
 * the payee are the same, or a restore left a gap after the payment was made, the leg is held until the operator has reviewed it.
 */
export async function isAtPrinter(
  tx: TxDeps,
  handlers: LegHandlers,
  { leg, atPrinter, gap }: { leg: LegRow; atPrinter: AtPrinter; gap: RestoreGap },
): Promise<boolean> {
  const { own, similar } = atPrinter.get(leg) ?? { own: null, similar: [] }
  const problem = own && (await otherCheckOf(tx, leg, own))
  if (own && !problem && claimOf(leg, { ...own, likeness: 'own' }) === 'certain') {
    await assignToCheck(tx, handlers, { leg, check: own })
    return true
  }
  if (leg.heldAt) return true // the operator decides already
  const questions = similar.map(({ number, fileName, recoveredAt }) => ({
    since: recoveredAt,
    note: `The printer has check ${number} in ${fileName}, with the same amount and payee. It may be the one of this payment.`,
  }))
  const ofOwn = `The printer has check ${own?.number} of this payment, and its case was closed.`
  if (own) questions.unshift({ since: own.recoveredAt, note: problem ?? ofOwn })
  for (const question of questions) if (await holdUnlessReviewed(tx, leg, question)) return true
  return holdIfMaybeAtBank(tx, leg, gap)
}

/** Returns why a check at the printer cannot be the one of a payment, or null. */
async function otherCheckOf(
  tx: TxDeps,
  leg: LegRow,
  { number, cents, connectionId }: RecoveredCheck,
): Promise<string | null> {
  const printed = await findPrintedNumber(tx, leg)
  if (cents !== leg.cents || (printed !== null && printed !== number)) {
    const here = `of ${formatDollars(leg.cents)}${printed === null ? '' : `, with the number ${printed}`}`
    return `Check ${number} at the printer is of ${formatDollars(cents)}, and this payment is ${here}.`
  }
  const accountDigests = listPaperDigests(tx, requireAccount(tx, connectionId))
  const holder = await findLegOfNumber(tx.sql, { accountDigests, serial: number })
  if (holder === null || holder.legId === leg.id) return null
  return `The printer has check ${number} of this payment, and another payment got the number ${number} after the restore. Stop the number at the bank, void the other payment, then close this: the check is printed with another number.`
}

/** Assigns a waiting leg to its check. The print file then determines its status. @returns false if the leg does not wait */
async function assignToCheck(
  tx: TxDeps,
  handlers: LegHandlers,
  { leg, check }: { leg: LegRow; check: RecoveredCheck },
): Promise<boolean> {
  const { platformId, id: legId, subjectId: paymentId, cents } = leg
  const { fileId, number: serial, connectionId } = check
  if (!(await sendLegInFile(tx, handlers, leg, { isAtBank: true }))) return false
  if ((await findPrintedNumber(tx, leg)) === null) {
    const accountDigest = await storePaperDigest(tx, requireAccount(tx, connectionId))
    const issuedOn = businessDate(timeOfId(check.paymentId), tx.settings.timeZone)
    const given = { platformId, legId, paymentId, cents, issuedOn, payee: check.payee, serial }
    await insertPrintedCheck(tx.sql, { connectionId, accountDigest }, given)
  }
  await assignPrintFile(tx.sql, fileId, [{ platformId, legId }])
  await addPlatformToFile(tx, fileId, platformId)
  await markCheckMatched(tx.sql, check, tx.clock.now())
  await endMissingPayments(tx, { fileId, events: [String(serial)] })
  await applyLinesOfCheck(tx, handlers, { number: serial, connectionId, since: timeOfId(fileId) })
  tx.log.warn({ leg: legId, check: serial }, 'the printer already has the check of this leg: not printed again')
  return true
}

function requireAccount({ connections }: Pick<TxDeps, 'connections'>, connectionId: string): string {
  const connection = findConnection(connections.current(), connectionId)
  const accountNumber = connection && checkBankOfConnection(connection)?.accountNumber
  assert.ok(accountNumber, 'a recovered check is drawn on no account')
  return accountNumber
}

/**
 * Assigns waiting legs to the checks that the printer already has. From then on, a void stops the check at the bank.
 *
 * @returns the number of checks that are not assigned
 */
export async function assignChecksOfRestore(deps: Deps, handlers: LegHandlers): Promise<number> {
  await assignWaitingLegs(deps, 'write check files', {
    tryLock: (sql) => tryLockPrinting(sql, 'print'),
    list: async (sql) => listLegsAtPrinter(sql, await listRecoveredChecks(sql)),
    prepare: async (tx, legs) => {
      const atPrinter = await findAtPrinter(tx, legs)
      return (leg) => isAtPrinter(tx, handlers, { leg, atPrinter, gap: NO_GAP })
    },
  })
  return (await listRecoveredChecks(deps.sql)).length
}

/**
 * Assigns a payment that was held after a restore to the check that the operator names. @returns a text that says what was done
 * @throws StartProblem if the check cannot be the one of the payment
 */
export async function assignCheckByHand(
  tx: TxDeps,
  handlers: LegHandlers,
  { platformId, legId, number }: { platformId: string; legId: string; number: string | undefined },
): Promise<string> {
  const leg = await lockLeg(tx, handlers, { platformId, id: legId })
  if (!(await tryLockPrinting(tx.sql, 'print')))
    throw new StartProblem('Checks are being printed now. Repeat this in a minute.')
  const checks = (await listRecoveredChecks(tx.sql)).filter((one) => String(one.number) === number)
  // Checks of two connections can have the same number.
  const ofLeg = leg && connectionOfRail(tx.connections.current(), leg.rail)
  const check =
    checks.find(({ connectionId }) => connectionId === ofLeg?.id) ?? (checks.length === 1 ? checks[0] : null)
  if (!leg || !check) {
    throw new StartProblem(
      'Name a check that remit files recover added and that is not assigned: --number NUMBER. If the printer does not have the payment, close this.',
    )
  }
  const problem = await otherCheckOf(tx, leg, check)
  if (problem) throw new StartProblem(problem)
  if (!(await assignToCheck(tx, handlers, { leg, check })))
    throw new StartProblem('The payment does not wait for the printer, or another exception holds it.')
  return `The payment has check ${number}. It is not printed again.`
}

/** Records a case for each recovered check whose payment nobody has repeated. @returns the number of new cases */
export const reportMissingChecks = (deps: Deps): Promise<number> =>
  reportMissingPayments(deps, 'write check files', {
    list: (since) => listChecksWithoutPayment(deps.sql, since),
    isUnassigned: (tx, check) => isStillUnassigned(tx.sql, check),
    caseOf: ({ fileId, fileName, number, cents, connectionId }) => ({
      ...{ connectionId, source: 'paid', file: { id: fileId, name: fileName }, event: String(number), cents },
      note: `The printer has check ${number} of ${formatDollars(cents)} from before the restore, and nobody has repeated its payment.`,
    }),
  })
