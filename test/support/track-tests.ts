import { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } from 'node:async_hooks'
import { createRequire } from 'node:module'

// node:test uses an async hook on each promise to know which test runs. The hook takes a fifth of the CPU of most files. An
// AsyncLocalStorage knows it too and costs nothing. This module must be imported before node:test, which reads the functions
// of node:async_hooks when it is loaded.

type Init = (asyncId: number, type: string, triggerAsyncId: number, resource: AsyncResource) => void

const running = new AsyncLocalStorage<number>()
let init: Init | null = null

/** The base class of the tests of node:test. */
class TrackedResource extends AsyncResource {
  constructor(...args: ConstructorParameters<typeof AsyncResource>) {
    super(...args)
    init?.(this.asyncId(), args[0], this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(
    fn: (this: This, ...args: never[]) => Result,
    thisArg?: This,
    ...args: never[]
  ): Result {
    return super.runInAsyncScope(() => running.run(this.asyncId(), () => fn.apply(thisArg as This, args)))
  }
}

const hooks = createRequire(import.meta.url)('node:async_hooks')
Object.assign(hooks, {
  AsyncResource: TrackedResource,
  executionAsyncId: () => running.getStore() ?? executionAsyncId(),
  createHook: (callbacks: { init: Init }) => ({
    enable: () => {
      init = callbacks.init
    },
    disable: () => {
      init = null
    },
  }),
})
await import('node:test')
Object.assign(hooks, { AsyncResource, executionAsyncId, createHook })
