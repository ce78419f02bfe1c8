import type { Deps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { textTable } from '../../foundation/lib/text/text-table.ts'
import { parseCorrectedAccount } from '../../money/ach/file/ach-decision-actions.ts'
import type { Corrected } from '../../money/ach/file/ach-file-actions.ts'
import { correctBankByHand, getBankStates, unblockBank } from '../../money/bank/bank-operator-actions.ts'
import { correctAccount } from '../../payments/payment/outbox/account-correction-actions.ts'
import { findNamedUser } from '../../people/user/operator-actions.ts'
import { legHandlers } from '../scheduler/leg-handlers.ts'
import type { CommandFlags } from './command-flags.ts'
import { type DatabaseCommand, findPlatform } from './on-database.ts'

/** Prepares `remit bank …`: checks the command line before a database is opened. @throws StartProblem */
export function bankCommand(flags: CommandFlags, names: readonly string[]): DatabaseCommand {
  const [verb] = names
  const { owner, user, bank, note } = flags
  if (!owner) throw new StartProblem(`remit bank ${verb} needs --owner EMAIL.`)
  if (verb === 'list') return (deps) => listBanks(deps, { owner, user })
  if (!bank) throw new StartProblem(`remit bank ${verb} needs --bank ID.`)
  if (!note)
    throw new StartProblem(
      `remit bank ${verb} needs --note TEXT: ${verb === 'correct' ? 'the source of the correction' : 'why the account can be used again'}.`,
    )
  if (verb === 'correct') {
    const corrected = parseCorrectedAccount(flags)
    return (deps) => correct(deps, { owner, bankId: bank, note, corrected })
  }
  return (deps) => unblock(deps, { owner, bankId: bank, note })
}

const correct = (
  deps: Deps,
  { owner, ...given }: { owner: string; bankId: string; note: string; corrected: Corrected },
): Promise<string> =>
  inTransaction(deps, async (tx) => {
    const platformId = await findPlatform(tx, owner)
    const closed = await correctBankByHand(tx, legHandlers, { platformId, correct: correctAccount, ...given })
    return closed === 0 ? 'Corrected.' : `Corrected. ${closed} open cases about this account are closed.`
  })

const listBanks = (deps: Deps, { owner, user }: { owner: string; user: string | undefined }): Promise<string> =>
  inTransaction(deps, async (tx) => {
    const banks = await getBankStates(tx, await findNamedUser(tx, { owner, user }))
    if (banks.length === 0) return 'This user has no banks.'
    return textTable([
      ['ID', 'ROUTING', 'ACCOUNT', 'TYPE', 'STATUS', 'BLOCKED BY'],
      ...banks.map(({ id, routing, accountLast4, type, status, block }) => [
        id,
        routing,
        `*${accountLast4}`,
        type,
        status,
        block ?? '',
      ]),
    ])
  })

const unblock = (deps: Deps, { owner, bankId, note }: { owner: string; bankId: string; note: string }) =>
  inTransaction(deps, async (tx) => {
    const platformId = await findPlatform(tx, owner)
    const codes = await unblockBank(tx, { platformId, bankId, note })
    return `Unblocked (${codes.join(', ')}). The bank stays DEPOSIT_ONLY until the user verifies it again.`
  })
