-- Returns the columns that decide about the sender of an order of accept_plain_payments_v1. Returns no row if the sender has no such bank,
-- or was deleted. Part of the query that calls it. The caller holds the lock of the counter.
--
--   _owner_status   the status of the platform's owner
--   day_cents       sent on the order's day before this group; month_cents in its month
--   *_limit         in cents, null for no limit, as in read_senders_v1
--   shown_name      shown to a payee with an account
--   is_ready        false if the sender is refused or repeats a request, has an approval policy or reserved numbers, or has sent something
--                   on a later day, which a process of another clock or a request that waited longer has seen
create or replace function plain_sender_v1(
  _platform_id uuid, _sender_id uuid, _funding_id uuid, _cents bigint, _created_at timestamptz, _today date, _key_at timestamptz, _key_digests bytea[],
  _owner_status text, _required sender_requirements
)
returns table (
  bank_id uuid, external_id text, phone text, shown_name text, expires_at timestamptz, next_check_number bigint, day_cents bigint,
  month_cents bigint, payment_limit bigint, day_limit bigint, month_limit bigint, is_ready boolean
) language sql stable as $$
  select
    b.id, u.external_id, u.phone, coalesce(u.business_name, u.name), _created_at + make_interval(days => u.expiration_days),
    c.next_check_number,
    case when c.sent_on = _today then c.sent_day_cents else 0 end,
    case
      when date_trunc('month', c.sent_on) = date_trunc('month', _today) then c.sent_month_cents
      else 0
    end,
    least(coalesce(l.payment_cents, (_required).payment_limit_cents), l.owner_payment_cents),
    least(coalesce(l.day_cents, (_required).day_limit_cents), l.owner_day_cents),
    least(coalesce(l.month_cents, (_required).month_limit_cents), l.owner_month_cents),
    b.status = 'VERIFIED' and c.reserved_numbers is null and not u.dual_control and not u.has_approval_policy
      and coalesce(c.sent_on <= _today, true)
      and sender_refusal_v1(u.status, standing_v1(u.status, _owner_status), c.debt_cents, (_required).must_be_verified) is null
      and (coalesce(_cents <= (_required).signature_above_cents, true) or u.is_guest or exists (
        select from signatures s where s.platform_id = _platform_id and s.user_id = _sender_id
      ))
      and (_key_digests is null or not exists (
        select
        from payments k
        where k.platform_id = _platform_id and k.key_digest = any (_key_digests)
          and k.key_day in (
            (_key_at at time zone 'UTC')::date, (_key_at at time zone 'UTC')::date - 1, ((_key_at + interval '1 hour') at time zone 'UTC')::date
          )
      ))
  from user_counters c
  join users u on u.platform_id = _platform_id and u.id = _sender_id and u.deleted_at is null
  join banks b on b.platform_id = _platform_id and b.user_id = _sender_id and b.deleted_at is null
    and case when _funding_id is null then b.is_default else b.id = _funding_id end
  left join user_limits l on l.platform_id = _platform_id and l.user_id = _sender_id
  where c.platform_id = _platform_id and c.user_id = _sender_id
$$;
