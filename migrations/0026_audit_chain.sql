-- The chain of a platform's audit entries: each seal is an HMAC over the digest before it and all columns of its entry, by
-- a key that lies outside the database. Rows are only added. `sequence` counts from 1 without gaps, in the order of sealing.
create table audit_seals (
  platform_id uuid not null,
  sequence bigint not null check (sequence > 0),
  entry_id uuid not null,
  -- the master key of which the key of the HMAC is derived
  key_id text not null,
  digest bytea not null,
  primary key (platform_id, sequence),
  unique (platform_id, entry_id)
);

-- Entries that are committed and not sealed yet: `seal audit entries`.
create table audit_unsealed (
  platform_id uuid not null,
  entry_id uuid not null,
  primary key (platform_id, entry_id)
);

-- Entries of before are sealed as they are now.
insert into audit_unsealed (platform_id, entry_id)
select platform_id, id
from audit_entries;
