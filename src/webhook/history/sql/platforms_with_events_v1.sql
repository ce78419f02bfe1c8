-- Lists platforms with events after a given platform, ordered by id, and the oldest event of each. It takes one index lookup for each
-- platform.
create or replace function platforms_with_events_v1(_after uuid, _limit integer) returns table (platform_id uuid, oldest_id uuid)
language plpgsql stable as $$
begin
  platform_id := coalesce(_after, '00000000-0000-0000-0000-000000000000');
  for place in 1 .. _limit loop
    select /* all platforms: deletes old rows */
      e.platform_id, e.id into platform_id, oldest_id
    from events e
    where e.platform_id > platforms_with_events_v1.platform_id
    order by e.platform_id, e.id
    limit 1;
    exit when not found;
    return next;
  end loop;
end $$;
