import { setTimeout as sleep } from 'node:timers/promises'
import { requireDocumentedAnswer, requireDocumentedError } from './documented.ts'
import type { Secrets } from './secrets.ts'

export type Answer = {
  status: number
  // Tests check single fields of answers. `any` keeps them short.
  // biome-ignore lint/suspicious/noExplicitAny: an answer can be anything
  body: any
  text: string
  headers: Headers
}

type RequestOptions = { headers?: Record<string, string>; idempotencyKey?: string }

/** A client with one credential. */
export type Api = {
  credential: string
  get(path: string, options?: RequestOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  del(path: string, options?: RequestOptions): Promise<Answer>
  /** Sends a body unchanged. */
  raw(method: string, path: string, body: string | Buffer | null, options?: RequestOptions): Promise<Answer>
}

const MAX_TRIES = 10

const SECRET_FIELDS = new Set(
  'account account_number processor_token access_token refresh_token pin card_number ssn tax_id secret webhook_key value password current verification'.split(
    ' ',
  ),
)

/** In some requests `account` is the id of a bank, masks are not secret, and an email tried as a password is known. */
const isSecret = (name: string, value: string): boolean =>
  SECRET_FIELDS.has(name) && !/^\*|@/.test(value) && !(name === 'account' && /^[0-9a-f]{32}$/.test(value))

export function createApi(baseUrl: string, credential: string, secrets: Secrets): Api {
  const note = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && isSecret(name, member)) secrets.add(member)
      if (name === 'recovery_codes') for (const code of member as string[]) noteRecoveryCode(code)
      note(member)
    }
  }

  const noteRecoveryCode = (code: string) => {
    secrets.add(code)
    secrets.add(code.replace('-', ''))
  }

  /** Repeats a change that a busy machine refuses, like clients do. */
  async function send(method: string, path: string, body: string | Buffer | null, options?: RequestOptions) {
    for (let tries = 1; ; tries++) {
      const answer = await sendOnce(method, path, body, options)
      if (method === 'GET' || answer.body?.code !== 'overloaded' || tries === MAX_TRIES) return answer
      await sleep(Number(answer.headers.get('retry-after')) * 1_000)
    }
  }

  async function sendOnce(method: string, path: string, body: string | Buffer | null, options: RequestOptions = {}) {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'manual',
      body: body as RequestInit['body'] & null,
      headers: {
        ...(credential && { authorization: credential }),
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
        ...options.headers,
      },
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : null,
    }
    note(answer.body)
    requireDocumentedError(method, path, { status: answer.status, code: answer.body?.code })
    const type = response.headers.get('content-type')
    requireDocumentedAnswer(method, path, { status: answer.status, type, text, body: answer.body })
    return answer
  }

  const sendJson = (method: string) => (path: string, body?: unknown, options?: RequestOptions) => {
    note(body)
    return send(method, path, body === undefined ? null : JSON.stringify(body), options)
  }

  return {
    credential,
    get: (path, options) => send('GET', path, null, options),
    post: sendJson('POST'),
    put: sendJson('PUT'),
    del: (path, options) => send('DELETE', path, null, options),
    raw: (method, path, body, options) => send(method, path, body, options),
  }
}
