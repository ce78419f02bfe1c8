// Defines the statuses of a delivery session, which sends the due webhooks of one leased endpoint. The status decides whether the session
// may send, and whether deliveries may be due that are not in its queue.

export const SESSION_STATUSES = [
  'CAUGHT_UP', //       the queue has all deliveries that were due at the last search
  'WOKEN', //           an event was written since the last search, perhaps for this endpoint
  'BEHIND', //          the last search filled the queue, so more deliveries may be due
  'SEARCHING', //       a search is running
  'SEARCHING_WOKEN', // a search is running, and an event was written since it started
  'STOPPING', //        sends nothing more and waits for the attempts in flight
  'STOPPING_SEARCH', // sends nothing more, and a search is still running
  'ENDED', //           the lease can be ended
] as const

export type SessionStatus = (typeof SESSION_STATUSES)[number]

/** The status to which each transition leads, by the current status. If the current status is missing, the transition has no effect. */
export const sessionTransitions = {
  // An event was written, perhaps for this endpoint.
  wake: {
    CAUGHT_UP: 'WOKEN',
    WOKEN: 'WOKEN',
    BEHIND: 'BEHIND',
    SEARCHING: 'SEARCHING_WOKEN',
    SEARCHING_WOKEN: 'SEARCHING_WOKEN',
  },
  // A search starts.
  search: { WOKEN: 'SEARCHING', BEHIND: 'SEARCHING' },
  // The search found all due deliveries.
  findAll: { SEARCHING: 'CAUGHT_UP', SEARCHING_WOKEN: 'WOKEN', STOPPING_SEARCH: 'STOPPING' },
  // The search filled the queue, so more deliveries may be due.
  findPart: { SEARCHING: 'BEHIND', SEARCHING_WOKEN: 'BEHIND', STOPPING_SEARCH: 'STOPPING' },
  // The lease is lost, the endpoint does not answer, the session took its maximum time, the process ends, or an error occurred.
  stop: {
    CAUGHT_UP: 'STOPPING',
    WOKEN: 'STOPPING',
    BEHIND: 'STOPPING',
    SEARCHING: 'STOPPING_SEARCH',
    SEARCHING_WOKEN: 'STOPPING_SEARCH',
    STOPPING: 'STOPPING',
    STOPPING_SEARCH: 'STOPPING_SEARCH',
  },
  // The queue is empty, or the session is stopping, and no attempt is in flight.
  end: { CAUGHT_UP: 'ENDED', STOPPING: 'ENDED' },
} as const satisfies Record<string, Partial<Record<SessionStatus, SessionStatus>>>

export type SessionTransition = keyof typeof sessionTransitions

/** The work of a session in each status. A session ends only if no attempt is in flight. */
export const sessionWork = {
  //                 sends          searches                          ends
  CAUGHT_UP: { isSending: true, searchesWhen: 'never', endsWhen: 'queueIsEmpty' },
  WOKEN: { isSending: true, searchesWhen: 'queueIsEmpty', endsWhen: 'never' },
  BEHIND: { isSending: true, searchesWhen: 'queueIsHalfEmpty', endsWhen: 'never' },
  SEARCHING: { isSending: true, searchesWhen: 'never', endsWhen: 'never' },
  SEARCHING_WOKEN: { isSending: true, searchesWhen: 'never', endsWhen: 'never' },
  STOPPING: { isSending: false, searchesWhen: 'never', endsWhen: 'always' },
  STOPPING_SEARCH: { isSending: false, searchesWhen: 'never', endsWhen: 'never' },
  ENDED: { isSending: false, searchesWhen: 'never', endsWhen: 'never' },
} as const satisfies Record<
  SessionStatus,
  {
    isSending: boolean
    searchesWhen: 'never' | 'queueIsEmpty' | 'queueIsHalfEmpty'
    endsWhen: 'never' | 'queueIsEmpty' | 'always'
  }
>

/** Returns the status after a transition. Returns the current status if the table has no entry for it. */
export function statusAfter(status: SessionStatus, transition: SessionTransition): SessionStatus {
  const row: Partial<Record<SessionStatus, SessionStatus>> = sessionTransitions[transition]
  return row[status] ?? status
}
