import { createTurns } from '../lib/concurrency/turns.ts'
import { ApiError } from './errors.ts'
import { createHelperProcess, type HelperProcess } from './helper-process.ts'

/** What `app/drawing-process.ts` can do. */
export type DrawingJob = 'imagePage' | 'isDrawable' | 'check' | 'checkPicture'

/** Decodes and draws in a process of its own, one job at a time, with turns among the platforms. */
export type Drawing = {
  /**
   * Runs `work` when it is the turn of the platform. `bytes`: the memory that it holds while it waits.
   *
   * @throws ApiError overloaded, rate_limited
   */
  inTurn<T>(given: { platformId: string; bytes?: number }, work: (run: RunJob) => Promise<T>): Promise<T>
  end(): void
}

/** @throws JobProblem */
export type RunJob = <Result>(job: DrawingJob, given: unknown) => Promise<Result>

/** Images that platforms send, and paper that they see or take: neither waits for the other. */
export type Drawings = { images: Drawing; paper: Drawing }

const MIB = 2 ** 20
const MAX_WAITING = 64
const MAX_WAITING_BYTES = 64 * MIB
const RETRY_AFTER_SECONDS = 2

export const createDrawings = (file: URL): Drawings => ({
  images: createDrawing(file, { maxWaitingPerPlatform: 8 }), // up to two seconds each
  paper: createDrawing(file, { maxWaitingPerPlatform: 32 }), // some 50 ms each
})

function createDrawing(file: URL, { maxWaitingPerPlatform }: { maxWaitingPerPlatform: number }): Drawing {
  const helper: HelperProcess = createHelperProcess({
    file,
    timeLimitMs: 30_000,
    heapMiB: 256,
    residentMiB: 384,
    idleMs: 10_000,
  })
  const turns = createTurns({
    maxWaiting: MAX_WAITING,
    maxWaitingPerKey: maxWaitingPerPlatform,
    maxWaitingBytes: MAX_WAITING_BYTES,
    whenFull: () => new ApiError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS }),
    whenKeyFull: () =>
      new ApiError('rate_limited', {
        message: 'Too many images at once. Wait for the answers to earlier requests.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
  })
  return {
    inTurn: ({ platformId, bytes = 0 }, work) => turns(platformId, bytes, () => work(helper.run as RunJob)),
    end: helper.end,
  }
}
