import { inTransaction } from '../../foundation/db/transaction.ts'
import { newSecret, systemRandom } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { createOwnerByOperator } from '../../people/auth/owner/owner-actions.ts'
import type { CommandFlags } from './command-flags.ts'
import type { DatabaseCommand } from './on-database.ts'

/** Prepares `remit owner create`, which prints the credentials, once. @throws StartProblem */
export function ownerCommand(flags: CommandFlags): DatabaseCommand {
  const { email, name, password = newSecret({ random: systemRandom }).slice(0, 20) } = flags
  if (!email || !name) throw new StartProblem('remit owner create needs --email and --name.')
  return async (deps) => {
    const { apiKey, webhookKey } = await inTransaction(deps, (tx) =>
      createOwnerByOperator(tx, { email, password, name }),
    )
    const { key, secret } = apiKey
    return JSON.stringify({ email, password, key, secret, webhook_key: webhookKey }, null, 2)
  }
}
