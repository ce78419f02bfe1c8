import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { SealedColumn } from '../../foundation/db/key-columns.ts'
import { isTenantTable } from '../../foundation/db/schema/distribution.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { isDatabaseDown } from '../../foundation/db/trouble.ts'
import {
  findPrimaryKey,
  type KeyedColumn,
  listValuesToReseal,
  type RowKey,
  removeTimeLimit,
  replaceSealed,
  type SealedValue,
} from './key-store.ts'

const VALUES_PER_BATCH = 200

/** A part of a rotation that failed. `platformId` is null when it belongs to no platform. It contains no secret. */
export type RotationFailure = { platformId: string | null; what: string; problem: string }

export type Rotation = {
  deps: Deps
  keyId: string
  tell(what: string, count: number): void
  fail(failure: RotationFailure, error?: unknown): void
}

/** Runs in a transaction without the usual time limit. */
export const withoutTimeLimit = <Result>(
  { deps, keyId }: Rotation,
  work: (tx: TxDeps, keyId: string) => Promise<Result>,
): Promise<Result> =>
  inTransaction(deps, async (tx) => {
    await removeTimeLimit(tx.sql)
    return work(tx, keyId)
  })

/** Seals the values of a column with the primary key. */
export async function resealColumn(rotation: Rotation, sealed: SealedColumn): Promise<void> {
  const column = { ...sealed, key: await findPrimaryKey(rotation.deps.sql, sealed.table) }
  const limit = column.isLong ? 1 : VALUES_PER_BATCH
  let after: RowKey | null = null
  let count = 0
  for (;;) {
    const batch: Batch = await resealBatch(rotation, column, { after, limit })
    for (const { value, error } of batch.failed) {
      const platformId = column.key[0]?.name === 'platform_id' ? (value.key[0] as string).replaceAll('-', '') : null
      const problem = `${column.table} ${value.key.join(' ')} cannot be sealed again`
      rotation.fail({ platformId, what: column.what, problem }, error)
    }
    count += batch.values.length - batch.failed.length
    if (batch.values.length < limit) break
    after = (batch.values.at(-1) as SealedValue).key
  }
  rotation.tell(column.what, count)
}

type FailedValue = { value: SealedValue; error: unknown }

type Batch = { values: SealedValue[]; failed: FailedValue[] }

/**
 * Reseals a batch in one transaction. If that fails, reseals the values one at a time. Always does so on a cluster, which cannot lock rows
 * of several platforms.
 */
async function resealBatch(
  rotation: Rotation,
  column: KeyedColumn,
  given: { after: RowKey | null; limit: number },
): Promise<Batch> {
  const { deps, keyId } = rotation
  if (deps.isDistributed && isTenantTable(column.table)) return resealAlone(rotation, column, given)
  try {
    return await withoutTimeLimit(rotation, async (tx) => {
      const values = await listValuesToReseal(tx.sql, column, { ...given, keyId, areLocked: true })
      return { values, failed: await resealEach(deps, column, values, (value) => replaceSealed(tx.sql, column, value)) }
    })
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    return resealAlone(rotation, column, given)
  }
}

/** Reseals each value in its own transaction. */
async function resealAlone(
  rotation: Rotation,
  column: KeyedColumn,
  given: { after: RowKey | null; limit: number },
): Promise<Batch> {
  const { deps, keyId } = rotation
  const values = await withoutTimeLimit(rotation, ({ sql }) =>
    listValuesToReseal(sql, column, { ...given, keyId, areLocked: false }),
  )
  const alone = (value: FreshValue) => inTransaction(deps, ({ sql }) => replaceSealed(sql, column, value))
  return { values, failed: await resealEach(deps, column, values, alone, { isAlone: true }) }
}

type FreshValue = SealedValue & { fresh: Buffer }

/** Reseals values. @returns the values that could not be opened and, with `isAlone`, those that could not be written */
async function resealEach(
  { keyRing }: Deps,
  column: KeyedColumn,
  values: readonly SealedValue[],
  replace: (value: FreshValue) => Promise<boolean>,
  { isAlone = false } = {},
): Promise<FailedValue[]> {
  const failed: FailedValue[] = []
  for (const value of values) {
    const fresh = resealed(keyRing, column, value.sealed)
    if (fresh instanceof Error) {
      failed.push({ value, error: fresh })
      continue
    }
    try {
      await replace({ ...value, fresh })
    } catch (error) {
      if (!isAlone || isDatabaseDown(error)) throw error
      failed.push({ value, error })
    }
  }
  return failed
}

/** Seals the value with the primary key for its original purpose. Returns an error if no purpose of the column opens it. */
function resealed(keyRing: Deps['keyRing'], { purposes }: SealedColumn, sealed: Buffer): Buffer | Error {
  let problem = new Error('it is sealed for nothing')
  for (const purpose of purposes) {
    try {
      return keyRing.seal(keyRing.open(sealed, purpose), purpose)
    } catch (error) {
      problem = error as Error
    }
  }
  return problem
}
