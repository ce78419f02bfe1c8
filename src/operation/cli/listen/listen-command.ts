import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { EVENT_TYPES } from '../../../webhook/event/event-rules.ts'
import type { Connection } from '../client/connection.ts'
import type { CommandFlags } from '../command-flags.ts'
import { callService, findOwnerClient, Refusal, ServiceAway } from '../owner-client.ts'
import { stopOnSignals } from '../stop-signal.ts'
import { type Delivery, type ForwardResult, forward } from './listen-forward.ts'
import { createPrinter, type Printer } from './listen-printer.ts'

const WAIT_SECONDS = 30
/** The maximum number of events that are sent to the receiver at the same time. */
const MAX_IN_HAND = 50
/** The milliseconds within which results are collected for one report. */
const TOGETHER_MS = 100
const FIRST_RETRY_MS = 250
const MAX_RETRY_MS = 2_000
/** The milliseconds for which the command waits for the service when it ends. The service removes an abandoned listener itself. */
const FAREWELL_MS = 3_000

/**
 * Forwards the events of a platform in sandbox or demo to a URL on this machine, with the usual headers. Runs until a signal, or until
 * `--limit` events were acknowledged.
 *
 * @returns the exit code: 1 if a signal came before the limit
 * @throws StartProblem
 */
export async function runListen(flags: CommandFlags): Promise<number> {
  const { url, eventTypes, limit } = listenOptions(flags)
  const client = await findOwnerClient(flags, 'listen')
  const printer = createPrinter({ isQuiet: flags.quiet === true, isJson: flags.json === true })
  const listening: Listening = {
    client,
    printer,
    fields: { ...(eventTypes && { event_types: eventTypes }), ...(flags.full && { body_format: 'FULL' }) },
    url,
    dispatcher: new Agent(),
    stopping: stopWhenAsked(),
    listenerId: null,
  }
  listening.listenerId = await createListener(listening)
  printer.note(`Ready: events of ${client.baseUrl} go to ${url}. Press Ctrl-C to stop.`)
  if (client.file) printer.note(`Events are signed with the webhook_key in ${client.file}.`)
  try {
    const count = await forwardEvents(listening, limit)
    return limit === Number.POSITIVE_INFINITY || count >= limit ? 0 : 1
  } finally {
    await endListener(listening)
    await listening.dispatcher.destroy()
  }
}

type Listening = {
  client: Connection
  printer: Printer
  /** The body of the request that creates the listener. */
  fields: { event_types?: string[]; body_format?: 'FULL' }
  url: string
  dispatcher: Dispatcher
  /** Aborted by a signal. */
  stopping: AbortSignal
  /** The id of the listener. Null: one must be created. */
  listenerId: string | null
}

function listenOptions(flags: CommandFlags): { url: string; eventTypes: string[] | null; limit: number } {
  const given = flags.forwardTo
  if (given === undefined) throw new StartProblem('remit listen needs --forward-to http://localhost:PORT/PATH.')
  const url = URL.parse(/^[\w.+-]+:\/\//.test(given) ? given : `http://${given}`)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new StartProblem('--forward-to must be an http or https URL without a username.')
  }
  const eventTypes = flags.events === undefined ? null : flags.events.split(',').map((type) => type.trim())
  if (eventTypes?.some((type) => !EVENT_TYPES.includes(type as never))) {
    throw new StartProblem(`--events must be a list of ${EVENT_TYPES.join(', ')}.`)
  }
  if (flags.limit !== undefined && !/^[1-9]\d{0,8}$/.test(flags.limit)) {
    throw new StartProblem('--limit must be a whole number of at least 1.')
  }
  return { url: url.href, eventTypes: eventTypes && [...new Set(eventTypes)], limit: Number(flags.limit ?? 'Infinity') }
}

/** Returns a signal that is aborted by Ctrl-C and the like, or when the output pipe is closed. */
function stopWhenAsked(): AbortSignal {
  const isClosed = new AbortController()
  process.stdout.on('error', () => isClosed.abort())
  return AbortSignal.any([stopOnSignals(['SIGINT', 'SIGTERM', 'SIGHUP']), isClosed.signal])
}

