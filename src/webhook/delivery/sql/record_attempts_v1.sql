-- Records attempts of deliveries and their effects. An attempt that is already recorded does not change.
--
--   _platform_id   on a cluster, the platform of all attempts; null on one server
--   _attempts      the columns of delivery_attempts, with request_headers as text and response_body in hex
--   _changes       the deliveries after their attempts: platform_id, endpoint_id, event_id, number, status, next_attempt_at
create or replace function record_attempts_v1(_platform_id uuid, _attempts json, _changes json) returns void
language plpgsql set plan_cache_mode = force_generic_plan
-- These settings make PostgreSQL find each delivery by its key, even with outdated statistics.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  -- Two statements instead of one with a common table expression: Citus would send its rows to every node, even to one that is down.
  insert into delivery_attempts (
    platform_id, endpoint_id, event_id, number, started_at, duration_ms, outcome, http_status, error, request_headers,
    response_body
  )
  select
    platform_id, endpoint_id, event_id, number, started_at, duration_ms, outcome, http_status, error, request_headers,
    decode(response_body, 'hex')
  from json_to_recordset(_attempts) as r (
    platform_id uuid, endpoint_id uuid, event_id uuid, number integer, started_at timestamptz, duration_ms integer,
    outcome text, http_status integer, error text, request_headers text, response_body text
  )
  on conflict (platform_id, endpoint_id, event_id, number) do nothing;

  -- Only PENDING deliveries have a `next_attempt_at`. `coalesce` prevents a plan that starts with an index of due deliveries: outdated
  -- statistics often say that none are due, and the plan would read all of them.
  if _platform_id is null then
    update deliveries d
    set status = r.status, attempt_count = r.number, next_attempt_at = r.next_attempt_at
    from json_to_recordset(_changes) as r (
      platform_id uuid, endpoint_id uuid, event_id uuid, number integer, status text, next_attempt_at timestamptz
    )
    where d.platform_id = r.platform_id and d.endpoint_id = r.endpoint_id and d.event_id = r.event_id
      and coalesce(d.next_attempt_at, '-infinity') > '-infinity' and d.attempt_count < r.number;
    return;
  end if;
  update deliveries d
  set status = r.status, attempt_count = r.number, next_attempt_at = r.next_attempt_at
  from json_to_recordset(_changes) as r (
    platform_id uuid, endpoint_id uuid, event_id uuid, number integer, status text, next_attempt_at timestamptz
  )
  where d.platform_id = _platform_id and d.platform_id = r.platform_id
    and d.endpoint_id = r.endpoint_id and d.event_id = r.event_id
    and coalesce(d.next_attempt_at, '-infinity') > '-infinity' and d.attempt_count < r.number;
end $$;
