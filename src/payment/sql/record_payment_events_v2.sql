-- Records one event for each payment of a list, at the time of its last update: for the endpoints of the sender's platform, and in the
-- outbox for the platforms of the recipients and the application. The lists of several recipients get the status of the payment.
--
--   _platform_id   of all payments, or null if they are of several
--
-- Returns whether a webhook or a message is now due.
create or replace function record_payment_events_v2(_platform_id uuid, _events payment_event[]) returns boolean language plpgsql as $$
declare
  is_due boolean;
begin
  is_due := deliver_payment_news_v2(_platform_id, array(
    select row(
      (h.payment).platform_id, h.event_id, (h.payment).id, h.body, (h.payment).updated_at, (h.payment).updated_at,
      array[
        (h.payment).sender_id, (h.payment).platform_id,
        case when (h.payment).recipient_platform_id = (h.payment).platform_id then (h.payment).recipient_id end
      ] || case when (h.payment).kind = 'MULTI' then array(
        select r.user_id
        from payment_recipients r
        where r.platform_id = coalesce(_platform_id, (h.payment).platform_id) and r.payment_id = (h.payment).id and r.user_id is not null
          and r.user_platform_id is null
      ) end,
      case when (h.payment).application_platform_id = (h.payment).platform_id then (h.payment).application_id end
    )::payment_news
    from unnest(_events) h
  ), 'CHECK');
  if exists (select from unnest(_events) h where (h.payment).kind = 'MULTI') then
    update received_payments c
    set status = (h.payment).status, updated_at = (h.payment).updated_at
    from unnest(_events) h
    where (h.payment).kind = 'MULTI' and c.platform_id = coalesce(_platform_id, (h.payment).platform_id)
      and c.payment_id = (h.payment).id;
  end if;
  if not exists (
    select
    from unnest(_events) h
    where (h.payment).recipient_platform_id <> (h.payment).platform_id
      or (h.payment).application_platform_id <> (h.payment).platform_id
      or (h.payment).kind = 'MULTI' and exists (
        select
        from payment_recipients r
        where r.platform_id = coalesce(_platform_id, (h.payment).platform_id) and r.payment_id = (h.payment).id and r.user_platform_id is not null
      )
  ) then
    return is_due;
  end if;
  insert into outbox (platform_id, target_platform_id, kind, subject_id, cents, content)
  select
    (h.payment).platform_id, party.platform_id, 'payment_changed', (h.payment).id,
    -- Only from a wallet into a wallet: see transferToWallet.
    case
      when party.platform_id = (h.payment).recipient_platform_id and (h.payment).status = 'PAID' and (h.payment).rail = 'WALLET'
        then (h.payment).amount_cents
    end,
    json_build_object(
      'is_recipient', party.is_recipient, 'status', (h.payment).status, 'updated_at', (h.payment).updated_at,
      'real_at', (h.payment).updated_at - platform_offset_v1((h.payment).platform_id),
      'event_id', h.event_id, 'body', h.body, 'application_id', party.application_id,
      'wallet_id', case when (h.payment).rail = 'WALLET' then replace((h.payment).destination_id::text, '-', '') end
    )
  from unnest(_events) h
  cross join lateral (
    select p.platform_id, bool_or(p.is_recipient) as is_recipient,
      case when p.platform_id = (h.payment).application_platform_id then (h.payment).application_id end as application_id
    from (
      select (h.payment).recipient_platform_id as platform_id, true as is_recipient
      union all
      select (h.payment).application_platform_id, false
      union all
      select r.user_platform_id, true
      from payment_recipients r
      where (h.payment).kind = 'MULTI' and r.platform_id = coalesce(_platform_id, (h.payment).platform_id)
        and r.payment_id = (h.payment).id
    ) p
    where p.platform_id <> (h.payment).platform_id
    group by p.platform_id
  ) party;
  return true;
end $$;
