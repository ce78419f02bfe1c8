import { inTransaction } from '../../foundation/db/transaction.ts'
import { newSecret, systemRandom } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { createOwnerByOperator } from '../../people/auth/owner/owner-actions.ts'
import { type EnvironmentFlags, onDatabase } from './on-database.ts'

export type OwnerFlags = EnvironmentFlags & {
  email?: string | undefined
  name?: string | undefined
  password?: string | undefined
}

/** `remit owner create`: prints the credentials, once. @throws StartProblem */
export async function runCreateOwner(flags: OwnerFlags): Promise<number> {
  const { email, name, password = newSecret({ random: systemRandom }).slice(0, 20) } = flags
  if (!email || !name) throw new StartProblem('remit owner create needs --email and --name.')
  return onDatabase(flags, async (deps) => {
    const { apiKey, webhookKey } = await inTransaction(deps, (tx) =>
      createOwnerByOperator(tx, { email, password, name }),
    )
    const { key, secret } = apiKey
    return JSON.stringify({ email, password, key, secret, webhook_key: webhookKey }, null, 2)
  })
}
