/** A page is unattended after this time without a key, a click or a touch. */
const ATTENDED_MS = 5 * 60_000
/** The time before the end of the session at which the person is warned. */
export const WARNED_MS = 2 * 60_000

let lastInputAt = Date.now()
let endsAt = Number.POSITIVE_INFINITY

for (const type of ['pointerdown', 'keydown', 'wheel']) {
  window.addEventListener(type, noteInput, { capture: true, passive: true })
}

function noteInput(): void {
  lastInputAt = Date.now()
}

/** Returns whether a person uses the page. Automatic requests of an unattended page do not keep the session alive. */
export const isAttended = (): boolean => Date.now() - lastInputAt < ATTENDED_MS

/** Stores when the session ends if it is not used. The service reports this time. */
export const setSessionSeconds = (seconds: number): void => {
  endsAt = Date.now() + seconds * 1_000
}

export const sessionEndsAt = (): number => endsAt

/** Returns whether the session ends soon or may have ended. The page then stays open, so that entered text is not lost. */
export const isSessionEnding = (): boolean => endsAt - Date.now() <= WARNED_MS
