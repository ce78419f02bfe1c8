-- Records an event that is not about a payment, and a delivery for each endpoint that subscribed to its type. Writes nothing if there is no
-- such endpoint. If several endpoints have the same URL, only one gets the event.
--
--   _body   the webhook body, byte for byte
--
-- Returns the endpoints that now have pending deliveries.
create or replace function record_event_v1(
  _platform_id uuid, _type text, _subject_id uuid, _id uuid, _body text, _now timestamptz
) returns uuid[] language plpgsql as $$
declare
  endpoint_ids uuid[]; -- ordered by URL
  are_disabled boolean[];
begin
  select array_agg(e.id order by e.url), array_agg(e.is_disabled order by e.url) into endpoint_ids, are_disabled
  from (
    select distinct on (url) id, url, disabled_at is not null as is_disabled
    from endpoints
    where platform_id = _platform_id and kind in ('endpoint', 'listener') and removed_at is null
      and _type = any (event_types)
    order by url, disabled_at is not null, created_at
  ) e;
  if endpoint_ids is null then
    return '{}';
  end if;
  insert into events (platform_id, id, type, subject_id, body, created_at)
  values (_platform_id, _id, _type, _subject_id, _body, _now);
  insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at)
  select _platform_id, e.id, _id, _subject_id, case when e.is_disabled then 'FAILED' else 'PENDING' end,
    case when not e.is_disabled then _now end
  from unnest(endpoint_ids, are_disabled) e (id, is_disabled);
  return array(select e.id from unnest(endpoint_ids, are_disabled) e (id, is_disabled) where not e.is_disabled);
end $$;
