-- Returns how many people must approve an order. Dual control needs one. The rules of the owner's platform can need more: the strictest
-- match wins. An order by a program needs one approval unless a rule says otherwise. The rules do not apply to the money of other users.
--
--   _rails      the rails that the order offers, separated by commas. A rule that asks for approvals matches if one of them is its
--               rail, and a rule that asks for none if all of them are. Null: any rail.
--   _source     how the order was made, and how it is released if that differs, separated by a comma: the strictest counts. Null: with
--               an API key.
--   _payees     see payee_keys_v1
--   _payee_id   see is_new_payee_v1
--   _now        on the platform's clock
create or replace function needed_approvals_v1(
  _platform_id uuid, _sender_id uuid, _amount_cents bigint, _rails text, _source text, _payees text[], _payee_id uuid,
  _now timestamptz
) returns integer language plpgsql as $$
declare
  sender record;
  rails text[] := string_to_array(_rails, ',');
  one_source text;
  of_rules integer;
  of_new_payees integer;
  is_new boolean;
  needed integer := 0;
begin
  select u.dual_control, u.has_approval_policy and u.id = u.platform_id as has_rules into sender
  from users u
  where u.platform_id = _platform_id and u.id = _sender_id;
  if sender.dual_control then
    needed := 1;
  end if;
  if not coalesce(sender.has_rules, false) then
    return needed;
  end if;
  foreach one_source in array string_to_array(coalesce(_source, 'API'), ',') loop
    select max(r.approvals) filter (where not r.is_new_payee), max(r.approvals) filter (where r.is_new_payee)
    into of_rules, of_new_payees
    from approval_rules r
    where r.platform_id = _platform_id and _amount_cents >= r.min_cents
      and case
        when r.rail is null then true
        when r.approvals = 0 then cardinality(rails) > 0 and r.rail = all (rails)
        else rails is null or r.rail = any (rails)
      end
      and (r.source is null or r.source = one_source);
    if of_new_payees > coalesce(of_rules, -1) then
      is_new := coalesce(is_new, is_new_payee_v1(_platform_id, _payees, _payee_id, _now));
      if is_new then
        of_rules := of_new_payees;
      end if;
    end if;
    needed := greatest(needed, coalesce(of_rules, case when one_source in ('WEB', 'BATCH') then 0 else 1 end));
  end loop;
  return needed;
end $$;
