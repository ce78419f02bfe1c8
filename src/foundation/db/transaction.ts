import { ApiError } from '../core/errors.ts'
import type { Pool, Sql } from './connect.ts'
import { classifyDatabaseError } from './trouble.ts'

/** The dependencies of actions in a transaction. */
export type InTransaction<Deps> = Omit<Deps, 'sql'> & {
  sql: Sql
  /** Registers an effect that runs after the commit. It does not run after a rollback. */
  afterCommit(effect: () => void): void
}

const RETRIES = 3

/**
 * Another transaction has changed rows since this one read them. `inTransaction` runs it again. `code`: the one with which PostgreSQL reports
 * the same (serialization_failure).
 */
export class OutdatedRead extends Error {
  readonly code = '40001'
}

/** Runs `work` in one transaction. Runs it again if a deadlock, an outdated read or a lost connection ended it before its commit. */
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
      if (retriesLeft === 0 || !['deadlock', 'interrupted'].includes(classifyDatabaseError(error))) throw error
      continue
    }
    for (const effect of effects) effect()
    return result
  }
}

/** Runs `work` in a transaction that is rolled back. Returns the result of `work`. */
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

/** The transactions that are inside a savepoint now. */
const inParts = new WeakSet<Sql>()

/**
 * Runs a part of a transaction in a savepoint. If the part fails, only it is rolled back, and the transaction can continue. No other
 * statement of the transaction may run at the same time, because it would be rolled back as well.
 */
export async function inSavepoint<Result>(sql: Sql, work: () => Promise<Result>): Promise<Result> {
  if (inParts.has(sql)) throw new Error('a savepoint of the transaction has not ended yet')
  inParts.add(sql)
  await sql`savepoint part`
  try {
    const result = await work()
    await sql`release savepoint part`
    return result
  } catch (error) {
    await sql`rollback to savepoint part`
    throw error
  } finally {
    inParts.delete(sql)
  }
}

/**
 * Runs `work` in one transaction. If `work` returns a refusal instead of throwing it, the changes commit, and then the refusal is thrown.
 */
export async function inTransactionOrRefused<Deps extends { sql: Pool }, Result>(
  deps: Deps,
  work: (deps: InTransaction<Deps>) => Promise<Result | ApiError>,
): Promise<Result> {
  const outcome = await inTransaction(deps, work)
  if (outcome instanceof ApiError) throw outcome
  return outcome
}
