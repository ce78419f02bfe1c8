import { apiError, ConnectionError, RemitError } from './errors.ts'
import type { Answer, ResponseInfo } from './operation.ts'

export type HttpRequest = {
  url: string
  method: string
  headers: Record<string, string>
  body: string | null
  signal: AbortSignal
}

type Reader = { fetch: typeof globalThis.fetch; answersFile?: boolean; tries?: number }

/**
 * Sends one request and reads its answer. Follows no redirect, because a redirect would send the credential to another
 * host.
 *
 * @throws ConnectionError, ApiError
 */
export async function exchange<Data>(
  request: HttpRequest,
  { fetch, answersFile = false, tries = 1 }: Reader,
): Promise<Answer<Data>> {
  try {
    const { url, ...init } = request
    const response = await fetch(url, { ...init, redirect: 'manual' })
    const info = infoOf(response, tries)
    if (response.ok) return { data: (await readData(response, answersFile)) as Data, response: info }
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      throw await redirectError(response, url)
    throw apiError(await readJsonText(response), info)
  } catch (error) {
    if (error instanceof RemitError) throw error
    throw new ConnectionError(`The connection failed: ${reasonOf(error)}.`, { isTransient: true, cause: error })
  }
}

const infoOf = ({ status, headers }: Response, tries: number): ResponseInfo => ({
  status,
  headers,
  requestId: headers.get('x-request-id'),
  tries,
})

async function readData(response: Response, answersFile: boolean): Promise<unknown> {
  if (response.status === 204) {
    await cancelBody(response)
    return undefined
  }
  if (answersFile) return response.blob()
  const text = await readJsonText(response)
  if (text === null)
    throw new ConnectionError(
      'The answer is not JSON, so it is not from Remit. Check the base URL and what is in between.',
    )
  try {
    return JSON.parse(text)
  } catch {
    throw new ConnectionError('The answer was cut off.', { isTransient: true })
  }
}

/** Returns null for an answer that is not JSON. Its body is canceled, so that the connection is free. */
async function readJsonText(response: Response): Promise<string | null> {
  if (response.headers.get('content-type')?.startsWith('application/json')) return response.text()
  await cancelBody(response)
  return null
}

async function redirectError(response: Response, url: string): Promise<ConnectionError> {
  await cancelBody(response)
  const location = response.headers.get('location')
  const target = location !== null && URL.canParse(location, url) ? new URL(location, url).origin : 'another address'
  return new ConnectionError(
    `The service redirects to ${target}, which is not followed. Set baseUrl to the service itself.`,
  )
}

/** A canceled body can report the error that ended it. The error no longer matters. */
const cancelBody = async ({ body }: Response): Promise<void> => {
  await body?.cancel().catch(() => {})
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : message
}
