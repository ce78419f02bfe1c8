/** One message of the live stream. `payments.changed` stands for more changes than are named. */
export type StreamEvent = { type: 'payment.created' | 'payment.changed' | 'payments.changed'; id: string | null }

/**
 * A row that a poll reads: an event of a payment (`history`), or one of the newest payments (`payment`). The mark distinguishes rows of
 * the same payment.
 */
export type PolledRow = { source: 'history' | 'payment'; id: string; mark: string }

/** The result of the last poll. */
export type Polled = { keys: ReadonlySet<string>; payments: ReadonlySet<string> }

/** The most changes in a poll that are named one by one. */
export const MAX_NAMED = 100

export const polledOf = (rows: readonly PolledRow[]): Polled => ({
  keys: new Set(rows.map(keyOf)),
  payments: new Set(rows.filter(({ source }) => source === 'payment').map(({ id }) => id)),
})

/** Returns the news since the last poll, once for each payment. */
export function newsOf(last: Polled, rows: readonly PolledRow[]): StreamEvent[] {
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

/** A message in the format of server-sent events. */
export const messageOf = (event: StreamEvent): string => `data: ${JSON.stringify(event)}\n\n`

/** Tells a page that another tab of its browser has the stream now. */
export const REPLACED = 'event: replaced\ndata: {}\n\n'

/** A comment, which keeps proxies from closing a quiet connection and finds dead ones. */
export const STILL_HERE = ':\n\n'
