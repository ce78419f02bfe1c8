-- Accepts one payment of a group: claims its Idempotency-Key, checks everything under locks, and updates the sender, the
-- grant and the wallets. The caller inserts the payment.
--
-- Outcomes and locks: see accept_payments_v1.
create or replace function accept_payment_v1(_order payment_order, _required sender_requirements, _digest_key text) returns acceptance
language plpgsql as $$
declare
  payment payments := _order.payment;
  claim record;
  spent grants;
  sender sender_state;
  payee payee;
  refusal refusal;
  leg legs;
  made acceptance;
begin
  made.payment := payment;
  made.is_due := false;
  if _order.digests is not null then
    claim := claim_idempotency_key_v1(payment.platform_id, _order.digests, _order.real_now, _digest_key);
    _order.key_digest := claim.key_digest;
    _order.fingerprint := claim.fingerprint;
    if claim.outcome <> 'new' then
      made.outcome := claim.outcome;
      made.answer := claim.answer;
      return made;
    end if;
  end if;

  if payment.grant_id is not null then
    spent := lock_grant_v1(payment.platform_id, payment.grant_id);
    if spent.id is null then
      made.outcome := 'invalid_token';
      return made;
    end if;
    payment.application_id := spent.application_id;
    payment.application_platform_id := spent.application_platform_id;
  end if;

  sender := lock_sender_v1(payment, _required);
  refusal := sender_refusal_v1(sender, payment, _required);
  if refusal.code is null then
    refusal := funding_refusal_v1(sender, payment);
  end if;
  if refusal.code is null then
    payee := find_payee_v1(_order, sender);
    refusal := payee.refusal;
  end if;
  if refusal.code is not null then
    made.outcome := refusal.code;
    made.field := refusal.field;
    made.detail := refusal.detail;
    return made;
  end if;

  made.is_due := take_from_sender_v1(_order, sender, spent);
  payment.number := coalesce(payment.number, sender.next_check_number::text);
  payment.funding_id := coalesce(sender.bank_id, payment.funding_id);
  payment.recipient_platform_id := payee.platform_id;
  payment.recipient_id := payee.user_id;
  payment.expires_at := payment.created_at + make_interval(days => sender.expiration_days);
  -- A payee with an account on another platform gets no mail, but counts like any other: limits must not reveal who
  -- has an account.
  payment.invitation := case
    when _order.recipient_email is not null and payee.platform_id is distinct from payment.platform_id then 'DUE'
  end;
  made.payment := payment;
  leg := _order.leg;
  if leg.purpose = 'payment_pull' then
    leg.account_id := payment.funding_id;
  end if;
  made.leg := leg;
  if _order.attachment is not null then
    insert into attachments (platform_id, payment_id, filename, pdf)
    values (payment.platform_id, payment.id, _order.attachment_name, decode(_order.attachment, 'base64'));
  end if;
  made.outcome := 'accepted';
  made.answer := payment_answer_v1(_order.answer_head, payment.number, payment.number_is_text, _order.answer_tail);
  if _order.digests is not null then
    made.answer_record := payment_answer_record_v1(_order, made.answer);
  end if;
  return made;
end $$;
