-- Records events of payments or invoices, each on one platform, with a delivery for each endpoint of its users, of the platform and of the
-- application. A URL gets an event once, even if several endpoints have it. An enabled endpoint is preferred.
--
--   _platform_id   of all events, or null if they are of several
--   _type          CHECK or INVOICE
--
-- Returns whether a webhook is now due.
create or replace function deliver_payment_news_v1(_platform_id uuid, _news payment_news[], _type text) returns boolean
language plpgsql as $$
declare
  -- The platforms of the deliveries. Citus sends the rows of a common table expression to every node, even to one that
  -- is down.
  platform_ids uuid[];
  endpoint_ids uuid[];
  event_ids uuid[];
  subject_ids uuid[];
  due_ats timestamptz[]; -- null: the endpoint is disabled
begin
  insert into events (platform_id, id, type, subject_id, body, created_at)
  select n.platform_id, n.event_id, _type, n.payment_id, n.body, n.created_at
  from unnest(_news) n;

  select array_agg(l.platform_id), array_agg(l.id), array_agg(l.event_id), array_agg(l.payment_id),
    array_agg(case when not l.is_disabled then l.due_at end)
  into platform_ids, endpoint_ids, event_ids, subject_ids, due_ats
  from (
    select distinct on (l.event_id, l.platform_id, l.user_id, l.url)
      l.platform_id, l.id, l.event_id, l.payment_id, l.is_disabled, l.due_at
    from (
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
    ) l
    order by l.event_id, l.platform_id, l.user_id, l.url, l.is_disabled, l.created_at
  ) l;
  if endpoint_ids is null then
    return false;
  end if;
  insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at)
  select d.platform_id, d.endpoint_id, d.event_id, d.subject_id, case when d.due_at is null then 'FAILED' else 'PENDING' end, d.due_at
  from unnest(platform_ids, endpoint_ids, event_ids, subject_ids, due_ats) d (platform_id, endpoint_id, event_id, subject_id, due_at);
  return exists (select from unnest(due_ats) d (due_at) where d.due_at is not null);
end $$;
