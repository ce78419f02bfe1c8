import { shownPlatform } from '../service-call.ts'

/** A request without an answer so far, or whose answer was lost. `content` is the content of the form as JSON. */
export type Pending = { key: string; content: string; isLost: boolean }

const PREFIX = 'remit-pending'

/** The largest content that survives a reload. Attachments can exceed it: the browser's storage has about 5 MB. */
const MAX_KEPT_LENGTH = 1_000_000

/** Pending requests by the name of their form: those in the browser's storage, and those that are too large for it. */
const pendings = new Map<string, Pending>()

const nameOf = (form: string): string => `${PREFIX} ${shownPlatform() ?? ''} ${form}`

/** Finds the request of a form whose outcome is still unknown, even after a reload of the page. */
export function findPending(form: string): Pending | null {
  const name = nameOf(form)
  return pendings.get(name) ?? parse(sessionStorage.getItem(name))
}

/** Returns whether this content was sent and its outcome is still unknown. */
export const isPending = (form: string, content: unknown): boolean =>
  findPending(form)?.content === JSON.stringify(content)

export function keepPending(form: string, pending: Pending): void {
  const name = nameOf(form)
  pendings.set(name, pending)
  if (pending.content.length <= MAX_KEPT_LENGTH) sessionStorage.setItem(name, JSON.stringify(pending))
}

export function forgetPending(form: string): void {
  pendings.delete(nameOf(form))
  sessionStorage.removeItem(nameOf(form))
}

/** Forgets all pending requests, so that the next person at this browser does not see them. */
export function forgetAllPending(): void {
  pendings.clear()
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name)
}

function parse(text: string | null): Pending | null {
  try {
    return text === null ? null : (JSON.parse(text) as Pending)
  } catch {
    return null
  }
}
