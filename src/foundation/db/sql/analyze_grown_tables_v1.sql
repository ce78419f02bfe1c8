-- Updates the statistics of small tables whose size has at least tripled since the last analyze. With outdated statistics, a statement can
-- use the wrong index and read thousands of rows to find one. Autovacuum handles large tables, and small ones only up to a minute later.
-- Only the owner of a table can analyze it, so this function runs with the rights of its owner.
--
-- Stops after one second, far from the time limit of a statement. The next call continues.
--
-- Returns the number of analyzed tables.
-- Locks: each table, against maintenance and changes of its columns. Tables that are already locked in this way are skipped.
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
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and pg_get_userbyid(c.relowner) = current_user
      and pg_stat_get_live_tuples(c.oid) >= 100 + 3 * greatest(c.reltuples, 0) and pg_relation_size(c.oid) < 100 * 1024 * 1024
    order by pg_stat_get_live_tuples(c.oid) desc
  loop
    exit when clock_timestamp() > statement_timestamp() + interval '1 second';
    execute format('analyze (skip_locked) %s', _table);
    _count := _count + 1;
  end loop;
  return _count;
end $$;
