import { recordAudit } from '../audit/audit-actions.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { isId, newId } from '../lib/ids.ts'
import { StartProblem } from '../lib/start-problem.ts'
import type { ExceptionKind } from './exception-rules.ts'
import {
  type ExceptionRow,
  type ExceptionSubject,
  hasOpenException,
  insertException,
  listExceptions,
  lockException,
  updateExceptionClosed,
} from './exception-store.ts'

/** An exception to record. `subjectId` is the payment, or null. `note` explains the problem, without account numbers. */
export type NewException = {
  platformId: string
  kind: ExceptionKind
  paymentId?: string | null
  legId?: string | null
  userId?: string | null
  cents?: number | null
  note: string
}

/**
 * Records an exception for the operator, in the transaction that causes it. A leg has at most one open exception of each kind. Reports it
 * in the log, in a metric and in the platform's audit trail.
 */
export async function recordException(deps: TxDeps, exception: NewException): Promise<void> {
  const { platformId, kind, paymentId = null, legId = null, userId = null, cents = null, note } = exception
  const row: ExceptionRow = {
    platformId,
    id: newId(deps),
    kind,
    paymentId,
    legId,
    userId,
    cents,
    note,
    createdAt: deps.clock.now(),
    closedAt: null,
    resolution: null,
    closedBy: null,
  }
  if (!(await insertException(deps.sql, row))) return
  await recordAudit(deps, { ...serviceActor, platformId }, 'exception_opened', `${kind} ${paymentId ?? legId ?? ''}`)
  deps.afterCommit(() => {
    deps.meter.exceptionOpened(kind)
    deps.log.error({ exception: row.id, kind, payment: paymentId, leg: legId }, `operator needed: ${note}`)
  })
}

const serviceActor = { userId: null, credential: { kind: 'service' }, origin: null } as const
const operatorActor = { userId: null, credential: { kind: 'operator' }, origin: null } as const

/** Lists exceptions for `remit exceptions list`, oldest first: all of them, or as many as `limit`. */
export const getExceptions = (
  deps: Deps,
  {
    platformId = null,
    includesClosed = false,
    limit = null,
  }: { platformId?: string | null; includesClosed?: boolean; limit?: number | null },
) => listExceptions(deps.sql, { platformId, includesClosed, limit })

/** Locks an open exception. @throws StartProblem if no open exception has this id */
export async function requireOpenException(deps: TxDeps, id: string): Promise<ExceptionRow> {
  const row = isId(id) ? await lockException(deps.sql, id) : null
  if (!row) throw new StartProblem(`There is no exception with the id ${id}. Run "remit exceptions" to see the ids.`)
  if (row.closedAt) throw new StartProblem(`This exception is already closed: ${row.resolution}`)
  return row
}

/** Closes a locked exception. `by`: the operator's name. */
export async function closeException(
  deps: TxDeps,
  exception: ExceptionRow,
  { resolution, by }: { resolution: string; by: string },
): Promise<void> {
  const { platformId, id, kind } = exception
  if (!(await updateExceptionClosed(deps.sql, exception, { resolution, closedBy: by, closedAt: deps.clock.now() })))
    return
  await recordAudit(deps, { ...operatorActor, platformId }, 'exception_closed', `${kind} ${id}: ${by}: ${resolution}`)
}

/** Returns whether a payment, or one of these legs, has an open exception of one of these kinds. */
export const isExceptionOpen = (
  deps: Pick<TxDeps, 'sql'>,
  given: { platformId: string; kinds: readonly ExceptionKind[] } & ExceptionSubject,
): Promise<boolean> => hasOpenException(deps.sql, given)
