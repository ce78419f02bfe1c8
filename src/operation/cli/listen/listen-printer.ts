import { styleText } from 'node:util'
import type { Delivery, ForwardResult } from './listen-forward.ts'

/** Prints one line per event on standard output, and everything else on standard error. */
export type Printer = {
  event(delivery: Delivery, result: ForwardResult): void
  /** Printed unless `--quiet` is set. */
  note(text: string): void
  problem(text: string): void
}

export function createPrinter({ isQuiet, isJson }: { isQuiet: boolean; isJson: boolean }): Printer {
  return {
    event: (delivery, result) => {
      if (isQuiet && result.outcome === 'acknowledged') return
      console.log(isJson ? jsonOf(delivery, result) : lineOf(delivery, result))
    },
    note: (text) => {
      if (!isQuiet) console.error(text)
    },
    problem: (text) => console.error(coloured('yellow', text, process.stderr)),
  }
}

/** Formats a line: `15:04:05  CHECK  PAID  0190…  → 200  12 ms`. */
function lineOf(delivery: Delivery, result: ForwardResult): string {
  const { id = delivery.event, type, status, balance } = parseBody(delivery.body)
  const isAcknowledged = result.outcome === 'acknowledged'
  const answer =
    result.status === null ? (result.error ?? result.outcome) : `${result.status}  ${result.duration_ms} ms`
  return [
    coloured('gray', new Date().toTimeString().slice(0, 8)),
    `${(type ?? '').padEnd(5)}  ${status ?? balance?.toFixed(2) ?? ''}`.padEnd(22),
    id,
    coloured(isAcknowledged ? 'green' : 'red', `→ ${answer}`) + (isAcknowledged ? '' : retryOf(delivery)),
  ].join('  ')
}

type Body = { id?: string; type?: string; status?: string; balance?: number }

function parseBody(body: string): Body {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

const retryOf = ({ retry_seconds: seconds }: Delivery): string =>
  seconds === null ? ', not again' : `, again in ${durationText(seconds)}`

const durationText = (seconds: number): string => {
  if (seconds <= 120) return `${seconds} s`
  return seconds <= 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

const jsonOf = ({ retry_seconds, body }: Delivery, result: ForwardResult): string =>
  JSON.stringify({
    date: new Date().toISOString(),
    event: result.event,
    attempt: result.attempt,
    outcome: result.outcome,
    status: result.status,
    duration_ms: result.duration_ms,
    error: result.error,
    retry_seconds: result.outcome === 'acknowledged' ? null : retry_seconds,
    headers: result.headers,
    body,
  })

/** Colors a text on a terminal, unless NO_COLOR is set. */
const coloured = (
  format: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string => styleText(format, text, { stream, validateStream: true })
