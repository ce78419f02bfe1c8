-- Changes the status of an invoice, if it has one of the expected statuses and the expected payment, and records the event for webhooks.
--
--   _from             the expected statuses
--   _payment_before   the expected payment, or null for none
--   _body             the body of the webhook, byte for byte
--   changed           whether the invoice was as expected
--   is_due            whether a webhook or a message to another platform is now due
--
-- If the sender is on another platform, that platform gets a message. A payer without an account gets a mail when the invoice is unpaid
-- again. If that payer signed up, the copy on the payer's platform is changed.
--
-- Locks: the invoice.
create or replace function change_invoice_status_v1(
  _platform_id uuid, _invoice_id uuid, _from text[], _to text, _payment_before uuid, _payment_after uuid, _event_id uuid,
  _body text, _now timestamptz,
  out changed boolean, out is_due boolean
) language plpgsql as $$
declare
  invoice invoices;
begin
  update invoices
  set
    status = _to, payment_id = _payment_after, updated_at = _now,
    notice = case when notice is not null and _to = 'UNPAID' then 'RETURNED' else notice end,
    notice_at = case when notice is not null and _to = 'UNPAID' then '-infinity' else notice_at end
  where platform_id = _platform_id and id = _invoice_id and status = any (_from)
    and payment_id is not distinct from _payment_before
  returning * into invoice;
  changed := found;
  if changed then
    is_due := deliver_payment_news_v1(_platform_id, array[row(
      _platform_id, _event_id, _invoice_id, _body, _now, _now, array[invoice.sender_id, invoice.recipient_id, _platform_id], null
    )::payment_news], 'INVOICE');
    if invoice.sender_platform_id is not null then
      insert into outbox (platform_id, target_platform_id, kind, subject_id, content)
      values (
        _platform_id, invoice.sender_platform_id, 'invoice_changed', _invoice_id,
        json_build_object('status', _to, 'payment_id', _payment_after, 'event_id', _event_id, 'body', _body)
      );
      is_due := true;
    end if;
    if invoice.copy_platform_id is not null then
      insert into outbox (platform_id, target_platform_id, kind, subject_id, content)
      values (
        _platform_id, invoice.copy_platform_id, 'invoice_copy_changed', _invoice_id,
        json_build_object('status', _to, 'updated_at', _now)
      );
      is_due := true;
    end if;
  end if;
end $$;
