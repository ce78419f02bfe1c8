-- Applies a change of an invoice that was made on the platform of its recipient to the row of its sender, and records the event for
-- webhooks. The recipient gets a mail when the invoice is unpaid again.
--
--   _position   of the message
--   _content    see change_invoice_status_v1
--
-- Returns whether a webhook is now due. A message that was applied before does nothing.
--
-- Locks: the invoice.
create or replace function follow_invoice_v1(
  _platform_id uuid, _invoice_id uuid, _position bigint, _content json, _now timestamptz
) returns boolean language plpgsql as $$
declare
  change record;
  invoice invoices;
begin
  select * into change from json_to_record(_content) as c (status text, payment_id uuid, event_id uuid, body text);
  update invoices
  set
    version = _position, status = change.status, payment_id = change.payment_id, updated_at = _now,
    notice = case when notice is not null and change.status = 'UNPAID' then 'RETURNED' else notice end,
    notice_at = case when notice is not null and change.status = 'UNPAID' then '-infinity' else notice_at end
  where platform_id = _platform_id and id = _invoice_id and version < _position
  returning * into invoice;
  return found and deliver_payment_news_v1(_platform_id, array[row(
    _platform_id, change.event_id, _invoice_id, change.body, _now, _now, array[invoice.sender_id, _platform_id], null
  )::payment_news], 'INVOICE');
end $$;
