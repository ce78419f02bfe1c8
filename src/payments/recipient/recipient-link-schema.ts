import type { FastifyRequest } from 'fastify'
import { accountNumber, oneOf, routingNumber, text } from '../../foundation/http/schema.ts'

/** The token of a link. It is sent in the body, because proxies log paths. */
export const token = text(1, 64)

/** Returns the token of a link, the PIN that was entered, and the network address of the visitor. */
export const visitOf = ({ token, pin }: { token: string; pin?: string }, { ip: address }: FastifyRequest) => ({
  token,
  pin,
  address,
})

/** The fields of a bank account of a person without an account here. */
export const bankFields = {
  routing: routingNumber,
  account: accountNumber,
  type: oneOf(['CHECKING', 'SAVINGS', 'BUSINESS']),
}
