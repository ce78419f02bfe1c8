import { ConfigurationError } from './errors.ts'
import type { Hooks } from './hooks.ts'

/** The URL of the service, and the options for sending requests. */
export type ConnectionOptions = {
  /** Default: `REMIT_BASE_URL`, otherwise the URL of the environment. */
  baseUrl?: string
  /** The environments that `npm start` of Remit starts on your machine: `sandbox` on port 4000 (default), `demo` on 4001. */
  environment?: 'sandbox' | 'demo'
  /** Milliseconds for each try, including the body of the answer. Default: 30,000. */
  timeoutMs?: number
  /** Milliseconds for all tries of a call and the pauses between them. Default: 90,000. */
  totalTimeoutMs?: number
  /** The maximum number of retries of a safe request. Default: 3. */
  retries?: number
  /** Replaces the global `fetch`, for example to use a proxy. */
  fetch?: typeof globalThis.fetch
  /** Called for each try. Hooks never see credentials, bodies, queries or ids. */
  hooks?: Hooks
}

export type Settings = Required<Omit<ConnectionOptions, 'environment'>>

const LOCAL_URLS = { sandbox: 'http://localhost:4000', demo: 'http://localhost:4001' }

/** @throws ConfigurationError */
export function readSettings(options: ConnectionOptions): Settings {
  const local = options.environment && LOCAL_URLS[options.environment]
  const { timeoutMs = 30_000, totalTimeoutMs = 90_000, retries = 3 } = options
  return {
    baseUrl: readBaseUrl(options.baseUrl ?? local ?? readVariable('REMIT_BASE_URL') ?? LOCAL_URLS.sandbox),
    timeoutMs: requireNumber('timeoutMs', timeoutMs, 1),
    totalTimeoutMs: requireNumber('totalTimeoutMs', totalTimeoutMs, 1),
    retries: requireNumber('retries', retries, 0),
    // Browsers and edge runtimes refuse a fetch that is called as a method of another object.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    hooks: options.hooks ?? {},
  }
}

/** @throws ConfigurationError for a number that is too small, because a timer would run at once */
export function requireNumber(name: string, value: number, minimum: number): number {
  if (Number.isFinite(value) && value >= minimum) return value
  throw new ConfigurationError(`${name} must be a number of at least ${minimum}.`)
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new ConfigurationError('baseUrl must be a URL such as https://payments.example.com.')
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))
    throw new ConfigurationError('baseUrl must start with https://. Credentials are sent in clear otherwise.')
  return url.href.replace(/\/+$/, '')
}

type Process = { env?: Record<string, string | undefined> }

/** Reads an environment variable, on platforms that have any. */
export function readVariable(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: Process }
    return process?.env?.[name] || undefined
  } catch {
    return undefined // Deno asks for a permission that the program may lack.
  }
}
