import { type Actor, recordAudit } from '../audit/audit-actions.ts'
import type { TxDeps } from '../db/deps.ts'
import { addDays } from '../lib/clock.ts'
import { isId, newId } from '../lib/ids.ts'
import { StartProblem } from '../lib/start-problem.ts'
import type { BankCaseKind, BankCaseSource, CaseContent, HeldAccount } from './bank-case-rules.ts'
import {
  type BankCaseRow,
  type CaseSubject,
  findInboundContent,
  findTransferCase,
  hasCaseWithNote,
  hasTransferCase,
  type InboundContentRow,
  insertBankCase,
  insertInboundContent,
  listBankCases,
  listCasesWithAccount,
  listCasesWithoutLeg,
  listInboundContents,
  listOpenCases,
  listOpenSubjectCases,
  lockBankCase,
  type OpenBankCase,
  updateBankCaseClosed,
} from './bank-case-store.ts'

/** The leg that a case concerns. */
type LegOfCase = { platformId: string; id: string; subjectId: string; purpose: string; userId: string | null }

/** A case to record. `note` explains the problem. It must not contain account numbers or names. */
export type NewBankCase = {
  kind: BankCaseKind
  connectionId: string
  source: BankCaseSource
  file: { id: string; name: string }
  /** The number of the line in the file, counted from 1. Line 0 stands for the whole file. */
  line: number
  /**
   * For a case about a leg, a file of ours or a statement: the event that caused it. The same event never opens a second case, another
   * event does. Empty for a line of a file, whose content does not change.
   */
  event?: string
  isBankWide: boolean
  leg?: LegOfCase | null
  /** The account whose next debit waits for the operator's decision. */
  heldAccount?: HeldAccount | null
  cents?: number | null
  note: string
  content: CaseContent
}

/**
 * Records a case for the operator, in the transaction that sets an entry or a file aside. If a later pass finds the same problem again, no
 * second case is recorded. Reports the case in the log, in a metric and, if the platform is known, in the audit trail.
 *
 * @returns false if an earlier pass recorded it
 */
export async function tryRecordBankCase(tx: TxDeps, one: NewBankCase): Promise<boolean> {
  const {
    kind,
    connectionId,
    source,
    file,
    line,
    event = '',
    isBankWide,
    leg = null,
    heldAccount = null,
    cents = null,
    note,
    content,
  } = one
  const row: BankCaseRow = {
    id: newId(tx),
    kind,
    connectionId,
    source,
    inboundFileId: file.id,
    fileName: file.name,
    line,
    event,
    isBankWide,
    platformId: leg?.platformId ?? null,
    paymentId: leg && leg.purpose !== 'micro_deposit' ? leg.subjectId : null,
    legId: leg?.id ?? null,
    userId: leg?.userId ?? null,
    accountSealed: heldAccount && tx.keyRing.seal(JSON.stringify(heldAccount), 'bank case'),
    cents,
    note,
    contentSealed: tx.keyRing.seal(JSON.stringify(content), 'bank case'),
    createdAt: tx.clock.now(),
    closedAt: null,
    resolution: null,
    closedBy: null,
  }
  if (!(await insertBankCase(tx.sql, row))) return false
  if (leg) await recordCaseAudit(tx, row, { action: 'exception_opened', actor: serviceActor })
  tx.afterCommit(() => {
    tx.meter.exceptionOpened(kind)
    const where = { connection: connectionId, file: file.name, ...(line > 0 && { line }) }
    tx.log.error({ exception: row.id, kind, ...where, payment: row.paymentId }, `operator needed: ${note}`)
  })
  return true
}

/** Records a case by `tryRecordBankCase`. */
export async function recordBankCase(tx: TxDeps, one: NewBankCase): Promise<void> {
  await tryRecordBankCase(tx, one)
}

const serviceActor = { userId: null, credential: { kind: 'service' }, origin: null } as const
const operatorActor = { userId: null, credential: { kind: 'operator' }, origin: null } as const

