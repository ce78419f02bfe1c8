import type { FastifyRequest } from 'fastify'
import { accountNumber, oneOf, routingNumber, text } from '../../foundation/http/schema.ts'

/** The token of a link. It is in the body, because proxies log paths. */
export const token = text(1, 64)

/** The token of a link and the network address of its visitor. */
export const visitOf = (body: { token: string }, request: FastifyRequest) => ({
  token: body.token,
  address: request.ip,
})

/** The bank account of a person without an account here. */
export const bankFields = {
  routing: routingNumber,
  account: accountNumber,
  type: oneOf(['CHECKING', 'SAVINGS', 'BUSINESS']),
}
