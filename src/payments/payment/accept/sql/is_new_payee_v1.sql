-- Returns whether the owner of a platform has not paid this payee for 7 days, or the payee added an account in the last 7 days. First it
-- adds some payments that have become old enough to known_payees. Payees of payments that are not added yet count as new. An added payment
-- does not count while it is failed or has ended, or if it went to another recipient or account. The caller holds the lock of the sender.
--
--   _payees     see payee_keys_v1. Null: several, which are judged one by one
--   _payee_id   the payee, if it is a user of this platform
create or replace function is_new_payee_v1(_platform_id uuid, _payees text[], _payee_id uuid, _now timestamptz)
returns boolean language plpgsql as $$
declare
  week_ago timestamptz := _now - make_interval(days => 7);
  read_from timestamptz;
  read_to timestamptz;
begin
  if _payees is null then
    return false;
  end if;
  select payees_read_to into read_from from approval_policies where platform_id = _platform_id;
  -- At most 1,000 payments are added in one call, because the other payments of the group wait for it.
  select max(p.created_at) into read_to
  from (
    select created_at
    from payments
    where platform_id = _platform_id and sender_id = _platform_id and created_at > read_from and created_at <= week_ago
    order by created_at
    limit 1000
  ) p;
  if read_to is not null then
    insert into known_payees (platform_id, payee, payment_id, position, account_id)
    select _platform_id, k.payee, p.id, coalesce(r.position, 0), case when r.position is null and o.named_account then p.destination_id end
    from payments p
    -- A payment that was deposited at once was made to an account that its order named.
    cross join lateral (
      select p.deposited_at = p.created_at or p.deposited_at is null and p.rail = 'WALLET' as named_account
    ) o
    left join banks b on b.platform_id = p.platform_id and b.id = p.destination_id and p.destination_kind = 'bank'
      and o.named_account
    left join payment_recipients r on r.platform_id = p.platform_id and r.payment_id = p.id and p.kind = 'MULTI'
    cross join lateral unnest(
      case
        when r.position is not null then payee_keys_v1(
          case when r.user_id is not null then coalesce(r.user_platform_id, r.platform_id) end, r.user_id, r.recipient, null, null
        )
        else payee_keys_v1(
          p.recipient_platform_id, p.recipient_id, p.recipient, case when o.named_account then p.destination_id end,
          case when b.id is not null then array[b.account_digest] end
        )
      end
    ) k (payee)
    where p.platform_id = _platform_id and p.sender_id = _platform_id and p.created_at > read_from and p.created_at <= read_to
      -- A FAILED payment can be deposited again. One that has ended never reaches its payee.
      and p.status not in ('VOID', 'REFUNDED', 'EXPIRED') and r.endorse_only is not true
    on conflict do nothing;
    update approval_policies set payees_read_to = read_to where platform_id = _platform_id;
  end if;
  return not exists (
      select from known_payees k
      join payments p on p.platform_id = k.platform_id and p.id = k.payment_id
      where k.platform_id = _platform_id and k.payee = any (_payees)
        and p.status not in ('VOID', 'FAILED', 'REFUNDED', 'EXPIRED')
        and (k.account_id is null or k.account_id = p.destination_id)
        -- Another recipient of the payment has not deposited it.
        and not exists (
          select from payment_recipients r
          where r.platform_id = k.platform_id and r.payment_id = k.payment_id and r.position <> k.position and r.status = 'DEPOSITOR'
        )
    )
    or exists (
      select from banks
      where platform_id = _platform_id and user_id = _payee_id and created_at > week_ago and deleted_at is null
    )
    or exists (
      select from destinations
      where platform_id = _platform_id and user_id = _payee_id and created_at > week_ago and deleted_at is null
    );
end $$;
