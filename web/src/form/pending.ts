import { shownPlatform } from '../service-call.ts'

/** A request that is under way, or whose answer was lost. `content` is the JSON of what is sent. */
export type Pending = { key: string; content: string; isLost: boolean }

const PREFIX = 'remit-pending'

/** Larger contents, with an attachment, are not kept over a reload: the browser's storage has about 5 MB. */
const MAX_KEPT_LENGTH = 1_000_000

/** By the name of its form. The same as in the storage, and those that are too large for it. */
const pendings = new Map<string, Pending>()

const nameOf = (form: string): string => `${PREFIX} ${shownPlatform() ?? ''} ${form}`

/** The request of a form whose outcome is not known yet, also after a reload of the page. */
export function findPending(form: string): Pending | null {
  const name = nameOf(form)
  return pendings.get(name) ?? parse(sessionStorage.getItem(name))
}

/** Whether this content was sent, and its outcome is not known yet. */
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

/** Whoever uses this browser next sees nothing of what was sent. */
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
