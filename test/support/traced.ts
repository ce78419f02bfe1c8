import assert from 'node:assert/strict'
import { join } from 'node:path'
import { createApi } from './api.ts'
import { startOtlpReceiver } from './otlp-receiver.ts'
import { migratedDatabase, readFirstOwner, startProcess, temporaryFolder } from './process.ts'
import { startReceiver } from './receiver.ts'
import { collectSecrets } from './secrets.ts'

type Lifetime = { after(end: () => Promise<void> | void): void }

export const ACCOUNT = '1234567890'
/** The caller's span, which its `traceparent` names. */
export const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

/** Starts the program with a collector of its traces. */
export async function startTraced(t: Lifetime, env: Record<string, string> = {}) {
  const collector = await startOtlpReceiver(t)
  const home = await temporaryFolder(t)
  const remit = await startProcess(t, ['start', '--port', '0', '--environments', 'sandbox'], {
    home,
    env: {
      DATABASE_URL: await migratedDatabase(t),
      REMIT_ALLOW_LOCAL_WEBHOOKS: 'true',
      REMIT_LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      ...env,
    },
  })
  const { key, secret } = await readFirstOwner(join(home, '.remit'))
  const api = createApi(remit.url(), `${key}:${secret}`, collectSecrets())
  return { collector, remit, api, url: remit.url(), authorization: `${key}:${secret}`, secret }
}

export type Traced = Awaited<ReturnType<typeof startTraced>>

/** Sends a check that is accepted, paid, and reported. @returns its id, and the webhooks that arrived */
export async function payOnce(t: Lifetime, { api, url, authorization }: Traced) {
  const receiver = await startReceiver(t)
  const bank = (await api.post('/v3/bank', { routing: '021000021', account: ACCOUNT, type: 'CHECKING' })).body.id
  await api.post('/v3/bank/release', { account: bank })
  await api.post('/v3/bank/verify', { account: bank, amount_1: 0.07, amount_2: 0.15 })
  assert.equal((await api.put('/v3/user', { developer: { webhook_uri: receiver.url } })).status, 200)
  const response = await fetch(`${url}/v3/check/digital`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
    },
    body: JSON.stringify({ amount: 125.5, name: 'Grace Hopper', recipient: 'grace@example.com', account: bank }),
  })
  const { id } = (await response.json()) as { id: string }
  assert.equal(response.status, 201)
  const paid = await api.put(`/v3/check/webhook/${id}`, { status: 'PAID' })
  assert.equal(paid.status, 204, paid.text)
  await receiver.waitFor(1)
  return { id, receiver }
}
