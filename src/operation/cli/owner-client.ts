import { join } from 'node:path'
import { readIfThere, shownPath } from '../../foundation/lib/files/files.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { type ClientConfig, type Flags, readClientConfig } from '../app/config.ts'
import type { FirstOwnerFile } from '../app/first-owner.ts'

/** A client for a running service, with the owner's credentials. */
export type OwnerClient = {
  baseUrl: string
  /** API key and secret, in the format of the header. */
  credential: string
  /** The file that contains them, for messages. Null: they came from variables. */
  file: string | null
  dataDir: string
}

/** The service is unreachable or temporarily unavailable. */
export class ServiceAway extends StartProblem {
  readonly reason: string

  constructor(baseUrl: string, reason: string) {
    super(`${baseUrl} does not respond (${reason}). Start the service with "npm start".`)
    this.reason = reason
  }
}

/** The service returned an error. */
export class Refusal extends StartProblem {
  readonly status: number
  readonly code: string | null

  constructor(message: string, answer: { status: number; code: string | null }) {
    super(message)
    this.status = answer.status
    this.code = answer.code
  }
}

type ClientFlags = Flags & { baseUrl?: string | undefined }

/**
 * Finds the service by flags and variables, otherwise by the files that `npm start` wrote into the data directory.
 * Refuses environments other than sandbox and demo.
 *
 * @throws StartProblem
 */
export async function findOwnerClient(flags: ClientFlags, command: 'listen' | 'trigger'): Promise<OwnerClient> {
  const client = await readOwnerClient(flags)
  const environment = (await callService(client, ['GET', '/web/v1/context']))?.environment ?? 'not Remit'
  if (environment === 'sandbox' || environment === 'demo') return client
  throw new StartProblem(`${client.baseUrl} is ${environment}, but remit ${command} works only with sandbox and demo.`)
}

async function readOwnerClient(flags: ClientFlags): Promise<OwnerClient> {
  const config = readClientConfig(flags)
  const { dataDir, baseUrl, credential } = config
  if (credential !== null && baseUrl !== null) return { baseUrl, credential, file: null, dataDir }
  const path = join(dataDir, 'sandbox.json')
  const found = parseFirstOwner(await readIfThere(path))
  if (!found) throw new StartProblem(missing(config, shownPath(path)))
  if (credential !== null) return { baseUrl: found.base_url, credential, file: null, dataDir }
  // The file is valid only for its own service.
  if (baseUrl !== null && baseUrl !== found.base_url) {
    throw new StartProblem(
      `${shownPath(path)} belongs to ${found.base_url}. For ${baseUrl}, set REMIT_KEY and REMIT_SECRET.`,
    )
  }
  return { baseUrl: found.base_url, credential: `${found.key}:${found.secret}`, file: shownPath(path), dataDir }
}

type Known = Pick<FirstOwnerFile, 'base_url' | 'key' | 'secret'>

function parseFirstOwner(text: string | null): Known | null {
  try {
    const { base_url, key, secret } = JSON.parse(text ?? '')
    return [base_url, key, secret].every((value) => typeof value === 'string') ? { base_url, key, secret } : null
  } catch {
    return null
  }
}

function missing({ credential }: ClientConfig, path: string): string {
  const given = credential === null ? '--base-url, REMIT_KEY and REMIT_SECRET' : '--base-url'
  return `There is no sandbox in this folder (${path}). Start one with "npm start", or set ${given}.`
}

/** Response fields. Each caller knows which ones to expect. */
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
  client: OwnerClient,
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
  { baseUrl }: OwnerClient,
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

function refusalOf({ baseUrl, file }: OwnerClient, { status, answer }: { status: number; answer: ApiAnswer }): Refusal {
  const code = typeof answer?.code === 'string' ? answer.code : null
  if (code === null)
    return new Refusal(`The server at ${baseUrl} (${status}) is not Remit. Check the URL.`, { status, code })
  if (status === 401) {
    const whose = file ? `the key in ${file}` : 'REMIT_KEY and REMIT_SECRET'
    return new Refusal(`${baseUrl} does not accept ${whose}. Check the key and its secret.`, { status, code })
  }
  return new Refusal(answer.message, { status, code })
}
