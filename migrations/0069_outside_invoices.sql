-- Invoices to people who are not users: mail with a link, reminders, and the authorization of the debit that pays.

-- A person without an account who pays an invoice. It holds the bank and sends the payment. No list shows it, and nobody signs in as it.
alter table users add column is_guest boolean not null default false;

-- Null: outside the platform, and nobody has given an account to pay from yet.
alter table invoices alter column recipient_id drop not null;
-- The mail to a person outside. Null: a user of the platform, or a person without an email.
alter table invoices add column notice text check (notice in ('SENT', 'REMINDER', 'RETURNED'));
alter table invoices add column notice_at timestamptz;  -- real time; null: nothing is to be sent
alter table invoices add column remind_at timestamptz;  -- platform's time of the next reminder
alter table invoices add column reminders integer not null default 0;

-- The mail that is due.
create index invoices_notice on invoices (platform_id, notice_at) where notice_at is not null;
-- The reminders that are due.
create index invoices_remind on invoices (platform_id, remind_at) where remind_at is not null and status = 'UNPAID';

-- Links to invoices, by the hash of their token.
create table invoice_links (
  token_hash  bytea primary key,
  platform_id uuid not null,
  invoice_id  uuid not null,
  expires_at  timestamptz not null -- real time
);

-- For the deletion of old links.
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
