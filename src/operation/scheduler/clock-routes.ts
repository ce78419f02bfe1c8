import { Type } from 'typebox'
import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { get, put, type Route } from '../../foundation/http/route.ts'
import { closed, named, nullable, oneOf } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { advanceTarget } from '../sandbox/clock-rules.ts'
import { findPlatformClock, upsertAdvancingTo } from './due-store.ts'

const tag = 'Sandbox'

const ClockAnswer = named('Clock', {
  now: Type.String({ description: 'The time of the platform, UTC' }),
  status: oneOf(['ready', 'advancing']),
  target: nullable(Type.String({ description: 'The time that the clock is advancing to' })),
})

/** The routes for the clock of a platform, which exist only where clocks can be moved. */
export const clockRoutes: Route[] = [
  get(
    '/v3/sandbox/clock',
    {
      access: 'owner',
      permission: 'read',
      tag,
      operationId: 'getClock',
      summary: 'Retrieve the clock',
      description: 'Returns the time of your platform, which can be ahead of real time.',
      answer: ClockAnswer,
    },
    async (deps, { caller }) => clockAnswer(deps, caller.platformId),
  ),

  put(
    '/v3/sandbox/clock',
    {
      access: 'owner',
      permission: 'simulate',
      tag,
      operationId: 'advanceClock',
      summary: 'Advance the clock',
      description:
        'Advances the clock of your platform by a duration or to a time, at most ten years. Everything that becomes due in between happens in order, each at its own time. Poll until `status` is `ready`.',
      body: closed({
        advance: Type.Optional(
          Type.String({
            pattern: '^(P[0-9WDTHMS]{1,40}|next_banking_day)$',
            description:
              'an ISO 8601 duration, such as P3D or PT12H, or next_banking_day: 8:30 Eastern time, when entries settle',
          }),
        ),
        now: Type.Optional(
          Type.String({
            pattern: '^\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?Z?$',
            description: 'a time, as YYYY-MM-DD HH:MM:SS (UTC)',
          }),
        ),
      }),
      answer: ClockAnswer,
    },
    async (deps, { caller, body }) => {
      const { platformId } = caller
      const { advancingTo } = await findPlatformClock(deps.sql, platformId)
      const times = { now: advancingTo ?? deps.clock.now(), realNow: deps.clocks.base.now() }
      const target = advanceTarget(body, times)
      await upsertAdvancingTo(deps.sql, platformId, target)
      await recordAudit(deps, caller, 'clock_advanced', formatDateTime(target))
      deps.afterCommit(deps.wake)
      return clockAnswer(deps, platformId)
    },
  ),
]

async function clockAnswer(deps: Deps | TxDeps, platformId: string) {
  const { advancingTo } = await findPlatformClock(deps.sql as TxDeps['sql'], platformId)
  return {
    now: formatDateTime(deps.clock.now()),
    status: advancingTo ? ('advancing' as const) : ('ready' as const),
    target: advancingTo && formatDateTime(advancingTo),
  }
}
