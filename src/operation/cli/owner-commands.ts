import { inTransaction } from '../../foundation/db/transaction.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { newSecret, systemRandom } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { neutralText } from '../../foundation/lib/text/plain-text.ts'
import { changeOperator, getOperators } from '../../people/auth/operator/operator-actions.ts'
import { createOwnerByOperator } from '../../people/auth/owner/owner-actions.ts'
import type { CommandFlags } from './command-flags.ts'
import type { DatabaseCommand } from './on-database.ts'

/** Prepares `remit owner create`, which prints the credentials only once. @throws StartProblem */
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

/** Prepares `remit operator …`, which manages access to the operator's pages of the dashboard. @throws StartProblem */
export function operatorCommand({ email }: CommandFlags, [verb = '']: readonly string[]): DatabaseCommand {
  if (verb === 'list') {
    return async (deps) => {
      const lines = (await getOperators(deps)).map(
        (one) => `${one.email}  ${neutralText(one.name)}  since ${formatDateTime(one.operatorSince)}`,
      )
      return (
        lines.join('\n') ||
        'Nobody sees the pages of the operator. Add a person with "remit operator add --email EMAIL".'
      )
    }
  }
  if (!email) throw new StartProblem(`remit operator ${verb} needs --email EMAIL.`)
  const isOperator = verb === 'add'
  return async (deps) => {
    const person = await inTransaction(deps, (tx) => changeOperator(tx, { email, isOperator }))
    return isOperator
      ? `${person} sees the pages of the operator.`
      : `${person} no longer sees the pages of the operator.`
  }
}
