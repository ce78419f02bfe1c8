-- Settings of the whole database: its environment, and the id of the master key that computes digests.
create table settings (
  name  text primary key,
  value text not null
);

-- The master keys that have sealed data in this database. The service refuses to start without one of them.
create table master_keys (
  id          text primary key,
  fingerprint bytea not null
);
