-- Records events of payments or invoices, each on one platform, with a delivery for each endpoint of its users, of the platform and of the
-- application. A URL gets an event once, even if several endpoints have it. An enabled endpoint is preferred.
--
--   _platform_id   of all events, or null if they are of several
--   _type          CHECK or INVOICE
--
-- Returns whether a webhook is now due.
create or replace function deliver_payment_news_v2(_platform_id uuid, _news payment_news[], _type text) returns boolean
language plpgsql as $$
declare
  is_due boolean;
begin
  insert into events (platform_id, id, type, subject_id, body, created_at)
  select n.platform_id, n.event_id, _type, n.payment_id, n.body, n.created_at
  from unnest(_news) n;

  with listening as (
    select n.event_id, n.payment_id, n.due_at, e.platform_id, e.user_id, e.url, e.created_at, e.id,
      e.disabled_at is not null as is_disabled
    from unnest(_news) n
    cross join lateral unnest(n.user_ids) party (user_id)
    join endpoints e on e.platform_id = coalesce(_platform_id, n.platform_id) and e.user_id = party.user_id
      and e.kind = 'webhook_uri' and e.removed_at is null
    union all
    select n.event_id, n.payment_id, n.due_at, e.platform_id, e.user_id, e.url, e.created_at, e.id, e.disabled_at is not null
    from unnest(_news) n
    join endpoints e on e.platform_id = coalesce(_platform_id, n.platform_id) and e.kind in ('endpoint', 'listener') and e.removed_at is null
      and _type = any (e.event_types)
    where n.user_ids is not null
    union all
    select n.event_id, n.payment_id, n.due_at, e.platform_id, e.user_id, e.url, e.created_at, e.id, false
    from unnest(_news) n
    cross join lateral (
      select platform_id, user_id, url, created_at, id
      from endpoints
      where platform_id = coalesce(_platform_id, n.platform_id) and removed_at is null
        and (
          (kind = 'application' and application_id = n.application_id)
          or (kind = 'webhook_uri' and user_id = n.platform_id)
        )
      order by kind = 'webhook_uri'
      limit 1
    ) e
    where n.application_id is not null
  ),
  delivered as (
    insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at)
    select distinct on (l.event_id, l.platform_id, l.user_id, l.url)
      l.platform_id, l.id, l.event_id, l.payment_id,
      case when l.is_disabled then 'FAILED' else 'PENDING' end,
      case when not l.is_disabled then l.due_at end
    from listening l
    order by l.event_id, l.platform_id, l.user_id, l.url, l.is_disabled, l.created_at
    returning status
  )
  select coalesce(bool_or(d.status = 'PENDING'), false) into is_due from delivered d;
  return is_due;
end $$;
