-- Takes what a payment uses: the next check number, cents of the sender's limits, the single-use grant, and wallet money.
-- The caller holds all locks. After the largest check number the counter starts again at 1.
--
-- Returns whether a webhook about a balance is now due.
create or replace function take_from_sender_v1(_order payment_order, _sender sender_state, _grant grants) returns boolean
language plpgsql as $$
declare
  payment payments := _order.payment;
begin
  update user_counters c
  set
    next_check_number =
      case when payment.number is null then c.next_check_number % 100000000 + 1 else c.next_check_number end,
    sent_on = (payment.created_at at time zone 'UTC')::date,
    sent_day_cents = _sender.day_cents + payment.amount_cents,
    sent_month_cents = _sender.month_cents + payment.amount_cents
  where c.platform_id = payment.platform_id and c.user_id = payment.sender_id;
  if _grant.scope = 'single-use' then
    update grants g
    set spent_at = _order.real_now, spent_by_key_digest = _order.key_digest
    where g.platform_id = payment.platform_id and g.id = payment.grant_id;
  end if;
  if _order.postings is null then
    return false;
  end if;
  return post_transfers_v1(payment.platform_id, _order.postings, payment.id, null, payment.created_at);
end $$;
