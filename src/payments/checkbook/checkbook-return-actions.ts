import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { isId } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { lockUser } from '../../people/user/user-lock-actions.ts'
import { applyCheckbookEvent } from './checkbook-actions.ts'
import { findCheckbook, findCheckbookById } from './checkbook-store.ts'

/**
 * Records that the post returned a checkbook, as the operator reports. Its numbers stay reserved, because the checks exist.
 *
 * @throws StartProblem if there is no such checkbook, or it is not MAILED
 */
export async function returnCheckbook(deps: TxDeps, { id, note }: { id: string; note: string }): Promise<void> {
  const named = isId(id) ? await findCheckbookById(deps.sql, id) : null
  if (!named) throw new StartProblem(`There is no checkbook with the id ${id}. Its print list names it.`)
  const { platformId } = named
  await lockUser(deps, named)
  const book = await findCheckbook(deps.sql, { platformId, id })
  const clock = await clockOf(deps, platformId)
  if (!book || !(await applyCheckbookEvent({ ...deps, clock }, book, 'return'))) {
    throw new StartProblem(`This checkbook is ${book?.status}. Only a MAILED checkbook can be returned.`)
  }
  const operator = { platformId, userId: null, credential: { kind: 'operator' }, origin: null } as const
  await recordAudit(deps, operator, 'checkbook_returned', `${id}: ${note}`)
}
