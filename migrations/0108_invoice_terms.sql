-- What the sender of an invoice may add. `items`: the lines in whole units, as `InvoiceItem` of src/orders/invoice/invoice-items-rules.ts.
alter table invoices add due_date date;
alter table invoices add terms text;
alter table invoices add items jsonb;
alter table received_invoices add due_date date;
alter table received_invoices add terms text;
alter table received_invoices add items jsonb;

-- A link that shows an invoice and takes no account and no payment. Null: it does.
alter table invoice_links add is_view_only boolean;

-- Finds the payments of an invoice, for its timeline.
create index payments_invoice on payments (platform_id, invoice_id) where invoice_id is not null;
-- Finds the mails about an invoice that somebody asked for, for its timeline.
create index audit_entries_reminders on audit_entries (platform_id, subject) where action = 'invoice_reminded';
