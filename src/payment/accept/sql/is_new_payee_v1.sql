-- Whether the owner of a platform has not paid any of these payees for 7 days. First it adds the payments that have become old
-- enough since the last time to known_payees. The caller holds the lock of the sender.
--
--   _payees   see payee_keys_v1
create or replace function is_new_payee_v1(_platform_id uuid, _payees text[], _now timestamptz)
returns boolean language plpgsql as $$
declare
  read_from timestamptz;
  read_to timestamptz := _now - make_interval(days => 7);
begin
  select payees_read_to into read_from from approval_policies where platform_id = _platform_id;
  if exists (
    select from payments p
    where p.platform_id = _platform_id and p.sender_id = _platform_id and p.created_at > read_from and p.created_at <= read_to
  ) then
    insert into known_payees (platform_id, payee)
    select distinct _platform_id, k.payee
    from payments p
    left join banks b on b.platform_id = p.platform_id and b.id = p.destination_id and p.destination_kind = 'bank'
    cross join lateral unnest(
      payee_keys_v1(p.recipient, null, null) || payee_keys_v1(p.recipient, p.destination_id, null)
      || payee_keys_v1(p.recipient, null, array[b.account_digest])
    ) k (payee)
    where p.platform_id = _platform_id and p.sender_id = _platform_id and p.created_at > read_from and p.created_at <= read_to
      and p.status <> 'VOID' and k.payee is not null
    on conflict do nothing;
    update approval_policies set payees_read_to = read_to where platform_id = _platform_id;
  end if;
  return not exists (select from known_payees where platform_id = _platform_id and payee = any (_payees));
end $$;
