-- Endpoints that owners make beside the URLs of users and applications, each with the types of events that it asks for;
-- `listener`: one that fetches its events itself (remit listen).
alter table endpoints
  add column name text,
  add column event_types text[],
  add column disabled_at timestamptz,                     -- what happens from then on is kept as failed deliveries
  add column disabled_reason text check (disabled_reason in ('OWNER', 'GONE', 'FAILING')),
  add column failing_since timestamptz,                   -- the first failed attempt since the last success
  add column warned_at timestamptz,                       -- the owner was told that it fails
  add column is_slow boolean not null default false,      -- did not answer in time: kept apart from those that do
  drop constraint endpoints_kind_check,
  add constraint endpoints_kind_check check (kind in ('webhook_uri', 'application', 'endpoint', 'listener')),
  add check ((kind in ('endpoint', 'listener')) = (event_types is not null)),
  add check ((disabled_at is null) = (disabled_reason is null));

-- Those of an owner that ask for a type of event.
create index endpoints_asking on endpoints (platform_id)
where kind in ('endpoint', 'listener') and removed_at is null;

-- Those whose owner is to be told, or which are to be disabled.
create index endpoints_failing on endpoints (failing_since)
where kind = 'endpoint' and removed_at is null and disabled_at is null and failing_since is not null;

-- Those that go when nothing is left of their deliveries.
create index endpoints_removed on endpoints (removed_at) where removed_at is not null;

-- Listeners that do not poll any more.
create index endpoints_silent on endpoints (leased_until) where kind = 'listener' and removed_at is null;

-- The key before the last rotation signs beside the new one until `webhook_key_rotated_at` + 24 h, real time.
alter table users
  add column previous_webhook_key_sealed bytea,
  add column webhook_key_rotated_at timestamptz;

-- A replay begins the schedule of retries anew: after the attempts that there were.
alter table deliveries add column attempts_before integer not null default 0;

-- The newest events of a type that is not nearly all there is.
create index events_of_other_types on events (platform_id, type, id) where type <> 'CHECK';

-- What is known of an event, and the newest deliveries of a platform.
create index deliveries_by_event on deliveries (platform_id, event_id, endpoint_id);

-- What can be replayed, or has failed.
create index deliveries_failed on deliveries (platform_id, event_id, endpoint_id) where status = 'FAILED';

alter table attempts
  add column request_headers text,   -- as JSON
  add column response_body bytea;    -- the first KiB

-- The types are those of the bodies.
update events set type = 'CHECK' where type = 'PAYMENT';

-- As in 0005, and to the endpoints of both owners that ask for payments. Of two for one URL the one that is not disabled.
create or replace function record_payment_event(_payment payments, _event_id uuid, _body text, _now timestamptz)
returns uuid[] language plpgsql as $$
declare
  real_now timestamptz := _now - platform_offset(_payment.platform_id);
  due uuid[];
begin
  insert into events (platform_id, id, type, subject_id, body, created_at)
  select distinct party.platform_id, _event_id, 'CHECK', _payment.id, _body, _now
  from (
    values (_payment.platform_id), (_payment.recipient_platform_id), (_payment.application_platform_id)
  ) party (platform_id)
  where party.platform_id is not null;

  with listening as (
    select e.platform_id, e.user_id, e.url, e.created_at, e.id, e.disabled_at is not null as is_disabled
    from (
      values
        (_payment.platform_id, _payment.sender_id),
        (_payment.platform_id, _payment.platform_id),
        (_payment.recipient_platform_id, _payment.recipient_id),
        (_payment.recipient_platform_id, _payment.recipient_platform_id)
    ) party (platform_id, user_id)
    join endpoints e on e.platform_id = party.platform_id and e.user_id = party.user_id
      and e.kind = 'webhook_uri' and e.removed_at is null
    union all
    select e.platform_id, e.user_id, e.url, e.created_at, e.id, e.disabled_at is not null
    from endpoints e
    where e.platform_id in (_payment.platform_id, _payment.recipient_platform_id)
      and e.kind in ('endpoint', 'listener') and e.removed_at is null and 'CHECK' = any (e.event_types)
    union all
    select e.platform_id, e.user_id, e.url, e.created_at, e.id, false
    from (
      select platform_id, user_id, url, created_at, id
      from endpoints
      where platform_id = _payment.application_platform_id and removed_at is null
        and (
          (kind = 'application' and application_id = _payment.application_id)
          or (kind = 'webhook_uri' and user_id = _payment.application_platform_id)
        )
      order by kind = 'webhook_uri'
      limit 1
    ) e
  ),
  delivered as (
    insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at)
    select distinct on (l.platform_id, l.user_id, l.url)
      l.platform_id, l.id, _event_id, _payment.id,
      case when l.is_disabled then 'FAILED' else 'PENDING' end,
      case when not l.is_disabled then real_now + platform_offset(l.platform_id) end
    from listening l
    order by l.platform_id, l.user_id, l.url, l.is_disabled, l.created_at
    returning endpoint_id, status
  )
  select array_agg(endpoint_id) filter (where status = 'PENDING') into due from delivered;
  return coalesce(due, '{}');
