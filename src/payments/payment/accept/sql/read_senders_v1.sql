-- Reads the rows of the senders that decide about the orders of a group: one row for each order, in their order. A cluster runs the query
-- on the node of the platform, so it calls no function that reads tables.
--
--   _platform_id    the platform of all orders, or null if they are of several
--   sender_refusal  a used Idempotency-Key, the grant, the status of the sender
--   needs_approval  the sender is under dual control or has a policy
--   needs_signature the sender has no signature, and the amount needs one. A person without an account, who pays an invoice, authorizes the
--                   debit instead
--   other columns   see order_states_v1
create or replace function read_senders_v1(_platform_id uuid, _orders payment_order[], _required sender_requirements)
returns table (
  today date, key_payment_id uuid, sender_refusal refusal, needs_approval boolean, payment_limit bigint, day_limit bigint,
  month_limit bigint, day_cents bigint, month_cents bigint, needs_signature boolean, bank_id uuid, bank_status text, bank_digest bytea,
  wallet_cents bigint, external_id text, phone text, next_check_number bigint, reserved_numbers int8multirange, single_use_grant uuid,
  expires_at timestamptz, application_id uuid, application_platform_id uuid, sender_name text
) language plpgsql stable as $$
begin
  return query
  select
    t.today, k.id,
    coalesce(
      case
        when k.fingerprint = any (o.fingerprints) then refusal_v1('replayed')
        when k.id is not null then refusal_v1('idempotency_key_reused')
        when o.grant_id is not null and (g.id is null or g.revoked_at is not null or g.spent_at is not null)
          then refusal_v1('invalid_token')
      end,
      sender_refusal_v1(u.status, standing_v1(u.status, w.status), c.debt_cents, (_required).must_be_verified)
    ),
    u.dual_control or u.has_approval_policy,
    least(coalesce(l.payment_cents, (_required).payment_limit_cents), l.owner_payment_cents),
    least(coalesce(l.day_cents, (_required).day_limit_cents), l.owner_day_cents),
    least(coalesce(l.month_cents, (_required).month_limit_cents), l.owner_month_cents),
    case when c.sent_on = t.today then c.sent_day_cents else 0 end,
    case when date_trunc('month', c.sent_on) = date_trunc('month', t.today) then c.sent_month_cents else 0 end,
    o.amount_cents > (_required).signature_above_cents and not u.is_guest and not exists (
      select from signatures s where s.platform_id = coalesce(_platform_id, o.platform_id) and s.user_id = o.sender_id
    ),
    b.id, b.status, b.account_digest, v.balance_cents - v.held_cents, u.external_id, u.phone,
    c.next_check_number, c.reserved_numbers, case when g.scope = 'single-use' then g.id end,
    o.created_at + make_interval(days => u.expiration_days),
    g.application_id, g.application_platform_id, coalesce(u.business_name, u.name)
  from unnest(_orders) with ordinality o
  left join user_counters c on c.platform_id = coalesce(_platform_id, o.platform_id) and c.user_id = o.sender_id
  -- The day of the limits. An order that was received before midnight can come after one of the next day.
  cross join lateral (select coalesce(o.business_day, (o.created_at at time zone 'UTC')::date) as today) d
  cross join lateral (select case when c.sent_on = d.today + 1 then c.sent_on else d.today end as today) t
  left join users u on u.platform_id = coalesce(_platform_id, o.platform_id) and u.id = o.sender_id and u.deleted_at is null
  left join users w on w.platform_id = coalesce(_platform_id, o.platform_id) and w.id = o.platform_id
  left join user_limits l on l.platform_id = coalesce(_platform_id, o.platform_id) and l.user_id = o.sender_id
  left join banks b on b.platform_id = coalesce(_platform_id, o.platform_id) and b.user_id = o.sender_id and b.deleted_at is null
    and o.funding_kind = 'bank' and case when o.funding_id is null then b.is_default else b.id = o.funding_id end
  left join wallets v on v.platform_id = coalesce(_platform_id, o.platform_id) and v.id = o.funding_id and v.user_id = o.sender_id
    and v.deleted_at is null and o.funding_kind = 'wallet'
  left join grants g on g.platform_id = coalesce(_platform_id, o.platform_id) and g.id = o.grant_id
  -- The payment that the Idempotency-Key created in the last 24 hours.
  left join lateral (
    select p.id, p.fingerprint
    from payments p
    where p.platform_id = coalesce(_platform_id, o.platform_id) and p.key_digest = any (o.key_digests)
      and p.key_day in (
        (o.real_now at time zone 'UTC')::date, (o.real_now at time zone 'UTC')::date - 1,
        ((o.real_now + interval '1 hour') at time zone 'UTC')::date -- of a process that received the repeated request after midnight
      )
      and p.key_at > o.real_now - interval '24 hours'
    limit 1
  ) k on o.key_digests is not null
  order by o.ordinality;
end $$;
