-- Decides about each order of a group in turn, as if the accepted ones before it were already written.
--
--   _platform_id   the platform of all orders, or null if they are of several
--
-- Returns the decisions in the order of the orders.
create or replace function judge_orders_v1(_platform_id uuid, _orders payment_order[], _payees payee[], _required sender_requirements)
returns acceptance[] language plpgsql as $$
declare
  made acceptance[];
  s record;
  refusal refusal;
  sender uuid;
  today date;
  day_cents bigint;
  month_cents bigint;
  next_number bigint;
  taken_number text;
  used_grants uuid[] := '{}';
  used_wallets uuid[] := '{}';
  used_cents bigint[] := '{}';
  wallet integer;
begin
  for s in select * from order_states_v1(_platform_id, _orders, _payees, _required) loop
    if s.sender_id < sender then
      raise exception 'the orders of a group are not sorted by sender';
    end if;
    if sender is distinct from s.sender_id then
      sender := s.sender_id;
      today := s.today;
      day_cents := s.day_cents;
      month_cents := s.month_cents;
      next_number := s.next_check_number;
    elsif today < s.today then -- The group spans midnight.
      month_cents := case when date_trunc('month', today) = date_trunc('month', s.today) then month_cents else 0 end;
      day_cents := 0;
      today := s.today;
    end if;
    if s.is_from_wallet then
      wallet := array_position(used_wallets, s.funding_id);
    end if;
    refusal := coalesce(
      s.early_refusal,
      case when s.single_use_grant = any (used_grants) then refusal_v1('invalid_token') end,
      limit_refusal_v1(s.amount_cents, s.payment_limit, s.day_limit - day_cents, s.month_limit - month_cents),
      s.funding_refusal,
      case when s.is_from_wallet then
        wallet_refusal_v1(s.amount_cents, s.wallet_cents - coalesce(used_cents[wallet], 0))
      end,
      s.payee_refusal,
      case when s.reserved_numbers is not null then number_refusal_v1(s.number, s.reserved_numbers) end
    );
    if refusal.code is not null then
      made := made || refused_v1(coalesce(s.key_payment_id, s.id), refusal);
      continue;
    end if;

    day_cents := day_cents + s.amount_cents;
    month_cents := month_cents + s.amount_cents;
    if s.single_use_grant is not null then
      used_grants := used_grants || s.single_use_grant;
    end if;
    if s.is_from_wallet then
      wallet := coalesce(wallet, cardinality(used_wallets) + 1);
      used_wallets[wallet] := s.funding_id;
      used_cents[wallet] := coalesce(used_cents[wallet], 0) + s.amount_cents;
    end if;
    taken_number := coalesce(s.number, next_number::text);
    if s.number is null then -- After the largest check number the counter starts again at 1.
      next_number := next_number % 100000000 + 1;
      if s.reserved_numbers is not null then
        next_number := free_check_number_v1(next_number, s.reserved_numbers);
      end if;
    end if;
    made := made || accepted_v1(
      _payment_id => s.id, _number => taken_number, _funding_id => s.funding_id,
      _payee_platform_id => s.payee_platform_id, _payee_id => s.payee_id, _expires_at => s.expires_at,
      _invitation => case when s.is_invited then 'DUE' end,
      _application_id => s.application_id, _application_platform_id => s.application_platform_id,
      _sent_on => today, _day_cents => day_cents, _month_cents => month_cents, _next_number => next_number,
      _sender_name => s.sender_name
    );
  end loop;
  return made;
end $$;
