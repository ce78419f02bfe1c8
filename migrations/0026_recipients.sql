-- The links in emails to recipients without an account. Anyone with the link can choose the destination. Each mail about a payment has a
-- link of its own, and earlier ones still work.
create table recipient_links (
  token_hash   bytea primary key,          -- SHA-256 of the token
  platform_id  uuid not null,
  payment_id   uuid not null,
  position     integer not null default 0, -- the place of the recipient in a payment to several, otherwise 0
  wrong_pins   integer not null default 0,
  locked_until timestamptz,                -- set after wrong PINs
  sent_at      timestamptz[] not null,     -- recent emails for this payment, including those with earlier links
  expires_at   timestamptz not null        -- when the payment expires
);

-- The links of a payment: the emails so far, and the links to lock after wrong PINs.
create index recipient_links_payment on recipient_links (platform_id, payment_id);

-- Worker step "sweep recipient links": links too old to show even the result of the payment.
create index recipient_links_expires_at on recipient_links (expires_at);

-- Payments and invoices to people without an account, by the SHA-256 of their email, until an account with that verified address has them.
create table recipient_addresses (
  email_hash  bytea not null,
  platform_id uuid not null,    -- of the sender
  subject_id  uuid not null,
  kind        text not null check (kind in ('payment', 'invoice')),
  due         integer not null, -- how often it was requested since it was last matched; 0: it waits for its address
  primary key (email_hash, platform_id, subject_id)
);

-- Worker step "match recipients": payments and invoices to match, platform by platform.
create index recipient_addresses_due on recipient_addresses (platform_id, subject_id) where due > 0;

-- Payments whose email waits for a limit until due_at.
create table waiting_invitations (
  platform_id uuid not null,
  payment_id  uuid not null,
  due_at      timestamptz not null,
  primary key (platform_id, payment_id)
);

-- Worker step "invite recipients": platforms with emails that no longer wait.
create index waiting_invitations_due on waiting_invitations (due_at);

-- Recipients who refused further emails from all platforms.
create table mail_suppressions (
  email_digest bytea primary key,
  email_sealed bytea, -- so that a key rotation can compute the digest with another key
  created_at   timestamptz not null
);

-- Per platform: the recipients that it emailed for the first time on its last UTC day.
create table mail_senders (
  platform_id    uuid primary key,
  day            date not null,
  new_recipients integer not null,
  is_reported    boolean not null -- the owner was notified that the limit of that day is reached
);

-- The recipients that a platform has emailed, with the last day and the emails of that day.
create table mail_recipients (
  platform_id  uuid not null,
  email_digest bytea not null,
  day          date not null,
  mail_count   integer not null,
  primary key (platform_id, email_digest)
);

-- Emails of one day to an address, from all platforms with unverified owners.
create table mail_addresses (
  email_digest bytea primary key,
  day          date not null,
  mail_count   integer not null
);

-- Worker step "sweep mail": counts of past days.
create index mail_addresses_day on mail_addresses (day);
