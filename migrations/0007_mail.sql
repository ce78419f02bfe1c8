-- Outgoing email. Without a mail server, emails are kept for reading. The content is sealed because it can contain a code.
create table mails (
  id              uuid primary key,
  recipient       text not null,
  content_sealed  bytea not null, -- subject and text
  status          text not null check (status in ('KEPT', 'PENDING', 'SENT', 'FAILED')),
  attempt_count   integer not null default 0,
  next_attempt_at timestamptz,
  created_at      timestamptz not null,
  check ((status = 'PENDING') = (next_attempt_at is not null))
);

-- Worker step "send mail": emails that are due.
create index mails_due on mails (next_attempt_at) where status = 'PENDING';

-- The list of kept emails. Worker step "sweep mail": old emails.
create index mails_created_at on mails (created_at, id);
