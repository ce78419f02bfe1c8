import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// A helper is a process that answers its parent: the load generator, the webhook receiver, every yardstick. Like the service,
// each runs alone in its process.

// biome-ignore lint/suspicious/noExplicitAny: each helper says what its methods take and give
type Methods = Record<string, (given: any) => unknown>

export type Helper<M extends Methods> = {
  pid: number
  call<Name extends keyof M & string>(
    name: Name,
    ...given: Parameters<M[Name]> extends [] ? [] : [Parameters<M[Name]>[0]]
  ): Promise<Awaited<ReturnType<M[Name]>>>
  end(): Promise<void>
}

type Call = { id: number; name: string; given: unknown }
type Answer = { id: number; result?: unknown; problem?: string }

/** Starts `bench/<path>`, which calls `answerParent` with its methods. */
export function startHelper<M extends Methods>(path: string): Helper<M> {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url))
  const child = fork(file, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  child.on('message', ({ id, result, problem }: Answer) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (problem === undefined) call?.resolve(result)
    else call?.reject(new Error(`${path}: ${problem}`))
  })
  const exited = exitOf(child).then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`${path} has ended`))
  })
  return {
    pid: child.pid as number,
    call: (name, ...[given]) =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
        child.send({ id, name, given } satisfies Call)
      }),
    end: async () => {
      child.kill()
      await exited
    },
  }
}

const exitOf = (child: ChildProcess) => new Promise<void>((resolve) => child.once('exit', () => resolve()))

/** Runs in a helper: answers the parent's calls, and ends with it. */
export function answerParent(methods: Methods): void {
  process.on('message', async ({ id, name, given }: Call) => {
    try {
      process.send?.({ id, result: await methods[name]?.(given) } satisfies Answer)
    } catch (error) {
      process.send?.({ id, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.once('disconnect', () => process.exit())
}
