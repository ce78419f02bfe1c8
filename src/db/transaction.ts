import { ApiError } from '../core/errors.ts'
import type { Pool, Sql } from './connect.ts'
import { troubleOf } from './trouble.ts'

/** What a transaction gives to the actions that run in it, beside what they had. */
export type InTransaction<Deps> = Omit<Deps, 'sql'> & {
  sql: Sql
  /** Runs after the commit, not at all after a rollback. */
  afterCommit(effect: () => void): void
}

const RETRIES = 3

/** Runs `work` in one transaction. One that a deadlock or a lost connection ended before its commit is tried again. */
export async function inTransaction<Deps extends { sql: Pool }, Result>(
  deps: Deps,
  work: (deps: InTransaction<Deps>) => Promise<Result>,
): Promise<Result> {
  for (let retriesLeft = RETRIES; ; retriesLeft--) {
    const effects: (() => void)[] = []
    let result: Result
    try {
      result = await deps.sql.begin((sql) => work({ ...deps, sql, afterCommit: (effect) => void effects.push(effect) }))
    } catch (error) {
      if (retriesLeft === 0 || !['deadlock', 'interrupted'].includes(troubleOf(error))) throw error
      continue
    }
    for (const effect of effects) effect()
    return result
  }
}

/** Runs `work`, gives what came of it, and undoes what it did. */
export async function inUndoneTransaction<Deps extends { sql: Pool }, Result>(
  deps: Deps,
  work: (deps: InTransaction<Deps>) => Promise<Result>,
): Promise<Result> {
  let done: { result: Result } | undefined
  const undo = new Error('undone')
  await inTransaction(deps, async (tx) => {
    done = { result: await work(tx) }
    throw undo
  }).catch((error) => {
    if (error !== undo) throw error
  })
  return (done as { result: Result }).result
}

/** Runs a part of a transaction, one at a time: if it fails, what it did is undone, and the transaction can go on. */
export async function inSavepoint<Result>(sql: Sql, work: () => Promise<Result>): Promise<Result> {
  await sql`savepoint part`
  try {
    const result = await work()
    await sql`release savepoint part`
    return result
  } catch (error) {
    await sql`rollback to savepoint part`
    throw error
  }
}

/** As `inTransaction`, but a refusal that `work` returns instead of throwing it commits what was done and is thrown then. */
export async function inTransactionOrRefused<Deps extends { sql: Pool }, Result>(
  deps: Deps,
  work: (deps: InTransaction<Deps>) => Promise<Result | ApiError>,
): Promise<Result> {
  const outcome = await inTransaction(deps, work)
  if (outcome instanceof ApiError) throw outcome
  return outcome
}
