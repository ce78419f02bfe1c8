/** One message of the live stream. `payments.changed` means that more payments changed than the stream names. */
export type StreamEvent = { type: 'payment.created' | 'payment.changed' | 'payments.changed'; id: string | null }

/**
 * A row that a poll reads: an event of a payment (`history`), or one of the newest payments (`payment`). `mark` distinguishes rows of the
 * same payment.
 */
export type PolledRow = { source: 'history' | 'payment'; id: string; mark: string }

/** The result of the last poll. */
export type Polled = { keys: ReadonlySet<string>; payments: ReadonlySet<string> }

/** The maximum number of changed payments that one poll names. */
export const MAX_NAMED = 100

export const toPollResult = (rows: readonly PolledRow[]): Polled => ({
  keys: new Set(rows.map(keyOf)),
  payments: new Set(rows.filter(({ source }) => source === 'payment').map(({ id }) => id)),
})

/** Returns the changes since the last poll, one for each payment. */
export function changesSince(last: Polled, rows: readonly PolledRow[]): StreamEvent[] {
  const types = new Map<string, StreamEvent['type']>()
  for (const row of rows) {
    if (last.keys.has(keyOf(row))) continue
    const isCreated = row.source === 'payment' && !last.payments.has(row.id)
    if (isCreated) types.set(row.id, 'payment.created')
    else if (!types.has(row.id)) types.set(row.id, 'payment.changed')
  }
  if (types.size > MAX_NAMED) return [{ type: 'payments.changed', id: null }]
  return [...types].map(([id, type]) => ({ type, id }))
}

const keyOf = ({ source, id, mark }: PolledRow): string => `${source} ${id} ${mark}`

/** Formats a message as a server-sent event. */
export const messageOf = (event: StreamEvent): string => `data: ${JSON.stringify(event)}\n\n`

/** A message to a page whose stream was taken over by another tab of its browser. */
export const REPLACED = 'event: replaced\ndata: {}\n\n'

/** A comment that keeps proxies from closing an idle connection and detects lost ones. */
export const STILL_HERE = ':\n\n'
