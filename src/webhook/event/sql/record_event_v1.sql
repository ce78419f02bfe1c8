-- Records an event that is not about a payment, with a delivery for each endpoint that subscribed to its type. Without such an
-- endpoint nothing is written. A URL gets an event once, even if several endpoints have it.
--
--   _body   the webhook body, byte for byte
--
-- Returns the endpoints that now have pending deliveries.
create or replace function record_event_v1(
  _platform_id uuid, _type text, _subject_id uuid, _id uuid, _body text, _now timestamptz
) returns uuid[] language plpgsql as $$
declare
  due uuid[];
begin
  with asking as (
    select id, url, created_at, disabled_at is not null as is_disabled
    from endpoints
    where platform_id = _platform_id and kind in ('endpoint', 'listener') and removed_at is null
      and _type = any (event_types)
  ),
  happened as (
    insert into events (platform_id, id, type, subject_id, body, created_at)
    select _platform_id, _id, _type, _subject_id, _body, _now
    where exists (select from asking)
  ),
  delivered as (
    insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at)
    select distinct on (url)
      _platform_id, id, _id, _subject_id, case when is_disabled then 'FAILED' else 'PENDING' end,
      case when not is_disabled then _now end
    from asking
    order by url, is_disabled, created_at
    returning endpoint_id, status
  )
  select array_agg(endpoint_id) filter (where status = 'PENDING') into due from delivered;
  return coalesce(due, '{}');
end $$;
