import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, request } from 'undici'
import type { Deps } from '../db/deps.ts'
import type { EnvironmentSettings } from '../lib/environment.ts'
import { type Outcome, RESPONSE_TIMEOUT_MS } from './delivery-status.ts'
import { isPrivateAddress, signatureHeader, standardWebhookHeaders, webhookUrlProblem } from './webhook-rules.ts'

/** The connections on which webhooks leave: from each source address in turn (spec 6.1). */
export type Lines = { next(): Agent; agents: Agent[] }

export function createLines({ allowsLocalWebhooks, webhookSourceAddresses }: EnvironmentSettings): Lines {
  const sources = webhookSourceAddresses.length > 0 ? webhookSourceAddresses : [null]
  const agents = sources.map((source) => {
    const accepts = (address: string) =>
      (allowsLocalWebhooks || !isPrivateAddress(address)) && (source === null || isIP(address) === isIP(source))
    return new Agent({
      keepAliveTimeout: 30_000,
      ...(source !== null && { localAddress: source }),
      connect: { timeout: RESPONSE_TIMEOUT_MS, lookup: lookupOnly(accepts) },
    })
  })
  let turn = 0
  return { agents, next: () => agents[turn++ % agents.length] as Agent }
}

export const closeLines = ({ agents }: Lines): Promise<unknown> => Promise.all(agents.map((agent) => agent.close()))

/** The URL was judged when it was set; where its name points to is known only now. */
const lookupOnly =
  (accepts: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first, ...others] = (addresses ?? []).filter(({ address }) => accepts(address))
      if (error || !first) callback(error ?? notPublic(), '')
      else if (options.all) callback(null, [first, ...others])
      else callback(null, first.address, first.family)
    })
  }

const notPublic = () => Object.assign(new Error('the host has no public address'), { code: 'NOT_PUBLIC' })

export type PostResult = { outcome: Outcome; httpStatus: number | null; error: string | null }

/** One HTTP POST, signed with the key of whoever set the URL. What the receiver does wrong is an outcome. */
export async function postWebhook(
  deps: Pick<Deps, 'settings' | 'random' | 'realClock'>,
  lines: Lines,
  { url, webhookKey: key }: { url: string; webhookKey: string },
  { eventId, body }: { eventId: string; body: string },
): Promise<PostResult> {
  // What is allowed may have changed since the URL was set.
  const problem = webhookUrlProblem(url, { allowsLocal: deps.settings.allowsLocalWebhooks })
  if (problem !== null) return { outcome: 'unreachable', httpStatus: null, error: `the URL ${problem}` }
  const nonce = deps.random.bytes(6).readUIntBE(0, 6).toString()
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
  try {
    const answer = request(url, {
      dispatcher: lines.next(),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Remit-Webhooks/1',
        signature: signatureHeader({ body, nonce, key }),
        ...standardWebhookHeaders({ id: eventId, body, key, now: deps.realClock.now() }),
      },
      body,
      signal,
    })
    const response = await Promise.race([answer, rejectionBy(signal)])
    const isAcknowledged = response.statusCode >= 200 && response.statusCode < 300
    // The status is the answer, whatever its body does: a few bytes are read so that the connection can be kept.
    await response.body.dump({ limit: 64 * 1024, signal }).catch(() => {})
    return { outcome: isAcknowledged ? 'acknowledged' : 'rejected', httpStatus: response.statusCode, error: null }
  } catch (error) {
    if (signal.aborted) return { outcome: 'timed_out', httpStatus: null, error: 'no answer within 10 seconds' }
    const { code, message } = error as { code?: string; message: string }
    return { outcome: 'unreachable', httpStatus: null, error: code ?? message.slice(0, 200) }
  }
}

/** undici heeds a signal only once it is connected. */
const rejectionBy = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
