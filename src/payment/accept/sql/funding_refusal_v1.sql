-- Why the bank or wallet of a sender cannot pay. A bank must be VERIFIED. A wallet must hold enough money and is locked.
-- A payment between two wallets locks both in the order of their ids, which prevents deadlocks. The detail is the return
-- code that blocks a bank.
create or replace function funding_refusal_v1(_sender sender_state, _payment payments) returns refusal
language plpgsql as $$
declare
  available_cents bigint;
  return_code text;
begin
  if _payment.funding_kind = 'wallet' then
    perform 1
    from wallets w
    where w.platform_id = _payment.platform_id and w.id in (_payment.funding_id, _payment.destination_id)
    order by w.id
    for update;
    select w.balance_cents - w.held_cents into available_cents
    from wallets w
    where w.platform_id = _payment.platform_id and w.id = _payment.funding_id and w.user_id = _payment.sender_id
      and w.deleted_at is null;
    return case
      when available_cents is null then row('bank_not_found', 'account', null)::refusal
      when available_cents < _payment.amount_cents then row('insufficient_funds', 'account', null)::refusal
    end;
  end if;
  if _sender.bank_status = 'VERIFIED' then
    return null;
  end if;
  if _sender.bank_id is null then
    return row(case when _payment.funding_id is null then 'no_verified_bank' else 'bank_not_found' end, 'account', null)::refusal;
  end if;
  return_code := account_block_v1(_payment.platform_id, _payment.sender_id, _sender.account_digest, false);
  return case
    when return_code is not null then row('bank_blocked', 'account', return_code)::refusal
    when _payment.funding_id is null then row('no_verified_bank', 'account', null)::refusal
    else row('bank_not_verified', 'account', null)::refusal
  end;
end $$;
