import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import type { CommandFlags } from '../command-flags.ts'
import { callApi } from './api-command.ts'

/** Sends an event again, or all events that failed since a time. @returns the exit code @throws StartProblem */
export function runWebhooks(flags: CommandFlags, [, event]: string[]): Promise<number> {
  const { since, endpoint } = flags
  if ((event === undefined) === (since === undefined))
    throw new StartProblem('Name an event, or use --since for all that failed: remit webhooks resend EVENT.')
  return callApi(flags, async (remit) => {
    if (event === undefined) {
      const { replayed } = await remit.webhookDeliveries.replayFailed({
        since: since ?? '',
        endpoint: endpoint ?? null,
      })
      return print(flags, { resent: replayed })
    }
    const { deliveries } = await remit.webhookEvents.get(event)
    const chosen = deliveries.filter((one) => endpoint === undefined || one.endpoint === endpoint)
    if (chosen.length === 0) throw new StartProblem(`The event ${event} has no delivery to resend.`)
    for (const one of chosen) await remit.webhookDeliveries.replay(one.event, one.endpoint)
    print(flags, { resent: chosen.length })
  })
}

function print({ json }: CommandFlags, result: { resent: number }): void {
  console.log(json ? JSON.stringify(result) : `Resent: ${result.resent}`)
}
