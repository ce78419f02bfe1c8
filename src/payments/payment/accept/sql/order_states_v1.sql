-- What order_states_v2 returned before users had reserved numbers, for the program of release 2.
create or replace function order_states_v1(_orders payment_order[], _payees payee[], _required sender_requirements)
returns table (
  platform_id uuid, id uuid, sender_id uuid, amount_cents bigint, number text, today date, key_payment_id uuid,
  early_refusal refusal, payment_limit bigint, day_limit bigint, month_limit bigint, day_cents bigint, month_cents bigint,
  funding_refusal refusal, is_from_wallet boolean, wallet_cents bigint, payee_refusal refusal, next_check_number bigint,
  funding_id uuid, single_use_grant uuid, payee_platform_id uuid, payee_id uuid, expires_at timestamptz,
  is_invited boolean, application_id uuid, application_platform_id uuid, sender_name text
) language sql stable as $$
  select
    s.platform_id, s.id, s.sender_id, s.amount_cents, s.number, s.today, s.key_payment_id, s.early_refusal,
    s.payment_limit, s.day_limit, s.month_limit, s.day_cents, s.month_cents, s.funding_refusal, s.is_from_wallet,
    s.wallet_cents, s.payee_refusal, s.next_check_number, s.funding_id, s.single_use_grant, s.payee_platform_id,
    s.payee_id, s.expires_at, s.is_invited, s.application_id, s.application_platform_id, s.sender_name
  from order_states_v2(null, _orders, _payees, _required) s
$$;