end $$;

-- Writes an event of another type and its deliveries, if an endpoint of the platform asks for it: an event for which
-- nobody asks is not kept. Returns the endpoints that now have something to do.
create function record_event(
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

-- A version 7 UUID (RFC 9562) of a time, to the microsecond (6.2, method 3), for events that the database writes itself.
create function uuid_of_time(_time timestamptz) returns uuid language sql volatile as $$
  select (
    lpad(to_hex(micros / 1000), 12, '0') || '7' || lpad(to_hex(micros % 1000 * 4096 / 1000), 3, '0')
    || substr(replace(gen_random_uuid()::text, '-', ''), 17)
  )::uuid
  from (select (extract(epoch from _time) * 1000000)::bigint as micros) since_1970
$$;

-- The time of the last event of a wallet: a request that waited for the wallet knows an earlier time than the one before.
alter table wallets add column last_event_at timestamptz;

-- The balance of a wallet, without what is held, has changed (api.md 7, PREFUND_ACCOUNT). The caller has locked the wallet:
-- its events are in the order of its balances. Returns whether an endpoint now has something to do.
create function record_wallet_event(_platform_id uuid, _wallet_id uuid, _now timestamptz)
returns boolean language plpgsql as $$
declare
  wallet record;
begin
  perform from endpoints
  where platform_id = _platform_id and kind in ('endpoint', 'listener') and removed_at is null
    and 'PREFUND_ACCOUNT' = any (event_types);
  if not found then
    return false;
  end if;
  update wallets
  set last_event_at = greatest(_now, last_event_at + interval '1 microsecond')
  where platform_id = _platform_id and id = _wallet_id
  returning replace(id::text, '-', '') as id, balance_cents - held_cents as cents, last_event_at into wallet;
  return cardinality(record_event(
    _platform_id, 'PREFUND_ACCOUNT', _wallet_id, uuid_of_time(wallet.last_event_at),
    format(
      '{"id":"%s","type":"PREFUND_ACCOUNT","balance":%s.%s}',
      wallet.id, wallet.cents / 100, lpad((wallet.cents % 100)::text, 2, '0')
    ),
    date_trunc('milliseconds', wallet.last_event_at)
  )) > 0;
end $$;

-- As in 0005, and tells those who ask for changes of balances. Returns whether an endpoint now has something to do.
drop function post_transfers(uuid, json, uuid, uuid, timestamptz);
create function post_transfers(
  _platform_id uuid, _postings json, _payment_id uuid, _leg_id uuid, _now timestamptz
) returns boolean language plpgsql as $$
declare
  posting record;
  moved bigint;
  is_due boolean := false;
begin
  for posting in
    select *
    from json_to_recordset(_postings) as p (id uuid, mode text, debit text, credit text, cents bigint, reason text)
  loop
    moved := posting.cents;
    if posting.mode in ('hold', 'post') then
      insert into transfers (
        platform_id, id, debit, credit, cents, status, reason, payment_id, leg_id, created_at
      )
      values (
        _platform_id, posting.id, posting.debit, posting.credit, moved,
        case posting.mode when 'hold' then 'PENDING' else 'POSTED' end, posting.reason, _payment_id, _leg_id, _now
      );
    else
      update transfers
      set status = case posting.mode when 'post_held' then 'POSTED' else 'VOIDED' end, ended_at = _now
      where platform_id = _platform_id and payment_id = _payment_id and debit = posting.debit
        and credit = posting.credit and status = 'PENDING'
      returning cents into strict moved;
    end if;
    if posting.debit like 'wallet:%' then
      update wallets
      set
        balance_cents = balance_cents - case when posting.mode in ('post', 'post_held') then moved else 0 end,
        held_cents = held_cents
          + case posting.mode when 'hold' then moved when 'post' then 0 else -moved end
      where platform_id = _platform_id and id = substr(posting.debit, 8)::uuid;
      -- What was held is out of the balance already.
      if posting.mode <> 'post_held' then
        is_due := record_wallet_event(_platform_id, substr(posting.debit, 8)::uuid, _now) or is_due;
      end if;
    end if;
    if posting.credit like 'wallet:%' and posting.mode in ('post', 'post_held') then
      -- What comes back late to a wallet that was deleted meanwhile must not be out of sight.
      update wallets
      set balance_cents = balance_cents + moved, deleted_at = null
      where platform_id = _platform_id and id = substr(posting.credit, 8)::uuid;
      is_due := record_wallet_event(_platform_id, substr(posting.credit, 8)::uuid, _now) or is_due;
    end if;
  end loop;
  return is_due;
end $$;
