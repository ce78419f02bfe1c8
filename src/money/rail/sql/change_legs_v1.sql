-- Changes the statuses of legs by the state table, and adds the events to the histories of their payments. The caller must have locked the
-- payments or the banks that the legs belong to.
--
--   _changes   JSON array of the columns below, at most one for each payment and leg:
--                payment_id      null for a micro-deposit, which belongs to a bank
--                statuses        the expected statuses; with another one, the leg does not change
--                connection_id   the connection whose file a leg is sent in; null on simulated rails
--
-- Returns the ids of the legs that changed.
create or replace function change_legs_v1(_platform_id uuid, _changes json) returns uuid[]
language plpgsql set plan_cache_mode = force_generic_plan
-- These settings make PostgreSQL find each leg by its key, even with outdated statistics.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  changed record;
  changed_ids uuid[] := '{}';
begin
  for changed in
    update legs l
    set
      status = c.status, next_event = c.next_event, next_at = c.next_at, file_at = c.file_at, stopped_by = null, fate = c.fate,
      return_code = c.return_code,
      connection_id = case
        when c.event = 'send' then c.connection_id when c.event = 'recall' then null else l.connection_id
      end,
      sent_at = case when c.event = 'send' then c.changed_at when c.event = 'recall' then null else l.sent_at end,
      settled_at = case when c.event = 'settle' then c.changed_at else l.settled_at end,
      returned_at = case
        when c.event = 'return' then c.changed_at when c.event = 'reinstate' then null else l.returned_at
      end
    from json_to_recordset(_changes) as c (
      leg_id uuid, statuses text[], status text, event text, next_event text, next_at timestamptz, file_at timestamptz,
      fate text, return_code text, connection_id text, changed_at timestamptz
    )
    where l.platform_id = _platform_id and l.id = c.leg_id and l.status = any (c.statuses)
    returning l.id
  loop
    changed_ids := array_append(changed_ids, changed.id);
  end loop;

  insert into payment_history (
    platform_id, payment_id, position, kind, event, status, rail, return_code, leg_id, actor, actor_id, created_at, real_at
  )
  select
    _platform_id, c.payment_id,
    (
      select coalesce(max(h.position), 0) + 1
      from payment_history h
      where h.platform_id = _platform_id and h.payment_id = c.payment_id
    ),
    'leg', c.event, c.status, c.rail, c.return_code, c.leg_id, c.actor, c.actor_id, c.changed_at, c.real_at
  from json_to_recordset(_changes) as c (
    leg_id uuid, payment_id uuid, status text, event text, rail text, return_code text, actor text, actor_id text,
    changed_at timestamptz, real_at timestamptz
  )
  where c.payment_id is not null and c.leg_id = any (changed_ids);
  return changed_ids;
end $$;
