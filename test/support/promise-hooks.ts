import { type AsyncHook, createHook } from 'node:async_hooks'

// node:test follows each promise of a process with hooks of async_hooks, to know in which suite a test is declared. Running tests do not
// need this, and with it each promise of the service costs more CPU.

const hooks = new Set<AsyncHook>()
const prototype = Object.getPrototypeOf(createHook({})) as AsyncHook
const { enable } = prototype
prototype.enable = function () {
  hooks.add(this)
  return enable.call(this)
}

/** Errors outside of tests still fail the run, but name no test. */
export function ignorePromises(): void {
  for (const hook of hooks) hook.disable()
}

export function followPromises(): void {
  for (const hook of hooks) enable.call(hook)
}
