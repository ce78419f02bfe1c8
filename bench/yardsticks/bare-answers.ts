import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { apiDocument, resolved } from '../../test/support/documented.ts'
import { answerParent } from '../support/helper.ts'

// Fastify without a database: the upper bound for any answer.

const methods = { acceptPayments, answerBytes }
export type BareAnswers = typeof methods
answerParent(methods)

type Order = { amount: number; name: string; recipient: string | { id: string }; description?: string }

/** Parses and validates an order with the service's schema, and answers with the JSON of a payment. @returns the URL */
async function acceptPayments(): Promise<string> {
  const app = Fastify({ ajv: { customOptions: { strict: false, coerceTypes: false, removeAdditional: false } } })
  const { body, answer } = digitalPaymentSchemas()
  let number = 0
  app.post<{ Body: Order }>(
    '/v3/check/digital',
    { schema: { body, response: { 201: answer } } },
    async (request, reply) => {
      const { amount, name, recipient, description = null } = request.body
      reply.code(201)
      return {
        id: randomUUID().replaceAll('-', ''),
        number: ++number,
        amount,
        date: new Date().toISOString().slice(0, 19).replace('T', ' '),
        status: 'UNPAID',
        name,
        recipient: typeof recipient === 'string' ? recipient : recipient.id,
        description,
        comment: null,
        image_uri: null,
        remittance_advice: [],
      }
    },
  )
  return listen(app)
}

/** Answers every GET with fixed bytes. @returns the URL */
async function answerBytes(text: string): Promise<string> {
  const app = Fastify()
  app.get('*', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  return listen(app)
}

function digitalPaymentSchemas() {
  const { requestBody, responses } = resolved(apiDocument.paths['/v3/check/digital'].post)
  const schemaOf = ({ content }: { content: Record<string, { schema: object }> }) => content['application/json']?.schema
  return { body: schemaOf(requestBody), answer: schemaOf(responses['201']) }
}

async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}