/** Adds a case to the audit trail of its platform. A case of an unknown platform has no trail. */
async function recordCaseAudit(
  tx: TxDeps,
  { platformId, kind, id, paymentId }: BankCaseRow,
  {
    action,
    actor,
    detail,
  }: { action: 'exception_opened' | 'exception_closed'; actor: Omit<Actor, 'platformId'>; detail?: string },
): Promise<void> {
  if (platformId === null) return
  await recordAudit(
    tx,
    { ...actor, platformId },
    action,
    detail ? `${kind} ${id}: ${detail}` : `${kind} ${paymentId ?? id}`,
  )
}

/**
 * Records an applied decision in the audit trails of the platforms whose payments it changed. The platform that the case names is left out,
 * because closing the case adds an entry there.
 */
export async function recordApplied(
  tx: TxDeps,
  { id, kind, platformId }: BankCaseRow,
  { platformIds, resolution, by }: { platformIds: readonly string[]; resolution: string; by: string },
): Promise<void> {
  for (const changed of new Set(platformIds))
    if (changed !== platformId)
      await recordAudit(
        tx,
        { ...operatorActor, platformId: changed },
        'exception_applied',
        `${kind} ${id}: ${by}: ${resolution}`,
      )
}

type TransferCase = Pick<BankCaseRow, 'connectionId' | 'kind' | 'fileName'>

/**
 * Records a case about the transfer of a file, unless it is already open. By default, the case holds the bank, because a file may be
 * missing. A transfer that fails again after a decision is another case.
 */
export async function recordTransferCase(
  tx: TxDeps,
  { note, isBankWide = true, ...one }: TransferCase & { note: string; isBankWide?: boolean },
): Promise<void> {
  if (await findTransferCase(tx.sql, one)) return
  const { connectionId, kind, fileName: name } = one
  const file = { id: newId(tx), name }
  await recordBankCase(tx, {
    ...{ kind, connectionId, source: 'transfer', file, line: 0, isBankWide },
    note,
    content: { lines: [] },
  })
}

/** Returns whether a case about a transfer is open. */
export const isTransferCaseOpen = ({ sql }: Pick<TxDeps, 'sql'>, one: TransferCase): Promise<boolean> =>
  hasTransferCase(sql, one)

/** Closes the case about a transfer, if one is open. */
export async function endTransferCase(tx: TxDeps, one: TransferCase, resolution: string): Promise<void> {
  const open = await findTransferCase(tx.sql, one)
  if (open) await closeBankCase(tx, open, { resolution })
}

/** Finds and locks the open cases of a kind about a file, a statement or a statement line. A line has one for each leg that it concerns. */
export const findSubjectCases = (
  { sql }: Pick<TxDeps, 'sql'>,
  one: { kind: BankCaseKind; subjectId: string },
): Promise<BankCaseRow[]> => listOpenSubjectCases(sql, one)

/** Closes the open cases of a kind about a file, a statement or a statement line. */
export async function endBankCase(
  tx: TxDeps,
  one: { kind: BankCaseKind; subjectId: string },
  resolution: string,
): Promise<void> {
  for (const open of await findSubjectCases(tx, one)) await closeBankCase(tx, open, { resolution })
}

/** Lists cases, oldest first: all of them, or as many as `limit`. */
export const getBankCases = (
  deps: Pick<TxDeps, 'sql'>,
  {
    includesClosed = false,
    platformId = null,
    limit = null,
  }: { includesClosed?: boolean; platformId?: string | null; limit?: number | null } = {},
) => listBankCases(deps.sql, { includesClosed, platformId, limit })

/** The days in which a bank repeats what it said, for example in a copy of a file. */
const DAYS_OF_COPIES = 60

/** Returns whether another file of the bank has a case with the same note, open or closed. The note names what it is about. */
export const wasAsked = (
  { sql, clock }: Pick<TxDeps, 'sql' | 'clock'>,
  { connectionId, id: fileId }: { connectionId: string; id: string },
  { kind, note }: Pick<NewBankCase, 'kind' | 'note'>,
): Promise<boolean> =>
  hasCaseWithNote(sql, { connectionId, kind, note, fileId, since: addDays(clock.now(), -DAYS_OF_COPIES) })

