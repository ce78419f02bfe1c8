import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { normalizeEmail } from '../../../foundation/lib/text/email.ts'
import { findLogin } from '../login/login-store.ts'
import { listPlatforms } from '../team/member-store.ts'
import { listOperators, type OperatorRow, updateOperatorSince } from './operator-store.ts'

/** Lists the people who see the pages of the operator. */
export const getOperators = (deps: Pick<Deps, 'sql'>): Promise<OperatorRow[]> => listOperators(deps.sql)

/**
 * Gives or takes the permission `operate`. Open sessions follow with their next request. Each platform of the person records it.
 *
 * @returns the email of the person as stored
 * @throws StartProblem if nobody signs in with this email
 */
export async function changeOperator(
  deps: TxDeps,
  { email, isOperator }: { email: string; isOperator: boolean },
): Promise<string> {
  const login = await findLogin(deps.sql, normalizeEmail(email))
  if (!login) throw new StartProblem(`Nobody signs in as ${email}. Check --email. "remit owner create" adds a person.`)
  const since = isOperator ? deps.realClock.now() : null
  if (!(await updateOperatorSince(deps.sql, login.id, since))) return login.email
  const action = isOperator ? 'operator_added' : 'operator_removed'
  for (const { platformId } of await listPlatforms(deps.sql, login.id)) {
    const operator = {
      platformId,
      userId: null,
      credential: { kind: 'operator', loginId: login.id },
      origin: null,
    } as const
    await recordAudit(deps, operator, action, login.email)
  }
  return login.email
}
