-- Subscriptions whose invoices go to another platform: the row of the sender, and a copy where the invoices are paid, with the autopay.
alter table subscriptions add column recipient_platform_id uuid;          -- of the sender's row: where the copy is
alter table subscriptions add column sender_platform_id    uuid;          -- of the copy: where the sender's row is
alter table subscriptions add column has_autopay_elsewhere boolean not null default false; -- of the sender's row: the copy has it
alter table subscriptions add column version               bigint  not null default 0;     -- the last message that was applied

-- Runs are due on the platform of the sender only.
alter table subscriptions drop constraint subscriptions_check;
alter table subscriptions add constraint subscriptions_check
  check ((state = 'ACTIVE' and sender_platform_id is null) <> (next_at is null)) not valid;
alter table subscriptions validate constraint subscriptions_check;

alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check check (kind in (
  'payment_created', 'payment_changed', 'audited', 'card_moved', 'account_returned', 'account_corrected',
  'invoice_created', 'invoice_changed', 'invoice_voided', 'invoice_audited', 'invoice_copied', 'invoice_copy_changed',
  'subscription_changed', 'autopay_changed'
)) not valid;
alter table outbox validate constraint outbox_kind_check;
