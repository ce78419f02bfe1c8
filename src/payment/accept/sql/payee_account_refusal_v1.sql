-- Why the account that a payment names cannot be paid into, or null. Locks the account (shared). The detail is the return
-- code that blocks it.
create or replace function payee_account_refusal_v1(_payment payments, _platform_id uuid, _user_id uuid) returns refusal
language plpgsql as $$
declare
  account record;
begin
  account := hold_account_v1(_platform_id, _user_id, _payment.destination_id);
  if account.kind is distinct from _payment.destination_kind then
    return row('bank_not_found', 'recipient.account', null)::refusal;
  end if;
  return case when account.block is not null then row('bank_blocked', 'recipient.account', account.block)::refusal end;
end $$;
