import type { Pool } from '../../src/foundation/db/connect.ts'
import type { Log } from '../../src/foundation/lib/log.ts'

/**
 * Makes PostgreSQL refuse changes to rows with a given column value, as if the rows were damaged.
 *
 * @returns a function that ends this
 */
export async function breakRows(
  sql: Pool,
  { table, column = 'platform_id', value }: { table: string; column?: string; value: string },
): Promise<() => Promise<void>> {
  const name = `broken_${++count}`
  await sql.unsafe(`
    create or replace function refuse_row() returns trigger language plpgsql as $$
    begin
      if replace(to_jsonb(case when tg_op = 'INSERT' then new else old end) ->> tg_argv[0], '-', '') = tg_argv[1] then
        raise exception 'this row is broken';
      end if;
      return case when tg_op = 'DELETE' then old else new end;
    end $$
  `)
  await sql.unsafe(`
    create trigger ${name} before insert or update or delete on ${table}
    for each row execute function refuse_row('${column}', '${value.replaceAll('-', '')}')
  `)
  return async () => {
    await sql.unsafe(`drop trigger ${name} on ${table}`)
  }
}

let count = 0

export type LogLine = Record<string, unknown> & { level: string; message: string }

/** A log whose lines can be read and are also forwarded to another log. */
export function readableLog(log: Log): Log & { lines: LogLine[] } {
  const lines: LogLine[] = []
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    lines.push({ ...fields, level, message })
    log[level](fields, message)
  }
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
