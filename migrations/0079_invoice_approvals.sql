-- An approval can be of the payment of an invoice.
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check
  check (kind in ('DIGITAL', 'PHYSICAL', 'MULTI', 'BATCH', 'INVOICE')) not valid;
alter table approvals validate constraint approvals_kind_check;
alter table approvals add column invoice_id uuid; -- of kind INVOICE

-- One payment of an invoice can wait. The page of the invoice reads it.
create unique index approvals_invoice on approvals (platform_id, invoice_id) where status = 'UNPAID' and invoice_id is not null;
