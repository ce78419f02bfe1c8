import { forgetAllPending } from '../form/pending.ts'

/** Reloads the page, so that no data of the owner stays in memory or in the storage of the browser. */
export function leaveSignedOut(): void {
  forgetAllPending()
  window.location.assign('/sign-in')
}
