-- Records one event for each change of a list, at the time of the change: for the endpoints of the sender's platform, and in the outbox for
-- the platforms of the recipients and the application. The rows of several recipients of a payment get its new status.
--
--   _platform_id   of all payments, or null if they are of several
--
-- Returns whether a webhook or a message is now due.
create or replace function record_payment_events_v1(_platform_id uuid, _changes payment_change[]) returns boolean language plpgsql as $$
declare
  is_due boolean;
  -- The recipients of payments with several recipients, as three columns. Citus runs a statement that reads no table on no node.
  paid_ids uuid[];
  user_ids uuid[];
  user_platform_ids uuid[];
  clock_offsets interval[]; -- in the order of the changes
begin
  if exists (select from unnest(_changes) p where p.kind = 'MULTI') then
    select array_agg(r.payment_id), array_agg(r.user_id), array_agg(r.user_platform_id)
    into paid_ids, user_ids, user_platform_ids
    from unnest(_changes) p
    join payment_recipients r on r.platform_id = coalesce(_platform_id, p.platform_id) and r.payment_id = p.id
    where p.kind = 'MULTI';
    update received_payments c
    set status = p.status, updated_at = p.updated_at
    from unnest(_changes) p
    where p.kind = 'MULTI' and c.platform_id = coalesce(_platform_id, p.platform_id) and c.payment_id = p.id;
  end if;
  is_due := deliver_payment_news_v1(_platform_id, array(
    select row(
      p.platform_id, p.event_id, p.id, p.body, p.updated_at, p.updated_at,
      array[p.sender_id, p.platform_id, case when p.recipient_platform_id = p.platform_id then p.recipient_id end]
        || case when p.kind = 'MULTI' then array(
          select r.user_id
          from unnest(paid_ids, user_ids, user_platform_ids) r (payment_id, user_id, user_platform_id)
          where r.payment_id = p.id and r.user_id is not null and r.user_platform_id is null
        ) end,
      case when p.application_platform_id = p.platform_id then p.application_id end
    )::payment_news
    from unnest(_changes) p
  ), 'CHECK');
  if not exists (
    select
    from unnest(_changes) p
    where p.recipient_platform_id <> p.platform_id or p.application_platform_id <> p.platform_id
  ) and not exists (select from unnest(user_platform_ids) r (platform_id) where r.platform_id is not null) then
    return is_due;
  end if;
  -- Citus allows no other statement while rows arrive.
  clock_offsets := array(
    select platform_offset_v1(p.platform_id) from unnest(_changes) with ordinality p order by p.ordinality
  );
  insert into outbox (platform_id, target_platform_id, kind, subject_id, cents, content)
  select
    p.platform_id, party.platform_id, 'payment_changed', p.id,
    -- The message has an amount only for a payment from a wallet into a wallet: see transferToWallet.
    case when party.platform_id = p.recipient_platform_id and p.status = 'PAID' and p.rail = 'WALLET' then p.amount_cents end,
    json_build_object(
      'is_recipient', party.is_recipient, 'status', p.status, 'updated_at', p.updated_at,
      'real_at', p.updated_at - clock_offsets[p.ordinality],
      'event_id', p.event_id, 'body', p.body, 'application_id', party.application_id,
      'wallet_id', case when p.rail = 'WALLET' then replace(p.destination_id::text, '-', '') end
    )
  from unnest(_changes) with ordinality p
  cross join lateral (
    select t.platform_id, bool_or(t.is_recipient) as is_recipient,
      case when t.platform_id = p.application_platform_id then p.application_id end as application_id
    from (
      select p.recipient_platform_id as platform_id, true as is_recipient
      union all
      select p.application_platform_id, false
      union all
      select r.user_platform_id, true
      from unnest(paid_ids, user_platform_ids) r (payment_id, user_platform_id)
      where r.payment_id = p.id
    ) t
    where t.platform_id <> p.platform_id
    group by t.platform_id
  ) party;
  return true;
end $$;
