-- Returns why an order that needs approvals is refused, or null. accept_payments_v1 accepts everything that releases the money of a user,
-- so approvals are checked only here. It calls this function only for senders under dual control or with a policy.
--
--   _approval_id   the approval that the caller has just released, in this transaction
--   _payees        see payee_keys_v1
--   _payee_id      see is_new_payee_v1
create or replace function approval_refusal_v1(
  _platform_id uuid, _sender_id uuid, _approval_id uuid, _is_dry_run boolean, _amount_cents bigint, _rails text, _source text,
  _payees text[], _payee_id uuid, _now timestamptz
) returns refusal language plpgsql as $$
declare
  needed integer;
  votes integer;
begin
  if coalesce(_is_dry_run, false) then
    return null;
  end if;
  needed := needed_approvals_v1(_platform_id, _sender_id, _amount_cents, _rails, _source, _payees, _payee_id, _now);
  if needed = 0 then
    return null;
  end if;
  select (select count(*) from approval_votes v where v.platform_id = _platform_id and v.approval_id = _approval_id) into votes
  from approvals a
  where a.platform_id = _platform_id and a.id = _approval_id and a.user_id = _sender_id and a.status = 'APPROVED'
    and a.payment_id is null;
  if not found then
    return refusal_v1('approval_required');
  elsif votes < needed then
    return refusal_v1('second_person_needed');
  end if;
  return null;
end $$;
