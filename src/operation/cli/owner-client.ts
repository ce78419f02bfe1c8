import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { type Connection, findConnection } from './client/connection.ts'
import type { CommandFlags } from './command-flags.ts'

/** Thrown if the service is unreachable or temporarily unavailable. */
export class ServiceAway extends StartProblem {
  readonly reason: string

  constructor(baseUrl: string, reason: string) {
    super(`${baseUrl} does not respond (${reason}). Start the service with "npm start".`)
    this.reason = reason
  }
}

/** Thrown if the service returned an error. */
export class Refusal extends StartProblem {
  readonly status: number
  readonly code: string | null

  constructor(message: string, answer: { status: number; code: string | null }) {
    super(message)
    this.status = answer.status
    this.code = answer.code
  }
}

/**
 * Finds the service (`findConnection`). Refuses environments other than sandbox and demo.
 *
 * @throws StartProblem
 */
export async function findOwnerClient(flags: CommandFlags, command: 'listen' | 'trigger'): Promise<Connection> {
  const client = await findConnection(flags)
  const environment = (await callService(client, ['GET', '/web/v1/context']))?.environment ?? 'not Remit'
  if (environment === 'sandbox' || environment === 'demo') return client
  throw new StartProblem(`${client.baseUrl} is ${environment}, but remit ${command} works only with sandbox and demo.`)
}

/** The fields of a response. Each caller knows which ones to expect. */
// biome-ignore lint/suspicious/noExplicitAny: an API response, read field by field
export type ApiAnswer = any

const ANSWER_TIMEOUT_MS = 10_000

/**
 * Sends one request.
 *
 * @param options.credential a credential other than the owner's
 * @param options.waitMs how long the service may delay its response on purpose
 * @throws ServiceAway, Refusal
 */
export async function callService(
  client: Connection,
  [method, path, body]: readonly [method: string, path: string, body?: object],
  {
    credential = client.credential,
    waitMs = 0,
    signal,
  }: { credential?: string; waitMs?: number; signal?: AbortSignal } = {},
): Promise<ApiAnswer> {
  const timeout = AbortSignal.timeout(waitMs + ANSWER_TIMEOUT_MS)
  const { status, text } = await send(client, {
    method,
    path,
    headers: { authorization: credential, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
  const answer = parseAnswer(text)
  if (status < 300 && answer !== undefined) return answer
  if (status === 429 || status >= 500) throw new ServiceAway(client.baseUrl, `status ${status}`)
  throw refusalOf(client, { status, answer })
}

async function send(
  { baseUrl }: Connection,
  { path, ...request }: { path: string } & Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'>,
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(`${baseUrl}${path}`, { ...request, redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const { cause, name, message } = error as Error & { cause?: { code?: string; message: string } }
    const reason = name === 'TimeoutError' ? 'no response in time' : (cause?.code ?? cause?.message ?? message)
    throw new ServiceAway(baseUrl, reason)
  }
}

function parseAnswer(text: string): ApiAnswer | undefined {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusalOf(
  { baseUrl, origin }: Connection,
  { status, answer }: { status: number; answer: ApiAnswer },
): Refusal {
  const code = typeof answer?.code === 'string' ? answer.code : null
  if (code === null)
    return new Refusal(`The server at ${baseUrl} (${status}) is not Remit. Check the URL.`, { status, code })
  if (status === 401)
    return new Refusal(`${baseUrl} does not accept ${origin}. Check the key and its secret.`, { status, code })
  return new Refusal(answer.message, { status, code })
}
