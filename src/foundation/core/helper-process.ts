import { type ChildProcess, fork } from 'node:child_process'
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { constants, setPriority } from 'node:os'
import { ApiError } from './errors.ts'

/** Runs jobs in a separate process, so that untrusted input can neither block nor crash this process. */
export type HelperProcess = {
  /** Runs a job. Jobs run one at a time. @throws JobProblem, or the error of the job */
  run(job: string, given: unknown): Promise<unknown>
  end(): void
}

/** A job took too long, or its process ended. */
export class JobProblem extends ApiError {
  constructor() {
    super('overloaded')
  }
}

type Options = { file: URL; timeLimitMs: number; heapMiB: number; residentMiB: number; idleMs: number }
type Answer = { result: unknown } | { error: string }
type Child = { process: ChildProcess; isReady: Promise<unknown> }

/** The time limit for starting the process. It is separate from the limit of a job, because starting can take seconds on a busy machine. */
const START_LIMIT_MS = 30_000

/**
 * Creates a helper process. It starts with the first job. To free memory, it ends after `idleMs` without a job, or after a job that leaves
 * it with more than `residentMiB`.
 */
export function createHelperProcess({ file, timeLimitMs, heapMiB, residentMiB, idleMs }: Options): HelperProcess {
  let child: Child | null = null
  let idle: NodeJS.Timeout | undefined

  function start(): Child {
    // The process gets no settings and has no output, so that it has no secrets and cannot log decoded content.
    const started = fork(file, {
      execArgv: [`--max-old-space-size=${heapMiB}`, ...typeStripping],
      env: compileCache,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    started.unref()
    started.channel?.unref()
    yieldToThisProcess(started)
    return { process: started, isReady: nextMessage(started, START_LIMIT_MS) }
  }

  function end(): void {
    clearTimeout(idle)
    child?.process.kill('SIGKILL')
    child = null
  }

  async function run(job: string, given: unknown): Promise<unknown> {
    clearTimeout(idle)
    child ??= start()
    const { process: started, isReady } = child
    try {
      await isReady
      const { resident, ...answer } = await ask(started, { job, given }, timeLimitMs)
      if (resident > residentMiB * 2 ** 20) end()
      if ('error' in answer) throw new Error(`${job}: ${answer.error}`)
      return answer.result
    } catch (error) {
      if (error instanceof JobProblem) end()
      throw error
    } finally {
      idle = setTimeout(end, idleMs).unref()
    }
  }

  return { run, end }
}

/** Strips types in the same way as bin/remit.js. */
const typeStripping = import.meta.url.includes('/node_modules/')
  ? ['--import', new URL('../../../bin/strip-types.js', import.meta.url).href]
  : []

/** The compile cache of Node.js, if this process has one. Compiling takes half of the start time. */
const cacheFolder = getCompileCacheDir()
const compileCache: Record<string, string> = cacheFolder === undefined ? {} : { NODE_COMPILE_CACHE: cacheFolder }

/** Lowers the priority of the helper process, if the system allows it. */
function yieldToThisProcess({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
}

function ask(child: ChildProcess, request: object, timeLimitMs: number): Promise<Answer & { resident: number }> {
  const answer = nextMessage<Answer & { resident: number }>(child, timeLimitMs)
  child.send(request, (error) => error && child.kill('SIGKILL'))
  return answer
}

/** Waits for the next message of the process. @throws JobProblem if none arrives in time, or the process ends first */
function nextMessage<Message>(child: ChildProcess, timeLimitMs: number): Promise<Message> {
  return new Promise((resolve, reject) => {
    const fail = () => done(() => reject(new JobProblem()))
    const timer = setTimeout(fail, timeLimitMs)
    const take = (message: Message) => done(() => resolve(message))
    function done(settle: () => void) {
      clearTimeout(timer)
      child.off('message', take).off('exit', fail).off('error', fail)
      settle()
    }
    child.on('message', take).on('exit', fail).on('error', fail)
  })
}

/** Answers the jobs of the parent process. Runs in the helper process, which ends when its parent does. */
export function answerJobs(jobs: Record<string, (given: never) => Promise<unknown>>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', async ({ job, given }: { job: string; given: never }) => {
    const answer = await (jobs[job] as (given: never) => Promise<unknown>)(given).then(
      (result): Answer => ({ result }),
      (error): Answer => ({ error: String(error) }),
    )
    process.send?.({ ...answer, resident: process.memoryUsage.rss() })
  })
  process.send?.('ready')
  flushCompileCache() // flushed now, because the parent ends this process with SIGKILL
}
