import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import postgres from 'postgres'
import type { Sql } from '../../src/foundation/db/connect.ts'
import { countPayments, listPayments } from '../../src/payments/payment/list/payment-list-store.ts'
import { answeredNumber, commonAnswer, remittanceTable } from '../../src/payments/payment/payment-rules.ts'
import { findPayment } from '../../src/payments/payment/payment-store.ts'
import type { PaymentRow } from '../../src/payments/payment/payment-types.ts'
import { answerParent } from '../support/helper.ts'

// The service's SQL behind a bare Fastify route, over plain postgres.js: no limits, authentication or validation. The
// difference is the cost of the rest of the service.

const methods = { listen }
export type BareSql = typeof methods
answerParent(methods)

type Readers = { databaseUrl: string; platformId: string; userIds: Record<string, string> }

/** The number of connections, equal to that of the service. */
const CONNECTIONS = 12

/** Serves reads. `userIds`: the reader for each `Authorization` header. @returns the URL */
async function listen({ databaseUrl, platformId, userIds }: Readers): Promise<string> {
  const sql = connect(databaseUrl)
  const app = Fastify()
  app.get<{ Params: { id: string } }>('/v3/check/:id', async ({ params }) => {
    const payment = (await findPayment(sql, { platformId, paymentId: params.id })) as PaymentRow
    return {
      ...commonAnswer(payment, answeredNumber(payment)),
      remittance_advice: remittanceTable(payment.remittanceAdvice),
    }
  })
  app.get('/v3/check', async ({ headers }) => {
    const filter = { platformId, userId: userIds[headers.authorization ?? ''] as string }
    const sort = { field: 'DATE', direction: 'desc' } as const
    const paging = { limit: 50, sort, page: 1, offset: 0, after: null }
    const [page] = await listPayments(sql, { platformId, userIds: [filter.userId] }, { conditions: {}, paging })
    if (!page) throw new Error('no page')
    const total = page.total ?? (await countPayments(sql, filter))
    const checks = page.rows.slice(0, 50).map((payment) => ({
      ...commonAnswer(payment, answeredNumber(payment)),
      direction: payment.direction,
      sender: payment.sender,
    }))
    return { checks, page: 1, pages: Math.ceil(total / 50), total }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

/** Rows in the form that the service's stores expect. */
const connect = (url: string): Sql =>
  postgres(url, {
    max: CONNECTIONS,
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    types: {
      uuid: { to: 2950, from: [2950], serialize: String, parse: (text: string) => text.replaceAll('-', '') },
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      date: { to: 1082, from: [1082], serialize: String, parse: String },
    },
  }) as unknown as Sql
