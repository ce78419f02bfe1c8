import type { FastifyReply } from 'fastify'

/** Sends a JSON body that is already serialized; 204 has none. */
export function sendJson(reply: FastifyReply, { status, text }: { status: number; text: string }): FastifyReply {
  if (status === 204) return reply.code(status).send()
  return reply.code(status).type('application/json; charset=utf-8').send(text)
}
