-- Email to recipients: who wants none, and how many were sent. Addresses are stored as digests.

-- Recipients who refused further emails from all platforms.
create table mail_suppressions (
  email_digest bytea primary key,
  created_at   timestamptz not null
);

-- Per platform: the recipients that it emailed for the first time on its last UTC day.
create table mail_senders (
  platform_id    uuid primary key,
  day            date not null,
  new_recipients integer not null,
  is_reported    boolean not null -- the owner was told that the limit of that day is reached
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

-- Payments whose email waits for a limit until due_at.
create table waiting_invitations (
  platform_id uuid not null,
  payment_id  uuid not null,
  due_at      timestamptz not null,
  primary key (platform_id, payment_id)
);

-- Worker step "invite recipients": platforms with emails that no longer wait.
create index waiting_invitations_due on waiting_invitations (due_at);
