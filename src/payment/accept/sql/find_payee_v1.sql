-- Finds the payee of an order: a user of the platform by its user_id or id, then an owner of any platform by its verified
-- e-mail address, otherwise a payee without an account. Locks the user and the account that the order names, so that neither
-- can be suspended or deleted before the payment exists.
--
-- The refusal says why the order has no valid payee. Senders cannot pay themselves: by id, or by a user_id, phone number or
-- e-mail address that no other user has. Phone numbers are compared in E.164, addresses in lower case.
create or replace function find_payee_v1(_order payment_order, _sender sender_state) returns payee language plpgsql as $$
declare
  payment payments := _order.payment;
  found_user record;
  login_id uuid;
  is_verified boolean;
  refusal refusal;
begin
  select u.platform_id, u.id, u.status into found_user
  from users u
  where u.platform_id = payment.platform_id and u.external_id = payment.recipient and u.deleted_at is null
  for key share;
  if not found and _order.recipient_id is not null then
    select u.platform_id, u.id, u.status into found_user
    from users u
    where u.platform_id = payment.platform_id and u.id = _order.recipient_id and u.deleted_at is null
    for key share;
  end if;
  if found_user.id is null and payment.destination_id is null and _order.recipient_email is not null then
    select l.platform_id, l.email_verified_at is not null into login_id, is_verified
    from logins l
    where l.email = _order.recipient_email;
    if is_verified then
      select u.platform_id, u.id, u.status into found_user
      from users u
      where u.platform_id = login_id and u.id = login_id and u.deleted_at is null
      for key share;
    end if;
  end if;

  if found_user.id is null and payment.destination_id is not null then
    refusal := row('recipient_not_found', 'recipient.id', null);
  elsif found_user.id is null and is_verified then
    refusal := row('recipient_not_active', null, null);
  elsif found_user.id is null and not _order.is_reachable then
    refusal := row('invalid_recipient', 'recipient', null);
  elsif found_user.id = payment.sender_id
    or found_user.id is null and (
      _order.recipient_phone in (_sender.phone, _sender.external_id)
      or _order.recipient_email = lower(_sender.external_id)
      or login_id = payment.sender_id
    )
  then
    refusal := row('own_recipient', 'recipient', null);
  -- A user counts as active only if the owner of its platform is active. An owner has no user above it.
  elsif standing_v1(found_user.status, found_user.status) <> 'ACTIVE' then
    refusal := row('recipient_not_active', null, null);
  elsif payment.destination_id is not null then
    refusal := payee_account_refusal_v1(payment, found_user.platform_id, found_user.id);
  end if;
  return row(found_user.platform_id, found_user.id, refusal)::payee;
end $$;
