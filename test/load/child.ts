import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// A child process that answers requests: the receiver, the bare loop.

// biome-ignore lint/suspicious/noExplicitAny: each child says what its methods take
type Methods = Record<string, (given: any) => unknown>

export type Child<M extends Methods> = {
  pid: number
  ask<Name extends keyof M & string>(name: Name, ...given: Parameters<M[Name]>): Promise<Awaited<ReturnType<M[Name]>>>
  end(): void
}

/** Starts `test/load/<file>`, which calls `answer` with its methods. */
export function startChild<M extends Methods>(file: string): Child<M> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child: ChildProcess = fork(path, { serialization: 'advanced' })
  const waiting = new Map<number, (value: never) => void>()
  let lastId = 0
  child.on('message', ({ id, result }: { id: number; result: never }) => {
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  return {
    pid: child.pid as number,
    ask: (name, ...[given]) =>
      new Promise((resolve) => {
        waiting.set(++lastId, resolve)
        child.send({ id: lastId, name, given })
      }),
    end: () => void child.kill('SIGKILL'),
  }
}

/** Runs in the child: answers the parent and ends with it. */
export function answer(methods: Methods): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async ({ id, name, given }: { id: number; name: string; given: unknown }) => {
    process.send?.({ id, result: await methods[name]?.(given) })
  })
}
