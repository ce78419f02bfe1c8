-- Finds endpoints with a PENDING delivery, ordered by id. It takes one index lookup (deliveries_due) for each endpoint, however many
-- deliveries it has, and none for endpoints without any. Each statement names one platform, except for the search for the next platform.
--
--   _wanted      quick, slow: open endpoints of this lane that no live worker has leased, with a delivery that is due by the clock of their
--                platform. closed: removed and disabled endpoints.
--   _after_*     the endpoint to start after, or null
--   _answering   the platforms to search, or null for all of them
create or replace function waiting_endpoints_v1(
  _wanted text, _after_platform_id uuid, _after_id uuid, _now timestamptz, _real_now timestamptz, _skipped_platform_ids uuid[],
  _skipped_ids uuid[], _answering uuid[], _limit integer
) returns table (platform_id uuid, endpoint_id uuid) language plpgsql stable as $$
declare
  due_at timestamptz;
  clock_at timestamptz; -- of the platform; null until it is read
  found_count integer := 0;
  is_found boolean; -- on the same platform
begin
  platform_id := coalesce(_after_platform_id, '00000000-0000-0000-0000-000000000000');
  endpoint_id := coalesce(_after_id, '00000000-0000-0000-0000-000000000000');
  while found_count < _limit loop
    is_found := false;
    if _answering is null or platform_id = any (_answering) then
      select d.endpoint_id, d.next_attempt_at into endpoint_id, due_at
      from deliveries d
      where d.status = 'PENDING' and d.platform_id = waiting_endpoints_v1.platform_id
        and d.endpoint_id > waiting_endpoints_v1.endpoint_id
      order by d.endpoint_id, d.next_attempt_at, d.position
      limit 1;
      is_found := found;
    end if;
    if not is_found and _answering is not null then
      -- Citus asks only the nodes of the platforms that the statement names.
      select /* all platforms: finds work */
        d.platform_id, d.endpoint_id, d.next_attempt_at into platform_id, endpoint_id, due_at
      from deliveries d
      where d.status = 'PENDING' and d.platform_id > waiting_endpoints_v1.platform_id and d.platform_id = any (_answering)
      order by d.platform_id, d.endpoint_id, d.next_attempt_at, d.position
      limit 1;
      exit when not found;
      clock_at := null;
    elsif not is_found then
      select /* all platforms: finds work */
        d.platform_id, d.endpoint_id, d.next_attempt_at into platform_id, endpoint_id, due_at
      from deliveries d
      where d.status = 'PENDING' and d.platform_id > waiting_endpoints_v1.platform_id
      order by d.platform_id, d.endpoint_id, d.next_attempt_at, d.position
      limit 1;
      exit when not found;
      clock_at := null;
    end if;
    if platform_id = any (_skipped_platform_ids) then
      endpoint_id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
      continue;
    end if;
    continue when endpoint_id = any (_skipped_ids);
    if _wanted <> 'closed' and due_at > _now then
      clock_at := coalesce(clock_at, _now + platform_offset_v1(platform_id));
      continue when due_at > clock_at;
    end if;
    perform
    from endpoints e
    where e.platform_id = waiting_endpoints_v1.platform_id and e.id = waiting_endpoints_v1.endpoint_id
      and case
        when _wanted = 'closed' then e.removed_at is not null or e.disabled_at is not null
        else e.removed_at is null and e.disabled_at is null and e.kind <> 'listener' and e.is_slow = (_wanted = 'slow')
          and (e.leased_until is null or e.leased_until < _real_now)
      end;
    if found then
      found_count := found_count + 1;
      return next;
    end if;
  end loop;
end $$;
