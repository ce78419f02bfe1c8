import type { Sql } from '../../../foundation/db/connect.ts'

/** A person who sees the pages of the operator. */
export type OperatorRow = { loginId: string; email: string; name: string; operatorSince: Date }

export const listOperators = (sql: Sql): Promise<OperatorRow[]> =>
  sql<OperatorRow[]>`
    select id as login_id, email, name, operator_since
    from logins
    where operator_since is not null
    order by operator_since, id
  `

/** Makes a person an operator, or ends that if `since` is null. @returns false if nothing changed */
export const updateOperatorSince = (sql: Sql, loginId: string, since: Date | null): Promise<boolean> =>
  sql`
    update logins
    set operator_since = ${since}
    where id = ${loginId} and (operator_since is null) <> (${since}::timestamptz is null)
  `.anyRow()
