import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

type LiveEvent = { type: 'payment.created' | 'payment.changed' | 'payments.changed'; id: string | null }

const RETRY_MS = 30_000
/** The shortest time between two refreshes of the numbers of Home. */
const NUMBERS_MS = 3_000
/** A page is refreshed this long after its stream opened, because changes before that are not in the stream. */
const FIRST_CHECK_MS = 2_000

let version = 0
let isOpen = false
const listeners = new Set<() => void>()

/** Returns a number that grows with each reported change of a payment. A list is outdated if it was loaded at a lower version. */
export const liveVersion = (): number => version

/** Returns whether the service reports changes by a stream. Otherwise pages poll. */
export const isLive = (): boolean => isOpen

export const useLiveVersion = (): number => useSyncExternalStore(subscribe, liveVersion)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Follows the payments of the platform while the page is visible. Each browser session has one stream, which the newest tab
 * replaces. Another tab opens it again when it gets the focus. All changes missed in between count as one change.
 *
 * @returns a function that closes the stream
 */
export function followPayments(queryClient: QueryClient, platform: string): () => void {
  let source: EventSource | null = null
  let retry: number | undefined
  let numbers: number | undefined
  let firstCheck: number | undefined
  let wasOpen = false

  const changed = (id: string | null) => {
    version++
    for (const listener of listeners) listener()
    for (const part of ['one', 'timeline']) {
      void queryClient.invalidateQueries({ queryKey: ['payments', part, ...(id === null ? [] : [id])] })
    }
  }
  const refreshNumbers = () => {
    numbers = undefined
    for (const part of ['summary', 'balance']) void queryClient.invalidateQueries({ queryKey: ['payments', part] })
  }
  const close = () => {
    window.clearTimeout(retry)
    source?.close()
    source = null
    isOpen = false
  }
  const open = () => {
    if (source || document.hidden) return
    window.clearTimeout(retry)
    source = new EventSource(`/web/v1/stream?platform=${platform}`)
    source.onopen = () => {
      isOpen = true
      if (wasOpen) changed(null)
      else firstCheck = window.setTimeout(changed, FIRST_CHECK_MS, null)
      wasOpen = true
    }
    source.onmessage = ({ data }) => {
      changed((JSON.parse(data) as LiveEvent).id)
      numbers ??= window.setTimeout(refreshNumbers, NUMBERS_MS)
    }
    source.addEventListener('replaced', close)
    source.onerror = () => {
      isOpen = false
      if (source?.readyState !== EventSource.CLOSED) return // the browser reconnects
      close()
      changed(null)
      retry = window.setTimeout(open, RETRY_MS)
    }
  }
  const followVisibility = () => (document.hidden ? close() : open())

  open()
  document.addEventListener('visibilitychange', followVisibility)
  window.addEventListener('focus', open)
  return () => {
    document.removeEventListener('visibilitychange', followVisibility)
    window.removeEventListener('focus', open)
    window.clearTimeout(numbers)
    window.clearTimeout(firstCheck)
    close()
  }
}
