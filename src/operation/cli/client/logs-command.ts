import { setTimeout as sleep } from 'node:timers/promises'
import { styleText } from 'node:util'
import { ConnectionError, type LoggedRequest, RateLimitError, type Remit, ServerError } from '#sdk'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { neutralJson, neutralText } from '../../../foundation/lib/text/plain-text.ts'
import type { CommandFlags } from '../command-flags.ts'
import { stopOnSignals } from '../stop-signal.ts'
import { callApi, requireWholeNumber } from './api-command.ts'
import { printNote } from './list-printer.ts'

const POLL_MS = 2_000
const PAGE_SIZE = 100
const DEFAULT_LINES = 10
/** The maximum number of requests that are printed between two polls. The page Requests shows the others. */
const MAX_AT_ONCE = 2_000
/** The number of printed requests that are remembered. A request can appear up to five seconds late, after newer ones. */
const REMEMBERED = 10_000

type Query = { status?: string; path?: string }

/** Prints the requests of the platform as they arrive, until a signal. @returns the exit code @throws StartProblem */
export function runLogsTail(flags: CommandFlags): Promise<number> {
  const { status, path, lines } = flags
  if (status !== undefined && !/^[2345](xx|\d\d)$/.test(status))
    throw new StartProblem('--status must be an HTTP status or a class: 404, 2xx, 4xx, 5xx.')
  const first = lines === undefined ? DEFAULT_LINES : requireWholeNumber('--lines', lines, PAGE_SIZE)
  const query = { ...(status !== undefined && { status }), ...(path !== undefined && { path }) }
  return callApi(flags, async (remit, { baseUrl }) => {
    const print = flags.json ? printJson : printLine
    const stopping = stopOnSignals(['SIGINT', 'SIGTERM', 'SIGHUP'])
    await follow(remit, { query, first, print, baseUrl, stopping })
  })
}

type Follow = {
  query: Query
  first: number
  print(request: LoggedRequest): void
  baseUrl: string
  stopping: AbortSignal
}

async function follow(remit: Remit, { query, first, print, baseUrl, stopping }: Follow): Promise<void> {
  const shown = new Set<string>()
  let isFirst = true
  while (!stopping.aborted) {
    try {
      const found = await readNew(remit, { query, shown, stopping, isFirst })
      for (const request of isFirst ? found.slice(-first) : found) print(request)
      if (isFirst) printNote(`Waiting for requests at ${baseUrl}. Press Ctrl-C to stop.`)
      isFirst = false
    } catch (error) {
      if (stopping.aborted) return
      if (isFirst || !isPassing(error)) throw error
      printNote(`${baseUrl} does not respond. Retrying.`)
    }
    await sleep(POLL_MS, null, { signal: stopping }).catch(() => {})
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof ServerError || error instanceof RateLimitError

/** Returns the requests that were not printed yet, oldest first, and remembers them. Requests of this command are left out. */
async function readNew(
  remit: Remit,
  { query, shown, stopping, isFirst }: { query: Query; shown: Set<string>; stopping: AbortSignal; isFirst: boolean },
): Promise<LoggedRequest[]> {
  const fresh: LoggedRequest[] = []
  const list = remit.overview.listRequests({ ...query, per_page: PAGE_SIZE }, { signal: stopping })
  for await (const page of list.pages()) {
    if (page.response.requestId) shown.add(page.response.requestId)
    const found = page.items.filter(({ id }) => !shown.has(id))
    fresh.push(...found)
    for (const { id } of page.items) shown.add(id)
    if (isFirst || found.length < page.items.length || fresh.length >= MAX_AT_ONCE) break
  }
  for (const id of shown) {
    if (shown.size <= REMEMBERED) break
    shown.delete(id)
  }
  return fresh.toReversed()
}

const printJson = (request: LoggedRequest): void => console.log(neutralJson(request, { indent: 0 }))

/** Prints a request: `2026-11-28 15:04:05  POST  /v3/check/digital  400  12 ms  insufficient_funds`. */
function printLine({ date, method, path, status, duration_ms, code }: LoggedRequest): void {
  const colored = styleText(status < 400 ? 'green' : status < 500 ? 'yellow' : 'red', String(status), {
    stream: process.stdout,
  })
  const parts = [date, method.padEnd(6), neutralText(path), colored, `${duration_ms} ms`, ...(code ? [code] : [])]
  console.log(parts.join('  '))
}
