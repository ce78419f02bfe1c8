import { randomBytes } from 'node:crypto'
import { Agent, request } from 'undici'
import { webhookHeaders } from '../../src/webhook/delivery/webhook-rules.ts'
import { answer } from './child.ts'

// The baseline for webhooks: signs and posts bodies as fast as possible, and stores nothing.

const methods = {
  /** @returns the number of 200 answers per second */
  post: async ({ url, bodies, atOnce }: { url: string; bodies: string[]; atOnce: number }) => {
    const dispatcher = new Agent()
    const keys = { webhookKey: '335b5728e25b47e88995fce207bff380', previousWebhookKey: null }
    let next = 0
    let answered = 0
    const postAll = async () => {
      while (next < bodies.length) {
        const index = next++
        const body = bodies[index] as string
        const nonce = randomBytes(6).readUIntBE(0, 6).toString()
        const eventId = index.toString(16).padStart(32, '0')
        const headers = webhookHeaders({ eventId, body, order: null, nonce, now: new Date() }, keys)
        const response = await request(`${url}/bare/${index % 100}`, { dispatcher, method: 'POST', headers, body })
        await response.body.dump()
        if (response.statusCode === 200) answered++
      }
    }
    const begin = performance.now()
    await Promise.all(Array.from({ length: atOnce }, postAll))
    const seconds = (performance.now() - begin) / 1000
    await dispatcher.close()
    return answered / seconds
  },
}

export type BareLoopMethods = typeof methods

answer(methods)
