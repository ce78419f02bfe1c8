import { Type } from 'typebox'
import { ApiError } from '../../../foundation/core/errors.ts'
import { requireOwnPage } from '../../../foundation/http/limits/same-origin.ts'
import { get, type Route } from '../../../foundation/http/route.ts'
import { closed, id } from '../../../foundation/http/schema.ts'
import type { PaymentStreams } from './stream-actions.ts'

export const streamRoutes = (streams: PaymentStreams): Route[] => [
  get(
    '/web/v1/stream',
    {
      access: 'session',
      permission: 'read',
      isUnattended: true,
      tag: 'Payments',
      summary: 'Follow the payments of your platform live',
      errors: ['foreign_origin', 'platform_changed', 'too_many_streams'],
      query: closed({ platform: Type.String({ ...id, description: 'The platform that the page shows' }) }),
      answerType: 'text/event-stream',
    },
    async (deps, { caller, query, request, reply }) => {
      requireOwnPage(request, deps.settings.baseUrl)
      if (query.platform !== caller.platformId) throw new ApiError('platform_changed')
      const stream = await streams.open(caller)
      reply.raw.once('close', () => stream.destroy()) // HEAD requests have no body, so the stream is ended here as well
      if (request.raw.socket.destroyed) stream.destroy()
      reply.type('text/event-stream').header('x-accel-buffering', 'no')
      return stream
    },
  ),
]
