import { formatDollars } from '../../foundation/core/money.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { textTable } from '../../foundation/lib/text/text-table.ts'
import { findNamedDebtor, getDebtors, settleDebt } from '../../money/debt/debt-actions.ts'
import type { Debtor } from '../../money/debt/debt-store.ts'
import { requireDollars } from '../../people/user/operator-rules.ts'
import type { CommandFlags } from './command-flags.ts'
import { type DatabaseCommand, findPlatform } from './on-database.ts'

/** Prepares `remit debt …`: checks the command line before a database is opened. @throws StartProblem */
export function debtCommand(flags: CommandFlags, names: readonly string[]): DatabaseCommand {
  const [verb] = names
  const { owner, user, amount, reference, note = null } = flags
  if (verb === 'list') return (deps) => listAll(deps, owner)
  if (!owner)
    throw new StartProblem('remit debt settle needs --owner EMAIL, and --user USER_ID for a user of that owner.')
  if (!amount) throw new StartProblem('remit debt settle needs --amount DOLLARS: the amount that the user paid.')
  if (!reference?.trim())
    throw new StartProblem(
      'remit debt settle needs --reference TEXT: the number of the wire or check that the user paid with.',
    )
  const cents = requireDollars(amount, '--amount')
  return (deps) =>
    inTransaction(deps, async (tx) => {
      const debtor = await findNamedDebtor(tx, { owner, user })
      const actor = { userId: null, credential: { kind: 'operator' }, origin: null } as const
      const { settledCents, debtCents } = await settleDebt(tx, debtor, { cents, payment: { reference, note }, actor })
      return `Recorded ${formatDollars(settledCents)}. The user still owes ${formatDollars(debtCents)}.`
    })
}

const listAll = (deps: Deps, owner: string | undefined): Promise<string> =>
  inTransaction(deps, async (tx) => {
    const { debtors, hasMore } = await getDebtors(tx, owner === undefined ? null : await findPlatform(tx, owner))
    if (debtors.length === 0) return 'No user owes anything.'
    const table = textTable([
      ['OWNER', 'USER', 'ID', 'OWES'],
      ...debtors.map((debtor) => [debtor.ownerEmail ?? '', nameOf(debtor), debtor.id, formatDollars(debtor.debtCents)]),
    ])
    return hasMore
      ? `${table}\nThere are more than these ${debtors.length}. --owner EMAIL lists those of one owner.`
      : table
  })

function nameOf({ isDeleted, externalId, guestName }: Debtor): string {
  if (isDeleted) return '(deleted)'
  return guestName === null ? (externalId ?? '(owner)') : `${guestName} (payer without an account)`
}
