import type { Deps } from '../db/deps.ts'

/**
 * A handler in a transaction throws this before it writes anything, if its work needs transactions of its own, because it
 * changes another platform. The transaction is rolled back. The answer is recorded after the work, as with the policy
 * `beforeAnswer`.
 */
export class OutsideTransaction<Result = unknown> extends Error {
  readonly run: (deps: Deps) => Promise<Result>

  constructor(run: (deps: Deps) => Promise<Result>) {
    super('the work runs in transactions of its own')
    this.run = run
  }
}

/** Converts the result of work that may have to run in transactions of its own. */
export async function resultOf<Result, Converted>(
  work: Promise<Result>,
  convert: (result: Result) => Converted,
): Promise<Converted> {
  try {
    return convert(await work)
  } catch (error) {
    if (!(error instanceof OutsideTransaction)) throw error
    throw new OutsideTransaction(async (deps) => convert(await error.run(deps)))
  }
}