async function createListener({ client, fields }: Listening): Promise<string> {
  return (await callService(client, ['POST', '/v3/webhook/listener', fields])).id
}

/**
 * Forwards several events at the same time, so that a slow response does not delay the others.
 *
 * @returns the number of acknowledged events
 */
async function forwardEvents(listening: Listening, limit: number): Promise<number> {
  const { stopping, printer } = listening
  const inHand = new Map<string, Promise<void>>()
  const results: ForwardResult[] = []
  let count = 0
  let news = new AbortController()

  async function take(delivery: Delivery) {
    const result = await forward(delivery, listening)
    inHand.delete(delivery.event)
    if (!result) return
    printer.event(delivery, result)
    results.push(result)
    if (result.outcome === 'acknowledged') count++
    news.abort()
  }

  while (!stopping.aborted && count < limit) {
    news = new AbortController()
    const told = [...results]
    const deliveries = await poll(listening, { results: told, holding: [...inHand.keys()], news: news.signal })
    if (deliveries) results.splice(0, told.length)
    const room = Math.min(limit - count, MAX_IN_HAND) - inHand.size
    for (const delivery of deliveries?.slice(0, room) ?? []) inHand.set(delivery.event, take(delivery))
    const isFull = inHand.size > 0 && inHand.size >= Math.min(limit - count, MAX_IN_HAND)
    if (isFull) await Promise.race(inHand.values())
    else await Promise.race([Promise.all(inHand.values()), sleep(TOGETHER_MS)])
  }
  await Promise.all(inHand.values())
  if (results.length > 0) await tellLast(listening, results)
  return count
}

/**
 * Reports results and waits for more events, or for results of running ones. Retries while the service is unreachable, so that no event is
 * lost.
 *
 * @returns null if the service did not respond, so that it may not have the results
 */
async function poll(
  listening: Listening,
  { news, ...told }: { results: ForwardResult[]; holding: string[]; news: AbortSignal },
): Promise<Delivery[] | null> {
  const { client, stopping, printer } = listening
  let isAway = false
  for (let failures = 0; !stopping.aborted; failures++) {
    try {
      listening.listenerId ??= await createListener(listening)
      const body = { ...told, wait_seconds: isAway ? 0 : WAIT_SECONDS }
      const signal = isAway ? stopping : AbortSignal.any([stopping, news])
      const path = `/v3/webhook/listener/${listening.listenerId}`
      const answer = await callService(client, ['POST', path, body], { waitMs: WAIT_SECONDS * 1_000, signal })
      if (isAway) printer.note(`Reconnected to ${client.baseUrl}.`)
      return answer.deliveries
    } catch (error) {
      if (stopping.aborted || (news.aborted && !isAway)) break
      if (isGone(error)) {
        listening.listenerId = null
        printer.problem('The service removed this listener. A new one receives events from now on.')
        continue
      }
      if (!(error instanceof ServiceAway)) throw error
      if (!isAway) printer.problem(`${client.baseUrl} does not respond (${error.reason}). Retrying.`)
      isAway = true
      await sleep(Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS), null, { signal: stopping }).catch(() => {})
    }
  }
  return null
}

const isGone = (error: unknown): boolean => error instanceof Refusal && error.code === 'listener_not_found'

async function tellLast({ client, listenerId }: Listening, results: ForwardResult[]): Promise<void> {
  const signal = AbortSignal.timeout(FAREWELL_MS)
  await callService(client, ['POST', `/v3/webhook/listener/${listenerId}`, { results }], { signal }).catch(() => {})
}

async function endListener({ client, listenerId }: Listening): Promise<void> {
  if (listenerId === null) return
  const signal = AbortSignal.timeout(FAREWELL_MS)
  await callService(client, ['DELETE', `/v3/webhook/listener/${listenerId}`], { signal }).catch(() => {})
}
