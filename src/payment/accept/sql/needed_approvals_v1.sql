-- How many people must approve an order. Dual control needs one. The rules of the owner's platform can need more: the strictest
-- match wins. What no person sends needs one approval unless a rule says otherwise. The money of other users is outside the rules.
--
--   _rails    the rails that the order offers, separated by commas
--   _source   null: an API key
--   _payees   see payee_keys_v1
--   _now      on the platform's clock
create or replace function needed_approvals_v1(
  _platform_id uuid, _sender_id uuid, _amount_cents bigint, _rails text, _source text, _payees text[], _now timestamptz
) returns integer language plpgsql as $$
declare
  sender record;
  of_rules integer;
  of_new_payees integer;
begin
  select u.dual_control, u.has_approval_policy and u.id = u.platform_id as has_rules into sender
  from users u
  where u.platform_id = _platform_id and u.id = _sender_id;
  if not coalesce(sender.has_rules, false) then
    return case when sender.dual_control then 1 else 0 end;
  end if;
  select max(r.approvals) filter (where not r.is_new_payee), max(r.approvals) filter (where r.is_new_payee)
  into of_rules, of_new_payees
  from approval_rules r
  where r.platform_id = _platform_id and _amount_cents >= r.min_cents
    and (r.rail is null or r.rail = any (string_to_array(_rails, ',')))
    and (r.source is null or r.source = coalesce(_source, 'API'));
  if of_new_payees > coalesce(of_rules, -1) and is_new_payee_v1(_platform_id, _payees, _now) then
    of_rules := of_new_payees;
  end if;
  return greatest(
    coalesce(of_rules, case when _source in ('WEB', 'BATCH') then 0 else 1 end),
    case when sender.dual_control then 1 else 0 end
  );
end $$;
