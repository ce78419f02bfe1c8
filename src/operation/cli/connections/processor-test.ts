import { runAdapterSuite } from '../../../connections/adapter/adapter-suite-actions.ts'
import { type Connection, type Connections, PROCESSOR_RAILS } from '../../../foundation/core/connections.ts'
import { systemClock } from '../../../foundation/lib/clock.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { neutralText } from '../../../foundation/lib/text/plain-text.ts'
import { readSecret, SecretUnreadable } from '../../../money/payout/open-processor-actions.ts'
import { callSettingsOf } from '../../app/config.ts'
import { MARKS } from './connections-test.ts'

/**
 * Runs the test suite of the adapter protocol against an adapter. @returns the exit code: 0 if the adapter follows every rule @throws
 * StartProblem
 */
export async function testProcessor(connections: Connections, connection: Connection): Promise<number> {
  const { transport, processor } = connection
  if (transport.type !== 'https' || processor?.type !== 'adapter')
    throw new StartProblem('Only adapters have a test. PayPal has its own sandbox: see docs/paypal.md.')
  const settings = callSettingsOf('production')
  const rails = PROCESSOR_RAILS.filter((rail) => connections.rails[rail] === connection.id)
  if (rails.length === 0) throw new StartProblem(`The connection ${connection.id} carries no rail. Add one to "rails".`)
  const { url, answerMs } = transport
  if (url.startsWith('http:') && !settings.allowsLocalWebhooks)
    throw new StartProblem(
      'The service calls adapters over https only. To test one on this machine, set REMIT_ALLOW_LOCAL_WEBHOOKS=true.',
    )
  const [key, eventKey] = await secretsOf([processor.keyFile, processor.eventKeyFile])
  const target = { address: { url, key, answerMs }, eventKey, rails }
  let broken = 0
  for await (const { rule, problem } of runAdapterSuite({ settings, realClock: systemClock }, target)) {
    console.log(
      `  ${problem === null ? MARKS.good : MARKS.bad} ${rule}${problem === null ? '' : `: ${neutralText(problem)}`}`,
    )
    if (problem !== null) broken++
  }
  console.log(
    broken === 0
      ? '\nThe adapter keeps every rule.'
      : `\nThe adapter breaks ${broken} ${broken === 1 ? 'rule' : 'rules'}. See docs/adapter.md.`,
  )
  return broken === 0 ? 0 : 1
}

async function secretsOf([keyFile, eventKeyFile]: readonly [string, string]): Promise<[string, string]> {
  try {
    return [await readSecret(keyFile), await readSecret(eventKeyFile)]
  } catch (error) {
    if (error instanceof SecretUnreadable) throw new StartProblem(error.message)
    throw error
  }
}
