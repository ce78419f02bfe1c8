-- Actions with their actor, time and address.
create table audit_entries (
  platform_id uuid not null,
  id          uuid not null,
  action      text not null,
  actor       text not null, -- one of AUDIT_ACTORS
  actor_id    text,          -- the session, API key or application
  login_id    uuid,          -- the person who acted; null for a program, the operator and the service
  user_id     uuid,          -- the user on whose behalf
  subject     text,          -- the changed object
  address     text,
  user_agent  text,
  created_at  timestamptz not null,
  primary key (platform_id, id)
);

-- GET /v3/audit, newest first.
create index audit_entries_created_at on audit_entries (platform_id, created_at desc, id desc);

-- The timeline of an invoice: the reminders that members requested.
create index audit_entries_reminders on audit_entries (platform_id, subject) where action = 'invoice_reminded';

-- Entries that worker step "seal audit entries" has not sealed yet.
create table audit_unsealed (
  platform_id uuid not null,
  entry_id    uuid not null,
  primary key (platform_id, entry_id)
);

-- The chain of a platform's audit entries. Each digest is an HMAC over the previous digest and all columns of the entry,
-- with a key that is not in the database. Rows are only added. The sequence starts at 1 and has no gaps.
create table audit_seals (
  platform_id uuid not null,
  sequence    bigint not null check (sequence > 0),
  entry_id    uuid not null,
  key_id      text not null, -- the master key from which the HMAC key is derived
  digest      bytea not null,
  primary key (platform_id, sequence),
  unique (platform_id, entry_id)
);

-- Proof of the links of a chain that were made with a retired key: an HMAC, with another key, over all of them.
create table audit_closings (
  platform_id uuid not null,
  sequence    bigint not null, -- the last link that it covers
  key_id      text not null,
  digest      bytea not null,
  created_at  timestamptz not null,
  primary key (platform_id, key_id, sequence)
);
