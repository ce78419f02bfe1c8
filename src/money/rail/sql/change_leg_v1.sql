-- Changes the status of a leg by one row of the state table, and adds the event to the history of its payment. The caller must have locked
-- the payment or the bank that the leg belongs to.
--
--   _payment_id     null for a micro-deposit, which belongs to a bank
--   _connection_id  the connection whose file a leg is sent in; null on simulated rails
--
-- Returns false if the leg's status does not allow the event.
create or replace function change_leg_v1(
  _platform_id uuid, _leg_id uuid, _payment_id uuid, _from text[], _to text, _event text, _next_event text,
  _next_at timestamptz, _file_at timestamptz, _fate text, _return_code text, _connection_id text, _actor text, _actor_id text,
  _now timestamptz, _real_now timestamptz
) returns boolean language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  _rail text;
begin
  update legs
  set
    status = _to, next_event = _next_event, next_at = _next_at, file_at = _file_at, stopped_by = null, fate = _fate,
    return_code = _return_code,
    connection_id = case
      when _event = 'send' then _connection_id when _event = 'recall' then null else connection_id
    end,
    sent_at = case when _event = 'send' then _now when _event = 'recall' then null else sent_at end,
    settled_at = case when _event = 'settle' then _now else settled_at end,
    returned_at = case when _event = 'return' then _now else returned_at end
  where platform_id = _platform_id and id = _leg_id and status = any (_from)
  returning rail into _rail;
  if not found then
    return false;
  end if;
  if _payment_id is not null then
    insert into payment_history (
      platform_id, payment_id, position, kind, event, status, rail, return_code, leg_id, actor, actor_id, created_at, real_at
    )
    select
      _platform_id, _payment_id, coalesce(max(h.position), 0) + 1, 'leg', _event, _to, _rail, _return_code, _leg_id,
      _actor, _actor_id, _now, _real_now
    from payment_history h
    where h.platform_id = _platform_id and h.payment_id = _payment_id;
  end if;
  return true;
end $$;
