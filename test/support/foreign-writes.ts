import type { Pool } from '../../src/foundation/db/connect.ts'

export type ForeignWrite = { table: string; operation: string; row: Record<string, unknown> }

/** Records written rows that name a platform in any column. */
export type ForeignWrites = {
  /** The rows written since the last call, without the last use of a key, a grant or a session. */
  take(): Promise<ForeignWrite[]>
}

/** The request log also gets a row for a refused request, a little later. */
const IGNORED = 'request_log'

/**
 * Reading every row before and after each of thousands of requests would take minutes, so triggers record all writes.
 */
export async function noteForeignWrites(ownerSql: Pool, platformId: string): Promise<ForeignWrites> {
  await ownerSql.unsafe(`
    create table noted_writes (table_name text, operation text, written jsonb);
    create function note_write() returns trigger language plpgsql security definer as $$
    declare
      uses constant text[] := array['last_used_at', 'last_seen_at'];
      before jsonb := coalesce(to_jsonb(old), '{}') - uses;
      after jsonb := coalesce(to_jsonb(new), '{}') - uses;
    begin
      if before <> after and strpos(replace(before::text || after::text, '-', ''), '${platformId}') > 0 then
        insert into public.noted_writes values (tg_argv[0], tg_op, before || after);
      end if;
      return null;
    end $$
  `)
  const tables = await ownerSql<{ name: string }[]>`
    select t.relname::text as name
    from pg_class t
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
      and t.relname <> 'noted_writes' and not starts_with(t.relname, ${IGNORED})
  `
  const triggers = tables.map(
    ({ name }) => `
      create trigger note_write after insert or update or delete on ${name}
      for each row execute function note_write('${name}')`,
  )
  await ownerSql.unsafe(triggers.join(';'))
  return {
    take: () => ownerSql<ForeignWrite[]>`
      delete from noted_writes returning table_name as "table", operation, written as "row"
    `,
  }
}
