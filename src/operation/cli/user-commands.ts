import { centsToDollars } from '../../foundation/core/money.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { neutralJson } from '../../foundation/lib/text/plain-text.ts'
import { readDebt } from '../../money/ledger/ledger-actions.ts'
import type { UserLimits } from '../../people/user/limit/limit-rules.ts'
import {
  changeLimits,
  decideUser,
  findNamedUser,
  getUserState,
  type UserState,
} from '../../people/user/operator-actions.ts'
import { type OperatorEvent, requireLimit } from '../../people/user/operator-rules.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { CommandFlags } from './command-flags.ts'
import type { DatabaseCommand } from './on-database.ts'

type Act = (tx: TxDeps, user: UserKey) => Promise<void>

const decide =
  (event: OperatorEvent): Act =>
  (tx, user) =>
    decideUser(tx, user, event)

/** The change that each command makes before it prints the user. @throws StartProblem */
const acts: Record<string, (flags: CommandFlags) => Act> = {
  show: () => async () => {},
  verify: () => decide('verify'),
  suspend: () => decide('suspend'),
  close: () => decide('close'),
  limits: (flags) => {
    const changes = limitsOf(flags)
    if (Object.keys(changes).length === 0) {
      throw new StartProblem('remit user limits needs --payment, --day or --month, each in dollars or "default".')
    }
    return (tx, user) => changeLimits(tx, user, changes)
  },
}

/** Prepares `remit user …`, which prints the new state of the user: checks the command line before a database is opened. @throws StartProblem */
export function userCommand(flags: CommandFlags, [verb = '']: readonly string[]): DatabaseCommand {
  const { owner, user: named } = flags
  if (!owner) throw new StartProblem('remit user needs --owner EMAIL, and --user USER_ID for a user of that owner.')
  const act = acts[verb]?.(flags)
  return (deps) =>
    inTransaction(deps, async (tx) => {
      const user = await findNamedUser(tx, { owner, user: named })
      await act?.(tx, user)
      return neutralJson(stateAnswer(await getUserState(tx, user), await readDebt(tx, user)))
    })
}

const limitsOf = ({ payment, day, month }: CommandFlags): Partial<UserLimits> => ({
  ...(payment !== undefined && { paymentCents: requireLimit(payment, '--payment') }),
  ...(day !== undefined && { dayCents: requireLimit(day, '--day') }),
  ...(month !== undefined && { monthCents: requireLimit(month, '--month') }),
})

/** Formats the state of a user. Amounts are in dollars. Null means no limit. */
const stateAnswer = ({ id, externalId, name, status, limits, ownLimits, sent }: UserState, debtCents: number) => ({
  id,
  user_id: externalId,
  name,
  status,
  limits: limitsAnswer(limits),
  own_limits: limitsAnswer(ownLimits),
  sent_today: centsToDollars(sent.dayCents),
  sent_this_month: centsToDollars(sent.monthCents),
  debt: centsToDollars(debtCents),
})

const limitsAnswer = ({ paymentCents, dayCents, monthCents }: UserLimits) => ({
  payment: paymentCents && centsToDollars(paymentCents),
  day: dayCents && centsToDollars(dayCents),
  month: monthCents && centsToDollars(monthCents),
})
