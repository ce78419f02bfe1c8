-- Lets PostgreSQL count the rows of small tables that have grown several times over since it last did so. It plans with these counts: with
-- old ones, a statement can take the wrong index and read thousands of rows to find one. Autovacuum comes up to a minute later.
-- Only the owner of a table can analyze it, so this function runs with the rights of its owner.
--
-- Begins no other table after a second, so that a restored database with large tables does not reach the time limit of a statement. The
-- next call goes on.
--
-- Returns the number of tables.
-- Locks: the tables, against other maintenance and changes of their columns. It leaves out a table that is locked like this.
create or replace function analyze_grown_tables_v1() returns integer language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
as $$
declare
  _table regclass;
  _count integer := 0;
begin
  for _table in
    select c.oid
    from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relowner = current_user::regrole
      and c.reltuples < 10000 and pg_stat_get_mod_since_analyze(c.oid) >= 100 + 2 * greatest(c.reltuples, 0)
    order by pg_stat_get_mod_since_analyze(c.oid) desc
  loop
    exit when clock_timestamp() > statement_timestamp() + interval '1 second';
    execute format('analyze (skip_locked) %s', _table);
    _count := _count + 1;
  end loop;
  return _count;
end $$;
