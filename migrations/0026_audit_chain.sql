-- The chain of a platform's audit entries. Each digest is an HMAC over the previous digest and all columns of the entry,
-- with a key that is not in the database. Rows are only added. The sequence starts at 1 and has no gaps.
create table audit_seals (
  platform_id uuid not null,
  sequence    bigint not null check (sequence > 0),
  entry_id    uuid not null,
  key_id      text not null,                -- the master key from which the HMAC key is derived
  digest      bytea not null,
  primary key (platform_id, sequence),
  unique (platform_id, entry_id)
);

-- Entries that worker step "seal audit entries" has not sealed yet.
create table audit_unsealed (
  platform_id uuid not null,
  entry_id    uuid not null,
  primary key (platform_id, entry_id)
);

-- Existing entries are sealed as they are now.
insert into audit_unsealed (platform_id, entry_id)
select platform_id, id
from audit_entries;
