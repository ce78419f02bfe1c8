-- Creates the recipient's copy of a payment from another platform. A second call does nothing.
--
--   _position   of the message
--   _content    the other columns of `received_payments`
create or replace function copy_payment_v1(_platform_id uuid, _payment_id uuid, _sender_platform_id uuid, _position bigint, _content json)
returns void language plpgsql as $$
begin
  insert into received_payments (
    platform_id, user_id, payment_id, sender_platform_id, sender, kind, number, number_is_text, amount_cents, name,
    recipient, description, comment, status, created_at, updated_at, version
  )
  select
    _platform_id, c.user_id, _payment_id, _sender_platform_id, c.sender, c.kind, c.number, c.number_is_text, c.amount_cents,
    c.name, c.recipient, c.description, c.comment, c.status, c.created_at, c.updated_at, _position
  from json_populate_record(null::received_payments, _content) c
  on conflict (platform_id, payment_id, user_id) do nothing;
end $$;
