import type { FastifyReply } from 'fastify'
import { JSON_TYPE } from './error-handler.ts'

/**
 * Sends a serialized JSON body, or no body for 204. Returns nothing, because a reply is a promise: a handler that returned it would wait
 * until the client has read the answer.
 */
export function sendJson(reply: FastifyReply, { status, text }: { status: number; text: string }): void {
  reply.request.answerStart = text
  if (status === 204) reply.code(status).send()
  else reply.code(status).type(JSON_TYPE).send(text)
}
