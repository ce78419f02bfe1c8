import { type ChildProcess, fork } from 'node:child_process'
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { constants, setPriority } from 'node:os'
import { ApiError } from './errors.ts'

/** Runs jobs in a separate process, so that untrusted input can neither block nor crash this process. */
export type HelperProcess = {
  /** Runs one job at a time. @throws JobProblem, or the error of the job */
  run(job: string, given: unknown): Promise<unknown>
  end(): void
}

/** The job took too long, or its process ended. */
export class JobProblem extends ApiError {
  constructor() {
    super('overloaded')
  }
}

type Options = { file: URL; timeLimitMs: number; heapMiB: number; residentMiB: number; idleMs: number }
type Answer = { result: unknown } | { error: string }
type Child = { process: ChildProcess; isReady: Promise<unknown> }

/** Separate from the time limit of a job, because a process can take seconds to start on a busy machine. */
const START_LIMIT_MS = 30_000

/**
 * The process starts with the first job. It ends after `idleMs` without a job, or after a job that leaves it with more than
 * `residentMiB`, so that its memory is freed.
 */
export function createHelperProcess({ file, timeLimitMs, heapMiB, residentMiB, idleMs }: Options): HelperProcess {
  let child: Child | null = null
  let idle: NodeJS.Timeout | undefined

  function start(): Child {
    // Without settings and output, the process gets no secrets and cannot log decoded content.
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

/** The same type stripping as in bin/remit.js. */
const typeStripping = import.meta.url.includes('/node_modules/')
  ? ['--import', new URL('../../../bin/strip-types.js', import.meta.url).href]
  : []

/** The compile cache of Node.js, if this process has one: compiling takes half of the start. */
const cacheFolder = getCompileCacheDir()
const compileCache: Record<string, string> = cacheFolder === undefined ? {} : { NODE_COMPILE_CACHE: cacheFolder }

/** Where the system does not allow a lower priority, the process keeps the normal one. */
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

/** @throws JobProblem when no message arrives in time, or the process ends first */
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

/** Runs in the helper process: answers jobs of its parent, and ends when the parent does. */
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
  flushCompileCache() // its parent ends it with SIGKILL
}
