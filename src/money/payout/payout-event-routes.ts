import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { routerUrl } from '../../foundation/http/route.ts'
import type { ServerPart } from '../../foundation/http/server-part.ts'
import { type EventOutcome, takeEvent } from './payout-event-actions.ts'

const url = '/connections/:connection/events'

const MAX_EVENT_BYTES = 64 * 1024

/** Serves the route to which processors post their events. The body is read unchanged, because it is signed. */
export const processorEvents = (deps: Deps): ServerPart => ({
  addresses: [{ method: 'POST', url }],
  mount: async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    app.post<{ Params: { connection: string }; Body: unknown }>(
      routerUrl(url),
      { schema: { hide: true }, config: { limitsAddress: true } },
      async ({ params, body, headers }, reply) => {
        const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()[0]]))
        const event = { headers: texts, body: typeof body === 'string' ? body : '' }
        const refusal = refusals[await takeEvent(deps, { connectionId: params.connection, event })]
        if (refusal) throw refusal()
        return reply.code(204).send()
      },
    )
  },
})

const refusals: Record<EventOutcome, (() => ApiError) | null> = {
  taken: null,
  no_such_connection: () => new ApiError('not_found'),
  refused: () => new ApiError('unauthorized', { message: 'The signature or the time of the event is wrong.' }),
  unreadable: () => new ApiError('invalid_request', { message: 'The event names no order.' }),
}
