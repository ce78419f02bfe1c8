-- Records one event for each payment of a list, at the time of its last update, with a delivery for each endpoint of the
-- sender, the recipient, the owners of both platforms, and the application. A URL gets an event once, even if several
-- endpoints have it. An enabled endpoint is preferred.
--
-- Returns the endpoints with a delivery that is now due.
create or replace function record_payment_events_v1(_events payment_event[]) returns uuid[] language plpgsql as $$
declare
  due uuid[];
begin
  insert into events (platform_id, id, type, subject_id, body, created_at)
  select distinct party.platform_id, h.event_id, 'CHECK', (h.payment).id, h.body, (h.payment).updated_at
  from unnest(_events) h
  cross join lateral (
    values
      ((h.payment).platform_id), ((h.payment).recipient_platform_id), ((h.payment).application_platform_id)
  ) party (platform_id)
  where party.platform_id is not null;

  with listening as (
    select h.payment, h.event_id, e.platform_id, e.user_id, e.url, e.created_at, e.id,
      e.disabled_at is not null as is_disabled
    from unnest(_events) h
    cross join lateral (
      values
        ((h.payment).platform_id, (h.payment).sender_id),
        ((h.payment).platform_id, (h.payment).platform_id),
        ((h.payment).recipient_platform_id, (h.payment).recipient_id),
        ((h.payment).recipient_platform_id, (h.payment).recipient_platform_id)
    ) party (platform_id, user_id)
    join endpoints e on e.platform_id = party.platform_id and e.user_id = party.user_id
      and e.kind = 'webhook_uri' and e.removed_at is null
    union all
    select h.payment, h.event_id, e.platform_id, e.user_id, e.url, e.created_at, e.id, e.disabled_at is not null
    from unnest(_events) h
    join endpoints e on e.platform_id in ((h.payment).platform_id, (h.payment).recipient_platform_id)
      and e.kind in ('endpoint', 'listener') and e.removed_at is null and 'CHECK' = any (e.event_types)
    union all
    select h.payment, h.event_id, e.platform_id, e.user_id, e.url, e.created_at, e.id, false
    from unnest(_events) h
    cross join lateral (
      select platform_id, user_id, url, created_at, id
      from endpoints
      where platform_id = (h.payment).application_platform_id and removed_at is null
        and (
          (kind = 'application' and application_id = (h.payment).application_id)
          or (kind = 'webhook_uri' and user_id = (h.payment).application_platform_id)
        )
      order by kind = 'webhook_uri'
      limit 1
    ) e
  ),
  delivered as (
    insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at)
    select distinct on (l.event_id, l.platform_id, l.user_id, l.url)
      l.platform_id, l.id, l.event_id, (l.payment).id,
      case when l.is_disabled then 'FAILED' else 'PENDING' end,
      -- Each platform has its own clock.
      case when not l.is_disabled then
        (l.payment).updated_at - platform_offset_v1((l.payment).platform_id) + platform_offset_v1(l.platform_id)
      end
    from listening l
    order by l.event_id, l.platform_id, l.user_id, l.url, l.is_disabled, l.created_at
    returning endpoint_id, status
  )
  select array_agg(endpoint_id) filter (where status = 'PENDING') into due from delivered;
  return coalesce(due, '{}');
end $$;
