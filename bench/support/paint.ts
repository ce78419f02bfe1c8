import type { Page } from 'playwright-core'

// A string, because it runs in the page. Changes of the sandbox clock do not count, because no person causes them.
const watcher = `(() => {
  const state = { actedAt: 0, open: 0, asked: 0, isChanged: false, paintedAt: 0, quietFrames: 0 }
  window.paints = state
  for (const type of ['click', 'change', 'keydown']) {
    addEventListener(type, (event) => { state.actedAt = event.timeStamp }, true)
  }
  const send = window.fetch
  window.fetch = async (...given) => {
    state.open++
    state.asked++
    try {
      return await send(...given)
    } finally {
      state.open--
      state.quietFrames = 0
    }
  }
  const isClock = (node) =>
    (node instanceof Element ? node : node?.parentElement)?.closest('[aria-label="Sandbox clock"]') != null
  new MutationObserver((changes) => {
    if (!changes.every(({ target }) => isClock(target))) state.isChanged = true
  }).observe(document, { childList: true, characterData: true, attributes: true, subtree: true })
  const { port1, port2 } = new MessageChannel()
  // A message that is sent before a frame is painted arrives after it.
  port1.onmessage = () => {
    state.quietFrames = state.isChanged ? 0 : state.quietFrames + 1
    if (state.isChanged) state.paintedAt = performance.now()
    state.isChanged = false
  }
  const eachFrame = () => {
    port2.postMessage(null)
    requestAnimationFrame(eachFrame)
  }
  requestAnimationFrame(eachFrame)
})()`

/** Makes each page record the last click or key, the open requests, and the frame of its last change. */
export const watchPaints = (page: Page): Promise<unknown> => page.addInitScript({ content: watcher })

/** A page is complete after this many frames without a change or an open request. */
const QUIET_FRAMES = 15
/** If a page has not requested anything after this many frames, it had the answer in memory. */
const UNASKED_FRAMES = 60

/** @returns the milliseconds from the last click or key, or from the start of a new page, to the frame with the last change */
export async function untilPainted(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate('Object.assign(paints, { actedAt: 0, asked: 0, quietFrames: 0 })')
  await act()
  return page.evaluate<number>(complete)
}

const complete = `new Promise((done) => {
  const look = () => {
    const frames = paints.asked > 0 ? ${QUIET_FRAMES} : ${UNASKED_FRAMES}
    if (paints.open === 0 && paints.quietFrames >= frames) done(paints.paintedAt - paints.actedAt)
    else setTimeout(look, 20)
  }
  look()
})`
