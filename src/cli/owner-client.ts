import { join, relative } from 'node:path'
import { type ClientConfig, type Flags, readClientConfig } from '../app/config.ts'
import type { FirstOwnerFile } from '../app/first-owner.ts'
import { readIfThere } from '../lib/files/files.ts'
import { StartProblem } from '../lib/start-problem.ts'

/** A running service, called as the owner of a platform. */
export type OwnerClient = {
  baseUrl: string
  /** API key and secret, as the header has them. */
  credential: string
  /** The file that named them, as it is shown; null: they were given. */
  file: string | null
  dataDir: string
}

/** Nothing answers, or what answers cannot serve now: it may be there again in a moment. */
export class ServiceAway extends StartProblem {
  readonly reason: string

  constructor(baseUrl: string, reason: string) {
    super(`${baseUrl} does not answer (${reason}). Is the service running? "npm start" starts it.`)
    this.reason = reason
  }
}

/** The service said no. */
export class Refusal extends StartProblem {
  readonly status: number
  readonly code: string | null

  constructor(message: string, answer: { status: number; code: string | null }) {
    super(message)
    this.status = answer.status
    this.code = answer.code
  }
}

type ClientFlags = Flags & { 'base-url'?: string | undefined }

/**
 * Finds the service by flags and variables, else by what `npm start` wrote into the data directory. What the commands do is
 * for environments where nothing is real: nothing else is asked of another one.
 *
 * @throws StartProblem
 */
export async function findOwnerClient(flags: ClientFlags, command: 'listen' | 'trigger'): Promise<OwnerClient> {
  const client = await readOwnerClient(flags)
  const environment = (await callService(client, ['GET', '/web/v1/context']))?.environment ?? 'not Remit'
  if (environment === 'sandbox' || environment === 'demo') return client
  throw new StartProblem(`${client.baseUrl} is ${environment}: remit ${command} is for sandbox and demo.`)
}

async function readOwnerClient(flags: ClientFlags): Promise<OwnerClient> {
  const config = readClientConfig(flags)
  const { dataDir, baseUrl, credential } = config
  if (credential !== null && baseUrl !== null) return { baseUrl, credential, file: null, dataDir }
  const path = join(dataDir, 'sandbox.json')
  const found = parseFirstOwner(await readIfThere(path))
  if (!found) throw new StartProblem(missing(config, shownPath(path)))
  if (credential !== null) return { baseUrl: found.base_url, credential, file: null, dataDir }
  // What is in the file is for no other service than its own.
  if (baseUrl !== null && baseUrl !== found.base_url) {
    throw new StartProblem(`${shownPath(path)} is of ${found.base_url}: for ${baseUrl} set REMIT_KEY and REMIT_SECRET.`)
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
  return `There is no sandbox in this folder (${path}): start one with "npm start", or give ${given}.`
}

export const shownPath = (path: string): string => {
  const shown = relative(process.cwd(), path)
  return shown === '' || shown.startsWith('../..') ? path : shown
}

/** Fields of answers; each caller knows its own. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of the API, read field by field
export type ApiAnswer = any

const ANSWER_TIMEOUT_MS = 10_000

/**
 * One request.
 *
 * @param options.credential another than the owner's
 * @param options.waitMs how long the service may take on purpose
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
    const reason = name === 'TimeoutError' ? 'no answer in time' : (cause?.code ?? cause?.message ?? message)
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
  if (code === null) return new Refusal(`What answers at ${baseUrl} (${status}) is not Remit.`, { status, code })
  if (status === 401) {
    const whose = file ? `the key in ${file}` : 'REMIT_KEY and REMIT_SECRET'
    return new Refusal(`${baseUrl} does not know ${whose}.`, { status, code })
  }
  return new Refusal(answer.message, { status, code })
}
