-- Inserts accepted payments, and the messages that copy them to recipients of other platforms, with one statement per table.
--
--   _platform_id   the platform of all orders, or null if they are of several
--   _payments   JSON array of the columns that are only written, in the order of the orders
--
-- Returns whether a message is now due.
create or replace function write_payments_v1(
  _platform_id uuid, _orders payment_order[], _made acceptance[], _digest_place integer, _payments json
) returns boolean language plpgsql as $$
begin
  insert into payments (
    platform_id, id, sender_id, kind, number, number_is_text, amount_cents, name, recipient, recipient_platform_id,
    recipient_id, funding_kind, funding_id, destination_kind, destination_id, description, comment, remittance_advice,
    deposit_options, pin_description, pin_sealed, address, mail_type, status, rail, deposited_at, created_at, updated_at,
    expires_at, application_id, application_platform_id, grant_id, invitation, key_at, key_day, key_digest, fingerprint,
    first_status, answer_version, sender_name, invoice_id
  )
  select
    o.platform_id, o.id, o.sender_id, o.kind, o.taken_number, o.number_is_text, o.amount_cents, o.name, o.recipient,
    o.payee_platform_id, o.payee_id, o.funding_kind, o.taken_funding_id, o.destination_kind, o.destination_id, o.description,
    o.comment, o.remittance_advice, o.deposit_options, o.pin_description, o.pin_sealed, o.address, o.mail_type, o.status, o.rail,
    case when o.status = 'IN_PROCESS' then o.created_at end, o.created_at, o.created_at, o.expires_at, o.application_id,
    o.application_platform_id, o.grant_id, o.invitation,
    case when o.key_digests is not null then o.real_now end,
    case when o.key_digests is not null then (o.real_now at time zone 'UTC')::date end,
    o.key_digests[_digest_place], o.fingerprints[_digest_place],
    case when o.key_digests is not null then o.status end, o.answer_version, o.sender_name, o.invoice_id
  from rows from (
    unnest(_orders),
    unnest(_made),
    json_to_recordset(_payments) as (
      kind text, number_is_text boolean, name text, description text, comment text, remittance_advice json,
      deposit_options text[], pin_description text, pin_sealed bytea, address json, mail_type text, status text, rail text,
      answer_version smallint, invoice_id uuid
    )
  ) o
  where o.outcome = 'accepted';

  if not exists (
    select
    from rows from (unnest(_orders), unnest(_made)) o
    where o.payee_platform_id <> o.platform_id and o.outcome = 'accepted'
  ) then
    return false;
  end if;
  insert into outbox (platform_id, target_platform_id, kind, subject_id, content)
  select
    p.platform_id, p.recipient_platform_id, 'payment_created', p.id,
    json_build_object(
      'user_id', p.recipient_id, 'sender', p.sender_name, 'kind', p.kind, 'number', p.number, 'number_is_text', p.number_is_text,
      'amount_cents', p.amount_cents, 'name', p.name, 'recipient', p.recipient, 'description', p.description,
      'comment', p.comment, 'status', p.status, 'created_at', p.created_at, 'updated_at', p.updated_at
    )
  from rows from (unnest(_orders), unnest(_made)) with ordinality o
  left join payments p on p.platform_id = coalesce(_platform_id, o.platform_id) and p.id = o.id
  where o.outcome = 'accepted' and o.payee_platform_id <> o.platform_id
  order by o.ordinality;
  return true;
end $$;
