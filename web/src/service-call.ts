import { askForConfirmation } from './confirmation.ts'
import type { Answer, Arguments, Given, Method, PathOf, Query } from './operation.ts'
import { hasCode, refusal, unreachable } from './service-error.ts'
import { isAttended } from './session-end.ts'

/** The platform that this page shows. The service refuses the call if the person switched in another tab. */
let shown: string | null = null

export const shownPlatform = (): string | null => shown

/** Sets the platform. If the page shows data of another platform, it goes to Home. */
export function setShownPlatform(platform: string | null): void {
  const isAnother = shown !== null && platform !== null && platform !== shown
  shown = platform
  if (isAnother) window.location.assign('/')
}

type Values = {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: object
  idempotencyKey?: string
}

const caller =
  <M extends Method>(method: M) =>
  async <P extends PathOf<M>>(path: P, ...[given]: Arguments<Given<M, P>>): Promise<Answer<M, P>> => {
    const response = await call(method, path, given)
    return (response.status === 204 ? {} : await response.json()) as Answer<M, P>
  }

// Each call rejects with a `ServiceError`.
export const get = caller('get')
export const post = caller('post')
export const put = caller('put')
export const remove = caller('delete')

/** One page of a list, with the cursor of the next one, which is only in the Link header. */
export async function getPage<P extends PathOf<'get'>>(
  path: P,
  query: Query<'get', P>,
  names: Record<string, string> = {},
) {
  const response = await call('get', path, { path: names, query })
  return { page: (await response.json()) as Answer<'get', P>, next: nextCursor(response.headers.get('link')) }
}

function nextCursor(link: string | null): string | null {
  const address = /<([^>]*)>;\s*rel="?next"?/.exec(link ?? '')?.[1]
  return address === undefined ? null : new URL(address, window.location.origin).searchParams.get('cursor')
}

/** Makes a call whose answer is not JSON, or whose path is not known at compile time. */
export function call(
  method: Method,
  path: string,
  { path: names = {}, query = {}, body, idempotencyKey }: Values = {},
) {
  const address = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(names[name] ?? ''))
  const filters = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(filters.map(([name, value]): [string, string] => [name, String(value)]))
  const url = search.size === 0 ? address : `${address}?${search}`
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  return send(method.toUpperCase(), url, { body: method === 'post' ? (body ?? {}) : body, headers })
}

type Message = { body: object | undefined; headers: Record<string, string> }

/** Sends a call. If the service asks for a confirmation, the dialog asks the person for it and the call is sent again. */
async function send(method: string, url: string, message: Message): Promise<Response> {
  try {
    return await sendOnce(method, url, message)
  } catch (error) {
    if (!hasCode(error, 'confirmation_needed') || !(await askForConfirmation())) throw error
    return sendOnce(method, url, message)
  }
}

async function sendOnce(method: string, url: string, { body, headers }: Message): Promise<Response> {
  const response = await fetch(url, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json, application/pdf',
      ...(shown && { 'remit-platform': shown }),
      ...(!isAttended() && { 'remit-unattended': 'true' }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw unreachable()
  })
  if (!response.ok) throw await refusal(response)
  return response
}
