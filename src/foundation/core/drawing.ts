import { createFairQueue } from '../lib/concurrency/fair-queue.ts'
import { ApiError } from './errors.ts'
import { createHelperProcess, type HelperProcess } from './helper-process.ts'

/** The jobs that `app/drawing-process.ts` does. */
export type DrawingJob = 'imagePage' | 'isDrawable' | 'check' | 'checkPicture' | 'invoice' | 'receipt' | 'monthReport'

/** Decodes and draws in a separate process, one job at a time. Platforms are served in turn. */
export type Drawing = {
  /**
   * Runs `work` when it is the platform's turn. `bytes`: the memory that the caller holds while it waits.
   *
   * @throws ApiError overloaded, rate_limited
   */
  schedule<T>(given: { platformId: string; bytes?: number }, work: (run: RunJob) => Promise<T>): Promise<T>
  end(): void
}

/** Runs a job in the drawing process. @throws JobProblem */
export type RunJob = <Result>(job: DrawingJob, given: unknown) => Promise<Result>

/** The drawing queues. Uploaded images and checks have separate ones, so that they do not delay each other. */
export type Drawings = { images: Drawing; paper: Drawing }

const MIB = 2 ** 20
const MAX_WAITING = 64
const MAX_WAITING_BYTES = 64 * MIB
const RETRY_AFTER_SECONDS = 2

export const createDrawings = (file: URL): Drawings => ({
  images: createDrawing(file, { maxWaitingPerPlatform: 8 }), // a job takes up to two seconds
  paper: createDrawing(file, { maxWaitingPerPlatform: 32 }), // a job takes about 50 ms
})

function createDrawing(file: URL, { maxWaitingPerPlatform }: { maxWaitingPerPlatform: number }): Drawing {
  const helper: HelperProcess = createHelperProcess({
    file,
    timeLimitMs: 30_000,
    heapMiB: 256,
    residentMiB: 384,
    idleMs: 10_000,
  })
  const queue = createFairQueue({
    maxWaiting: MAX_WAITING,
    maxWaitingPerKey: maxWaitingPerPlatform,
    maxWaitingBytes: MAX_WAITING_BYTES,
    whenFull: () => new ApiError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS }),
    whenKeyFull: () =>
      new ApiError('rate_limited', {
        message: 'Too many images at once. Wait for your earlier requests to finish.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
  })
  return {
    schedule: ({ platformId, bytes = 0 }, work) => queue(platformId, bytes, () => work(helper.run as RunJob)),
    end: helper.end,
  }
}
