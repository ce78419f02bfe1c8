import type { Sql } from '../connect.ts'
import { onWorkers } from './on-workers.ts'
import type { ServiceRole } from './service-role.ts'
import { readSqlFunctions, type SqlFunction } from './sql-functions.ts'

// Citus plans each statement about a distributed table twice, for the table and for its shard, and keeps no plan. This takes most of the
// time of a payment. Therefore each worker also has a schema for each of its shards: views of the tables' shards, and copies of the
// functions that accept payments. There, these functions read and write the shard itself, and PostgreSQL keeps their plans.

/** The functions that run in the schema of a shard. The functions that they call are copied with them. */
const ENTRIES: readonly string[] = ['accept_payments_v1', 'accept_plain_payments_v1']
/** Functions that read rows of other platforms, which are in other shards. They read the distributed tables. */
const OF_OTHER_PLATFORMS: readonly string[] = ['payee_elsewhere_v1']

/**
 * Creates the schemas of all shards on each worker, in place of earlier ones. Calls that accept payments wait until it has ended.
 *
 * @throws StartProblem
 */
export async function createShardSchemas(sql: Sql, servedBy: ServiceRole | null): Promise<void> {
  const functions = withCalled(await readSqlFunctions())
  await onWorkers(
    sql,
    inBlock(`
      ${DROP_SCHEMAS}
      ${HOLD_SHARD}
      for shard in
        select s.shardid as id, s.shardminvalue as first_hash, format('remit_%s', s.shardid) as place
        from pg_dist_shard s
        join pg_dist_placement p using (shardid)
        join pg_dist_local_group using (groupid)
        where s.logicalrelid = 'public.users'::regclass
        order by s.shardid
      loop
        perform lock_shard_metadata(7, array[shard.id]); -- exclusive
        execute format('create schema %I', shard.place);
        perform set_config('search_path', format('%I, public', shard.place), true);
        ${CREATE_VIEWS}
        foreach definition in array array[${functions.map((one) => quoted(one.sql)).join(', ')}] loop
          execute definition;
        end loop;
        ${ENTRIES.map((name) => setSearchPath(name, `format('%I, public, pg_temp', shard.place)`)).join('\n')}
        ${OF_OTHER_PLATFORMS.map((name) => setSearchPath(name, `'public, pg_temp'`)).join('\n')}
        execute format('revoke execute on all functions in schema %I from public', shard.place);
      end loop;
      ${servedBy ? grantTo(servedBy.name) : ''}
    `),
  )
}

/** Drops the schemas of the shards on each worker. A migration needs this, because PostgreSQL does not change a column that a view has. */
export const dropShardSchemas = (sql: Sql): Promise<void> => onWorkers(sql, inBlock(DROP_SCHEMAS))

const inBlock = (statements: string): string => `
  do $do$
  declare
    place text;
    shard record;
    part record;
    numbered record;
    granted text;
    definition text;
  begin
    set local citus.enable_ddl_propagation = off;
    ${statements}
  end $do$
`

const ALL_PLACES = `select nspname from pg_namespace where nspname ~ '^remit_[0-9]+$' order by nspname`

/** Drops each schema after the calls that hold its shard have ended. */
const DROP_SCHEMAS = `
  for place in ${ALL_PLACES} loop
    perform lock_shard_metadata(7, array[shardid]) from pg_dist_shard where shardid = substr(place, 7)::bigint; -- exclusive
    execute format('drop schema %I cascade', place);
  end loop;
`

/**
 * Keeps the shard of some platforms on this worker until the end of the transaction, with the lock that a write by Citus takes. Returns its
 * schema, or null if the platforms have several shards, or if this worker does not have the shard or its schema.
 */
const HOLD_SHARD = `
  create or replace function public.hold_shard_v1(_platform_ids uuid[]) returns text language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $hold$
  declare
    shard_ids bigint[] := array(
      select distinct get_shard_id_for_distribution_column('public.users', p.id) from unnest(_platform_ids) p (id)
    );
  begin
    if cardinality(shard_ids) <> 1 then
      return null;
    end if;
    perform lock_shard_metadata(5, shard_ids); -- shared
    return (
      select format('remit_%s', p.shardid)
      from pg_dist_placement p
      join pg_dist_local_group g on g.groupid = p.groupid
      where p.shardid = shard_ids[1] and to_regclass(format('remit_%s.users', p.shardid)) is not null
    );
  end $hold$;
  revoke execute on function public.hold_shard_v1(uuid[]) from public;
`

/** Creates the views of a shard. They number new rows, because Citus does that in the distributed table. */
const CREATE_VIEWS = `
  for part in
    select c.oid as id, c.relname as name, shard_name(c.oid, s.shardid) as shard_table
    from pg_dist_shard s
    join pg_class c on c.oid = s.logicalrelid
    where c.relnamespace = 'public'::regnamespace
      and (s.shardminvalue = shard.first_hash or s.shardminvalue is null) -- null: each node has a copy of the table
  loop
    execute format('create view %I.%I as select * from %s', shard.place, part.name, part.shard_table);
    for numbered in
      select attname as name, pg_get_serial_sequence('public.' || quote_ident(part.name), attname) as sequence
      from pg_attribute
      where attrelid = part.id and attidentity <> ''
    loop
      execute format(
        'alter view %I.%I alter column %I set default nextval(%L)', shard.place, part.name, numbered.name, numbered.sequence
      );
    end loop;
  end loop;
`

/** Gives a role the rights on each view that it has on the table. */
const grantTo = (role: string): string => `
  grant execute on function public.hold_shard_v1(uuid[]) to "${role.replaceAll('"', '""')}";
  for place in ${ALL_PLACES} loop
    execute format('grant usage on schema %I to %I', place, ${quoted(role)});
    execute format('grant execute on all functions in schema %I to %I', place, ${quoted(role)});
    for part in select relname as name from pg_class where relnamespace = place::regnamespace loop
      foreach granted in array array['select', 'insert', 'update', 'delete'] loop
        if has_table_privilege(${quoted(role)}, 'public.' || quote_ident(part.name), granted) then
          execute format('grant %s on %I.%I to %I', granted, place, part.name, ${quoted(role)});
        end if;
      end loop;
    end loop;
  end loop;
`

/** Returns the functions that run in the schema of a shard, each after those that it calls. */
function withCalled(functions: readonly SqlFunction[]): SqlFunction[] {
  const chosen = new Set(ENTRIES)
  for (const { name, calls } of functions.toReversed()) if (chosen.has(name)) for (const one of calls) chosen.add(one)
  return functions.filter(({ name }) => chosen.has(name))
}

const setSearchPath = (name: string, path: string): string =>
  `execute format('alter function %I.${name} set search_path = %s', shard.place, ${path});`

const quoted = (text: string): string => `$text$${text}$text$`
