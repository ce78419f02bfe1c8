/** Without a key, a click or a touch for so long, nobody is at the page. */
const ATTENDED_MS = 5 * 60_000
/** The person is warned so long before the session ends. */
export const WARNED_MS = 2 * 60_000

let lastInputAt = Date.now()
let endsAt = Number.POSITIVE_INFINITY

for (const type of ['pointerdown', 'keydown', 'wheel']) {
  window.addEventListener(type, noteInput, { capture: true, passive: true })
}

function noteInput(): void {
  lastInputAt = Date.now()
}

/** Whether somebody uses the page. What it asks by itself keeps no session alive. */
export const isAttended = (): boolean => Date.now() - lastInputAt < ATTENDED_MS

/** The service has said when the session ends if nobody uses it until then. */
export const setSessionSeconds = (seconds: number): void => {
  endsAt = Date.now() + seconds * 1_000
}

export const sessionEndsAt = (): number => endsAt

/** Whether the session ends soon, or may have ended because nobody used it. Then the page stays, with what was entered. */
export const isSessionEnding = (): boolean => endsAt - Date.now() <= WARNED_MS
