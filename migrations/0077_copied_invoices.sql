-- The platform of the account that an invoice to a person outside was added to. It has a copy. The invoice stays here, and is paid on its page.
alter table invoices add column copy_platform_id uuid;

-- The copies, on the platform of the account.
create table received_invoices (
  platform_id        uuid        not null,
  invoice_id         uuid        not null,
  sender_platform_id uuid        not null,
  sender_id          uuid        not null,
  sender             text        not null, -- the name
  status             text        not null check (status in ('UNPAID', 'IN_PROCESS', 'PAID', 'VOID')),
  number             text        not null,
  amount_cents       bigint      not null,
  name               text        not null,
  recipient          text        not null,
  description        text        not null,
  has_attachment     boolean     not null,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  version            bigint      not null default 0, -- the position of the last message that was applied
  primary key (platform_id, invoice_id)
);

-- The list of an account.
create index received_invoices_date on received_invoices (platform_id, created_at, invoice_id);

alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (
    kind in (
      'payment_created', 'payment_changed', 'audited', 'card_moved', 'account_returned', 'account_corrected', 'invoice_created',
      'invoice_changed', 'invoice_voided', 'invoice_audited', 'invoice_copied', 'invoice_copy_changed'
    )
  ) not valid;
alter table outbox validate constraint outbox_kind_check;

insert into recipient_addresses (email_hash, platform_id, subject_id, kind, due)
select sha256(convert_to(lower(recipient), 'UTF8')), platform_id, id, 'invoice', 0
from invoices
where notice is not null;
update receiving_addresses set is_new = true where verified_at is not null;
