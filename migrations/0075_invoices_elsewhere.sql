-- Invoices to users of other platforms: a row on the platform of the sender, and one on that of the recipient, where it is paid.
alter table invoices add column recipient_platform_id uuid;          -- of the sender's row: where the other row is
alter table invoices add column sender_platform_id    uuid;          -- of the recipient's row: where the other row is
alter table invoices add column has_file_elsewhere    boolean not null default false; -- the sender's row has the attachment
alter table invoices add column version               bigint not null default 0;      -- of the sender's row: the last message that was applied

alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check check (kind in (
  'payment_created', 'payment_changed', 'audited', 'card_moved', 'account_returned', 'account_corrected',
  'invoice_created', 'invoice_changed', 'invoice_voided', 'invoice_audited'
)) not valid;
alter table outbox validate constraint outbox_kind_check;

alter type payment_order add attribute recipient_platform uuid; -- of `recipient_user`, if it is another one
