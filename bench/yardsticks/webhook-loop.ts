import { createHmac, randomBytes } from 'node:crypto'
import { Agent, request } from 'undici'
import { paymentEventBody } from '../../src/payments/payment/payment-rules.ts'
import { answerParent } from '../support/helper.ts'

// Signs and posts webhooks in a loop over undici, without a database, an order or a record.

const methods = { post }
export type WebhookLoop = typeof methods
answerParent(methods)

type Posts = { urls: string[]; count: number; inFlightEach: number }

async function post({ urls, count, inFlightEach }: Posts): Promise<void> {
  const dispatcher = new Agent({ keepAliveTimeout: 30_000 })
  let left = count
  const loop = async (url: string) => {
    while (left-- > 0) {
      const id = randomBytes(16).toString('hex')
      const body = paymentEventBody({ id, status: 'PAID', rail: 'ACH' })
      const response = await request(url, { dispatcher, method: 'POST', headers: signedHeaders(id, body), body })
      await response.body.dump()
    }
  }
  await Promise.all(urls.flatMap((url) => Array.from({ length: inFlightEach }, () => loop(url))))
  await dispatcher.close()
}

const KEY = randomBytes(16).toString('hex')

/** The signature of specification.md 7.3 and the one of Standard Webhooks. */
function signedHeaders(id: string, body: string): Record<string, string> {
  const nonce = randomBytes(6).readUIntBE(0, 6).toString()
  const timestamp = Math.floor(Date.now() / 1000).toString()
  const digest = createHmac('sha256', KEY).update(body).update(nonce).digest('hex')
  const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    signature: `nonce=${nonce},signature=${digest}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
