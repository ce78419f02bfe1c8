import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Remit } from '#sdk'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import type { CommandFlags } from '../command-flags.ts'
import { callApi } from './api-command.ts'
import { endProgress, showProgress } from './list-printer.ts'

const POLL_MS = 250

/** Shows or advances the clock of the sandbox, and waits until all work that became due is done. @throws StartProblem */
export function runClock(flags: CommandFlags, [action = 'show', duration = '']: string[]): Promise<number> {
  const advance = action === 'advance' ? parseDuration(duration) : null
  return callApi(flags, async (remit) => {
    const clock =
      advance === null
        ? await remit.sandbox.getClock()
        : await waitUntilReady(remit, await remit.sandbox.advanceClock({ advance }))
    console.log(flags.json ? JSON.stringify(clock) : clockText(clock))
  })
}

/** Reads `P7D`, its short form `7d` or `12h`, or `next_banking_day`. */
function parseDuration(text: string): string {
  const [, number, unit] = /^(\d{1,4})([dhm])$/.exec(text) ?? []
  if (number !== undefined) return unit === 'd' ? `P${number}D` : `PT${number}${unit?.toUpperCase()}`
  if (/^P[0-9DHMSTWY.]+$/.test(text) || text === 'next_banking_day') return text
  throw new StartProblem('DURATION must be such as 7d, 12h, 30m, P7D or next_banking_day.')
}

/** Times have the same format, so comparing their texts compares the times. */
async function waitUntilReady(remit: Remit, { now, target }: Clock): Promise<Clock> {
  for (;;) {
    const clock = await remit.sandbox.getClock()
    if (clock.status === 'ready' && clock.now >= (target ?? now)) {
      endProgress()
      return clock
    }
    showProgress(`${clock.now}, advancing to ${target ?? now}`)
    await sleep(POLL_MS)
  }
}

const clockText = ({ now, status, target }: Clock): string =>
  status === 'ready' ? `${now} UTC` : `${now} UTC, advancing to ${target}`