/** Finds all open cases about a subject, such as a file. */
export const findOpenCases = (deps: Pick<TxDeps, 'sql'>, subject: CaseSubject): Promise<BankCaseRow[]> =>
  listOpenCases(deps.sql, subject)

/** Locks an open case. @returns null if no case has this id @throws StartProblem if the case is closed */
export async function findOpenBankCase(tx: TxDeps, id: string): Promise<OpenBankCase | null> {
  const row = isId(id) ? await lockBankCase(tx.sql, id) : null
  if (row?.closedAt) throw new StartProblem(`This exception is already closed: ${row.resolution}`)
  return row && opened(tx, row)
}

/** Finds and locks the cases about entries of a source that named no leg, open or closed, since a time. */
export const findCasesWithoutLeg = async (
  tx: TxDeps,
  given: { source: BankCaseSource; connectionId: string; since: Date },
): Promise<OpenBankCase[]> => (await listCasesWithoutLeg(tx.sql, given)).map((row) => opened(tx, row))

/** Locks a case, open or closed. */
export async function findBankCase(tx: TxDeps, id: string): Promise<OpenBankCase | null> {
  const row = await lockBankCase(tx.sql, id)
  return row && opened(tx, row)
}

/** Locks a case whose decision was applied. @returns null if its effect has closed it */
export async function findStillOpenCase(tx: TxDeps, id: string): Promise<OpenBankCase | null> {
  const row = await lockBankCase(tx.sql, id)
  return row && !row.closedAt ? opened(tx, row) : null
}

const opened = (tx: TxDeps, row: BankCaseRow): OpenBankCase => ({
  ...row,
  content: JSON.parse(tx.keyRing.openText(row.contentSealed, 'bank case')) as CaseContent,
})

/** How a case ended. `by`: the operator who decided it, or null if it ended by itself. */
export type CaseEnd = { resolution: string; by?: string | null }

/** Closes a locked case. Releases the money or account that it held, unless another case also holds it. */
export async function closeBankCase(tx: TxDeps, row: BankCaseRow, { resolution, by = null }: CaseEnd): Promise<void> {
  const closed = { id: row.id, resolution, closedBy: by, closedAt: tx.clock.now() }
  if (!(await updateBankCaseClosed(tx.sql, closed))) return
  const detail = by === null ? resolution : `${by}: ${resolution}`
  await recordCaseAudit(tx, row, { action: 'exception_closed', actor: operatorActor, detail })
  tx.afterCommit(tx.wake)
}

/** Stores the bytes of a file that has a case, so that the file can be applied or read again. */
export const keepInboundFile = (
  tx: TxDeps,
  {
    id,
    connectionId,
    name,
    source,
    bytes,
  }: {
    id: string
    connectionId: string
    name: string
    source: BankCaseSource
    bytes: Buffer
  },
): Promise<void> =>
  insertInboundContent(tx.sql, {
    inboundFileId: id,
    connectionId,
    name,
    source,
    contentSealed: tx.keyRing.seal(bytes, 'inbound file'),
    receivedAt: tx.clock.now(),
  })

/** Returns the bytes of a file that has a case, or null. */
export async function readInboundFile(tx: TxDeps, id: string): Promise<Buffer | null> {
  const row = await findInboundContent(tx.sql, id)
  return row && tx.keyRing.open(row.contentSealed, 'inbound file')
}

/** Lists the stored files with a name, newest first. */
export const findKeptFiles = (
  deps: Pick<TxDeps, 'sql'>,
  name: string,
): Promise<Omit<InboundContentRow, 'contentSealed'>[]> => listInboundContents(deps.sql, name)

/** Finds and locks the open cases that hold the debits of an account. */
export const findCasesOfAccount = async (tx: TxDeps, account: HeldAccount): Promise<BankCaseRow[]> =>
  (await listCasesWithAccount(tx.sql)).filter(
    ({ accountSealed }) => accountSealed && tx.keyRing.openText(accountSealed, 'bank case') === JSON.stringify(account),
  )
