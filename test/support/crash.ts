import type { Pool } from '../../src/foundation/db/connect.ts'
import type { Deps } from '../../src/foundation/db/deps.ts'
import { createFailures } from '../../src/foundation/db/step-failures.ts'

/** Thrown for a simulated crash of the process. */
export class Crash extends Error {}

/**
 * The place of the crash: before a statement of a transaction, after all of them but before the commit, or after the
 * first commit, before the process receives the confirmation.
 */
export type CrashPoint = { afterStatements: number } | 'before_commit' | 'after_commit'

/** Returns the service in a process that crashes, or whose database fails from then on. */
export function crashing(
  deps: Deps,
  crashPoint: CrashPoint,
  failureOf: (what: string) => Error = (what) => new Crash(what),
): Deps {
  let left = typeof crashPoint === 'string' ? Number.POSITIVE_INFINITY : crashPoint.afterStatements
  const begin: Deps['sql']['begin'] = async (work) => {
    const committed = await deps.sql.begin(async (sql) => {
      const result = await work(
        new Proxy(sql, {
          apply: (target, self, args) => {
            // A fragment is not a statement: only awaited calls count, and each is called once as a tag.
            if (Array.isArray(args[0]) && 'raw' in args[0] && left-- <= 0) throw failureOf('killed')
            return Reflect.apply(target as never, self, args)
          },
        }),
      )
      if (crashPoint === 'before_commit') throw failureOf('killed before the commit')
      return result
    })
    if (crashPoint !== 'after_commit') return committed
    left = 0
    throw failureOf('killed after the commit')
  }
  return {
    ...deps,
    failures: createFailures(),
    sql: Object.assign(
      new Proxy(deps.sql, { get: (pool, name) => (name === 'begin' ? begin : Reflect.get(pool, name)) }),
    ),
  }
}

/**
 * Returns the service with a database in which no statement of a transaction may name a platform. Messages to it are rows of the platform
 * that sends them.
 */
export function withoutPlatform(deps: Deps, platformId: string): Deps {
  const begin: Deps['sql']['begin'] = (work) =>
    deps.sql.begin((sql) =>
      work(
        new Proxy(sql, {
          apply: (target, self, args) => {
            const made: { text?: string; values?: unknown[] } = Reflect.apply(target as never, self, args)
            const isMessage = made.text?.includes('insert into outbox')
            if (!isMessage && made.values?.some((value) => String(value).includes(platformId)))
              throw new Error('this platform fails')
            return made
          },
        }),
      ),
    )
  const sql = new Proxy(deps.sql, { get: (pool, name) => (name === 'begin' ? begin : Reflect.get(pool, name)) })
  return { ...deps, failures: createFailures(), sql: Object.assign(sql) }
}

export const isCrash = (error: unknown): boolean =>
  error instanceof Crash || (error instanceof Error && error.cause instanceof Crash)

/**
 * Refuses the records of Idempotency-Keys while `work` runs, as if the process crashed between the effect and its
 * record. `onPlatform`: only those of one platform.
 */
export async function refusingRecords<Result>(
  ownerSql: Pool,
  work: () => Promise<Result>,
  { onPlatform = null }: { onPlatform?: string | null } = {},
): Promise<Result> {
  const which = onPlatform === null ? '' : `when (new.platform_id = '${onPlatform}')`
  await ownerSql`
    create function refuse_record() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$
  `
  await ownerSql.unsafe(
    `create trigger refuse_record before insert on idempotency_records for each row ${which} execute function refuse_record()`,
  )
  await ownerSql`grant execute on function refuse_record() to public`
  return work().finally(() => ownerSql.unsafe('drop function refuse_record() cascade'))
}
