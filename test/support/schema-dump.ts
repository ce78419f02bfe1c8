import type { Sql } from '../../src/foundation/db/connect.ts'

/** The schema as SQL, read from the catalogs, because embedded PostgreSQL contains no pg_dump. */
export async function dumpSchema(sql: Sql): Promise<string> {
  const parts = [...(await tables(sql)), ...(await types(sql)), ...(await indexes(sql)), ...(await functions(sql))]
  return `${parts.join('\n\n')}\n`
}

async function tables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string; options: string | null; partitions: string | null; lines: string[] }[]>`
    select
      c.relname as name,
      coalesce('partition by ' || pg_get_partkeydef(c.oid), pg_get_expr(c.relpartbound, c.oid)) as partitions,
      array_to_string(c.reloptions, ', ') as options,
      array(
        select
          a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
            || case when a.attnotnull then ' not null' else '' end
            || case when a.attidentity = 'a' then ' generated always as identity' else '' end
            || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
        from pg_attribute a
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        order by a.attnum
      ) || array(
        select 'constraint ' || o.conname || ' ' || pg_get_constraintdef(o.oid)
        from pg_constraint o
        where o.conrelid = c.oid and o.contype <> 'n'
        order by o.contype desc, o.conname
      ) as lines
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname
  `
  return rows.map(
    ({ name, options, partitions, lines }) =>
      `create table ${name} (\n  ${lines.join(',\n  ')}\n)${partitions ? ` ${partitions}` : ''}${options ? ` with (${options})` : ''};`,
  )
}

async function types(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string; fields: string[] }[]>`
    select
      c.relname as name,
      array(
        select a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        order by a.attnum
      ) as fields
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'c'
    order by c.relname
  `
  return rows.map(({ name, fields }) => `create type ${name} as (${fields.join(', ')});`)
}

async function indexes(sql: Sql): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace
      and not exists (select 1 from pg_constraint o where o.conindid = i.indexrelid)
    order by c.relname
  `
  return rows.map(({ definition }) => `${definition};`)
}

async function functions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select pg_get_functiondef(p.oid) as definition
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
    order by p.proname
  `
  return rows.map(({ definition }) => `${definition.trim()};`)
}
