-- Requests for a payment.
create table invoices (
  platform_id     uuid not null,            -- of the sender
  id              uuid not null,
  sender_id       uuid not null,            -- the user that is paid
  recipient_id    uuid not null,            -- the user of the platform that pays
  recipient       text not null,            -- as the sender entered it
  status          text not null check (status in ('UNPAID', 'IN_PROCESS', 'PAID', 'VOID')),
  number          text not null,
  amount_cents    bigint not null check (amount_cents > 0),
  name            text not null,
  description     text not null,
  account_id      uuid,                     -- is paid into; null: the sender's default bank at the time of the payment
  payment_id      uuid,
  attachment_name text,
  attachment      bytea,                    -- a PDF
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (platform_id, id),
  check (sender_id <> recipient_id),
  check ((status in ('IN_PROCESS', 'PAID')) = (payment_id is not null))
);

-- GET /v3/invoice.
create index invoices_sender on invoices (platform_id, sender_id, created_at, id);
create index invoices_recipient on invoices (platform_id, recipient_id, created_at, id);
-- The invoices that end with their sender.
create index invoices_unpaid on invoices (platform_id, sender_id) where status = 'UNPAID';

-- The invoice that a payment pays.
alter table payments add column invoice_id uuid;
