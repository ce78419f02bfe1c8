import type { Deps, TxDeps } from '../db/deps.ts'

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

/**
 * A handler in a transaction throws this before it writes anything, if the first part of its work needs none, such as the decoding of
 * an image. `prepare` returns the other part, which runs in the transaction that records the answer.
 */
export class OutsideFirst<Result = unknown> extends Error {
  readonly prepare: (deps: Deps) => Promise<(tx: TxDeps) => Promise<Result>>

  constructor(prepare: (deps: Deps) => Promise<(tx: TxDeps) => Promise<Result>>) {
    super('the first part of the work runs in no transaction')
    this.prepare = prepare
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
    if (error instanceof OutsideFirst) {
      throw new OutsideFirst(async (deps) => {
        const rest = await error.prepare(deps)
        return async (tx) => convert((await rest(tx)) as Result)
      })
    }
    if (!(error instanceof OutsideTransaction)) throw error
    throw new OutsideTransaction(async (deps) => convert(await error.run(deps)))
  }
}
