-- Requests for a payment. An invoice to a user of another platform has a row on the platform of the sender, and one on that of the
-- recipient, where it is paid.
create table invoices (
  platform_id           uuid not null,
  id                    uuid not null,
  sender_platform_id    uuid,                                -- of the recipient's row: where the other row is
  sender_id             uuid not null,                       -- the user that is paid
  recipient             text not null,                       -- as the sender entered it
  recipient_platform_id uuid,                                -- of the sender's row: where the other row is
  recipient_id          uuid,                                -- the payer; null: a person without an account, before giving a bank
  copy_platform_id      uuid,                                -- of the account that this invoice was added to, which has a copy
  status                text not null check (status in ('UNPAID', 'IN_PROCESS', 'PAID', 'VOID')),
  number                text not null,
  amount_cents          bigint not null check (amount_cents > 0),
  name                  text not null,
  description           text not null,
  due_date              date,
  terms                 text,
  items                 jsonb,                               -- the lines, as InvoiceItem of invoice-items-rules.ts
  account_id            uuid,                                -- is paid into; null: the sender's default bank at the time of the payment
  payment_id            uuid,
  attachment_name       text,
  attachment            bytea,                               -- a PDF
  has_file_elsewhere    boolean not null default false,      -- the sender's row has the attachment
  notice                text check (notice in ('SENT', 'REMINDER', 'RETURNED')), -- the mail to a payer without an account
  notice_at             timestamptz,                         -- real time; null: nothing is to be sent
  remind_at             timestamptz,                         -- the platform's time of the next reminder
  reminders             integer not null default 0,
  requested_at          timestamptz[] not null default '{}', -- when the sender asked for another mail, in real time; they count for a day
  version               bigint not null default 0,           -- of the sender's row: the last message that was applied
  created_at            timestamptz not null,
  updated_at            timestamptz not null,
  primary key (platform_id, id),
  check (sender_id <> recipient_id),
  check ((status in ('IN_PROCESS', 'PAID')) = (payment_id is not null))
);

-- GET /v3/invoice: sent and received invoices.
create index invoices_sender on invoices (platform_id, sender_id, created_at, id);
create index invoices_recipient on invoices (platform_id, recipient_id, created_at, id);

-- Removal of a user: the invoices that end with their sender.
create index invoices_unpaid on invoices (platform_id, sender_id) where status = 'UNPAID';

-- Worker step "mail invoices": the mail that is due.
create index invoices_notice on invoices (platform_id, notice_at) where notice_at is not null;

-- Due work: the reminders that are due.
create index invoices_remind on invoices (platform_id, remind_at) where remind_at is not null and status = 'UNPAID';

-- Copies of invoices to people without an account, on the platform of the account that they were added to. The invoice stays with its
-- sender, and is paid on its page.
create table received_invoices (
  platform_id        uuid not null,
  invoice_id         uuid not null,
  sender_platform_id uuid not null,
  sender_id          uuid not null,
  sender             text not null,             -- the name
  recipient          text not null,
  status             text not null check (status in ('UNPAID', 'IN_PROCESS', 'PAID', 'VOID')),
  number             text not null,
  amount_cents       bigint not null,
  name               text not null,
  description        text not null,
  due_date           date,
  terms              text,
  items              jsonb,
  has_attachment     boolean not null,
  version            bigint not null default 0, -- the position of the last message that was applied
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  primary key (platform_id, invoice_id)
);

-- GET /v3/invoice: the invoices that were added to an account.
create index received_invoices_date on received_invoices (platform_id, created_at, invoice_id);

-- Links to invoices, by the hash of their token.
create table invoice_links (
  token_hash   bytea primary key,
  platform_id  uuid not null,
  invoice_id   uuid not null,
  is_view_only boolean,             -- shows the invoice, and takes no account and no payment; null: takes both
  expires_at   timestamptz not null -- real time
);

-- Worker step "sweep recipient links": old links.
create index invoice_links_expires on invoice_links (expires_at);

-- The permission of a person without an account to debit its bank once. Kept as evidence.
create table debit_authorizations (
  platform_id uuid not null,
  id          uuid not null,
  invoice_id  uuid not null,
  payment_id  uuid not null,
  bank_id     uuid not null,
  text        text not null,        -- that the person agreed to
  address     text not null,        -- from which it was given
  given_at    timestamptz not null, -- real time
  primary key (platform_id, id)
);

-- The authorization of a payment.
create unique index debit_authorizations_payment on debit_authorizations (platform_id, payment_id);
