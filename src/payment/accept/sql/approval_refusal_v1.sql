-- Why an order is refused whose sender requires the release of a second person, or null. Everything that releases the money of a
-- user is accepted by accept_payments_v1, so this is the only place that asks.
--
--   _approval_id   the approval that the caller has just released, in this transaction
create or replace function approval_refusal_v1(_platform_id uuid, _sender_id uuid, _approval_id uuid, _is_dry_run boolean)
returns refusal language plpgsql stable as $$
begin
  if coalesce(_is_dry_run, false) or exists (
    select from approvals a
    where a.platform_id = _platform_id and a.id = _approval_id and a.user_id = _sender_id and a.status = 'APPROVED'
      and a.payment_id is null
  ) then
    return null;
  end if;
  return row('approval_required', null, null)::refusal;
end $$;
