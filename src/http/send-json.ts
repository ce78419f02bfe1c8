import type { FastifyReply } from 'fastify'

/** Sends a body that is JSON already. */
export function sendJson(reply: FastifyReply, { status, text }: { status: number; text: string }): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(text)
}
