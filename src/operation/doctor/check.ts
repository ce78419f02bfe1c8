import type { EnvironmentName } from '../../foundation/core/environment.ts'
import { type Finding, failure, type Verdict } from './finding-rules.ts'

/** A check that only reads. It may return several verdicts, for example one for each folder. */
export type Check<Context> = { id: string; run(context: Context): Verdict | Verdict[] | Promise<Verdict | Verdict[]> }

/** The milliseconds after which a check has failed. */
const TIME_LIMIT_MS = 8_000

/** Runs checks at the same time. An error in a check counts as a failure of this check only. */
export async function runChecks<Context>(
  checks: readonly Check<Context>[],
  context: Context,
  environment: EnvironmentName | null,
): Promise<Finding[]> {
  const findings = await Promise.all(
    checks.map(async ({ id, run }) =>
      [await withinTime(async () => run(context))].flat().map((verdict) => ({ id, environment, ...verdict })),
    ),
  )
  return findings.flat()
}

async function withinTime(run: () => Promise<Verdict | Verdict[]>): Promise<Verdict | Verdict[]> {
  const { promise: timeout, resolve } = Promise.withResolvers<Verdict>()
  const timer = setTimeout(() => {
    resolve(
      failure(
        `No answer within ${TIME_LIMIT_MS / 1_000} seconds.`,
        'Check the network and the load of the server, then try again.',
      ),
    )
  }, TIME_LIMIT_MS)
  try {
    return await Promise.race([run(), timeout])
  } catch (error) {
    return failure(`The check failed: ${(error as Error).message}`, 'Fix the cause, then run remit doctor again.')
  } finally {
    clearTimeout(timer)
  }
}
