-- Inserts accepted payments, the copies for their recipients, and the first legs of payments that are deposited at once, with
-- one statement per table.
create or replace function write_payments_v1(_payments payments[], _legs legs[]) returns void language plpgsql as $$
begin
  insert into payments (
    platform_id, id, sender_id, kind, number, number_is_text, amount_cents, name, recipient, recipient_platform_id,
    recipient_id, funding_kind, funding_id, destination_kind, destination_id, description, comment, remittance_advice,
    deposit_options, pin_description, pin_sealed, address, mail_type, status, rail, deposited_at, created_at, updated_at,
    expires_at, application_id, application_platform_id, grant_id, invitation
  )
  select
    platform_id, id, sender_id, kind, number, number_is_text, amount_cents, name, recipient, recipient_platform_id,
    recipient_id, funding_kind, funding_id, destination_kind, destination_id, description, comment, remittance_advice,
    deposit_options, pin_description, pin_sealed, address, mail_type, status, rail, deposited_at, created_at, updated_at,
    expires_at, application_id, application_platform_id, grant_id, invitation
  from unnest(_payments);

  insert into received_payments (
    platform_id, user_id, payment_id, sender_platform_id, sender, kind, number, number_is_text, amount_cents, name,
    recipient, description, comment, status, created_at, updated_at
  )
  select
    p.recipient_platform_id, p.recipient_id, p.id, p.platform_id, coalesce(u.business_name, u.name), p.kind, p.number,
    p.number_is_text, p.amount_cents, p.name, p.recipient, p.description, p.comment, p.status, p.created_at, p.updated_at
  from unnest(_payments) p
  join users u on u.platform_id = p.platform_id and u.id = p.sender_id
  where p.recipient_id is not null;

  if _legs is not null then
    insert into legs (
      platform_id, id, purpose, subject_id, user_id, account_id, rail, direction, cents, status, next_event, next_at,
      file_at, created_at
    )
    select
      platform_id, id, purpose, subject_id, user_id, account_id, rail, direction, cents, status, next_event, next_at,
      file_at, created_at
    from unnest(_legs);
  end if;
end $$;
