import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { ApiError } from './errors.ts'

/** Runs jobs in a process of its own: what they decode can neither block this process nor end it. */
export type HelperProcess = {
  /** One job at a time. @throws JobProblem, or the error of the job */
  run(job: string, given: unknown): Promise<unknown>
  end(): void
}

/** The job took too long, or its process died. */
export class JobProblem extends ApiError {
  constructor() {
    super('overloaded')
  }
}

type Options = { file: URL; timeLimitMs: number; heapMiB: number; residentMiB: number; idleMs: number }
type Answer = { result: unknown } | { error: string }
type Child = { process: ChildProcess; isReady: Promise<unknown> }

/** Apart from the time limit of a job: on a busy machine a process takes seconds to start. */
const START_LIMIT_MS = 30_000

/**
 * The process starts with the first job. It ends after `idleMs` without one, or after a job that leaves it with more than
 * `residentMiB`, so that its memory goes back to the system.
 */
export function createHelperProcess({ file, timeLimitMs, heapMiB, residentMiB, idleMs }: Options): HelperProcess {
  let child: Child | null = null
  let idle: NodeJS.Timeout | undefined

  function start(): Child {
    // No environment and no output: the process gets no secrets and cannot log what it decodes.
    const started = fork(file, {
      execArgv: [`--max-old-space-size=${heapMiB}`, ...typeStripping],
      env: {},
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

/** As bin/remit.js does it for this process. */
const typeStripping = import.meta.url.includes('/node_modules/')
  ? ['--import', new URL('../../bin/strip-types.js', import.meta.url).href]
  : []

/** Where the system does not allow it, the process runs like any other. */
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

/** @throws JobProblem when none comes in time, or the process ends before */
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

/** In the helper process: answers its parent, and ends with it. */
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
}
