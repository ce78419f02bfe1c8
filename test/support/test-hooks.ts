import asyncHooks, { type AsyncHook } from 'node:async_hooks'

/**
 * The hooks with which node:test follows every promise, to find the suite of a test that is declared later. In CPU profiles
 * they were 9 % of a test process, so `run-in-turn.ts` disables them while tests run. This module must be loaded before node:test.
 */
export let testHooks: AsyncHook | null = null

const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  testHooks ??= hook
  return hook
}
