-- Files that go to a bank or a printer (out), and files that come from it (in). All platforms share them. A file that goes out is committed
-- with its bytes before it is sent, and payouts depend on its status.
create table exchanges (
  id                      uuid primary key,
  connection_id           text not null,          -- in connections.json
  direction               text not null check (direction in ('out', 'in')),
  number                  bigint,                 -- out: consecutive, shows whether the database and the folder are equally old
  kind                    text not null
    check (kind in (
      'ach', 'print', 'stop', 'issue', 'checkbook', 'orders', 'recall', 'paid checks', 'mail', 'mail scan', 'statement', 'order answers'
    )),
  name                    text not null,          -- out: as operators see it, 20261122-A or print-ID; in: as at the bank
  status                  text not null
    check (status in ('WRITTEN', 'TRANSMITTED', 'ACCEPTED', 'REJECTED', 'CANCELED', 'RECEIVED', 'READ', 'SET_ASIDE')),
  digest                  bytea not null,         -- SHA-256 of the bytes of all parts in order; of a file to a bank, before PGP
  byte_count              bigint not null,        -- of the same bytes
  problem                 text,                   -- in: why the file is not read, although its bytes are here
  effective_at            timestamptz,            -- when its entries settle if it is on time; null: no entries
  settles_at              timestamptz,            -- when they settle, set when it is accepted
  created_at              timestamptz not null,   -- in: when its bytes were committed here
  published_at            timestamptz,            -- out: from then on the bank may have it
  absent_at               timestamptz,            -- out: when the operator said that the bank does not have it, so that it is sent
  transmitted_at          timestamptz,
  proof                   text check (proof in ('moved', 'bytes', 'size', 'taken', 'told')), -- the proof that it was transmitted
  resent_at               timestamptz,            -- the bank may have both copies, so the rejection of one says nothing about the other
  ended_at                timestamptz,            -- when it was accepted, rejected, canceled, read or set aside
  modified_at             timestamptz,            -- in: as the bank's server said
  removed_at              timestamptz,            -- in: when it was removed from the bank's server, so that its name is free
  bytes_deleted_at        timestamptz,            -- when its bytes were deleted, keep_bytes_days after it ended
  transmission_late_at    timestamptz,            -- when the missing transmission was reported
  acknowledgement_late_at timestamptz,            -- when the missing acknowledgement was reported
  attention               text,                   -- why the operator must review it
  check ((direction = 'out') = (number is not null)),
  check ((direction = 'in') = (status in ('RECEIVED', 'READ', 'SET_ASIDE'))),
  check (status = 'CANCELED' or direction = 'in' or ended_at is null or transmitted_at is not null)
);

-- A new file: its number and its name.
create unique index exchanges_number on exchanges (connection_id, number) where direction = 'out';
create unique index exchanges_name on exchanges (name) where direction = 'out';

-- A file of the bank: whether its name and content were received before.
create unique index exchanges_received on exchanges (connection_id, name, digest) where direction = 'in';

-- Worker step "exchange bank files": files without a final status, oldest first.
create index exchanges_open on exchanges (connection_id, number) where status in ('WRITTEN', 'TRANSMITTED');

-- Worker steps that read files of the bank: those that were not read yet.
create index exchanges_unread on exchanges (connection_id, kind, name) where status = 'RECEIVED';

-- Bytes to delete: exchanges that have ended, oldest first. Those of ACH files to a bank stay for the rotation of master keys.
create index exchanges_ended on exchanges (connection_id, ended_at)
  where ended_at is not null and bytes_deleted_at is null and (direction = 'in' or kind <> 'ach');

-- The physical files of an exchange, in the order in which they are sent.
create table exchange_parts (
  file_id        uuid not null references exchanges,
  position       integer not null,
  name           text not null,
  content_sealed bytea,        -- null: deleted, a while after the exchange ended
  wire_sealed    bytea,        -- the bytes that were sent, if PGP made others
  published_at   timestamptz,  -- from then on the bank may have this part
  transmitted_at timestamptz,  -- when it was proven to be at the bank
  primary key (file_id, position)
);

-- The platforms with legs in a file. When the status of the file changes, a worker step updates the legs of one platform after the other:
-- is_due is true until the platform's legs are updated. due_count counts how often it was set, because the file can change during the update.
create table exchange_platforms (
  file_id     uuid not null references exchanges,
  platform_id uuid not null,
  is_due      boolean not null default false,
  due_count   integer not null default 0,
  primary key (file_id, platform_id)
);

-- Worker step "follow bank files": platforms whose legs have not followed a file yet.
create index exchange_platforms_due on exchange_platforms (file_id, platform_id) where is_due;

-- The state of each connection that was ever used.
create table connection_states (
  connection_id text primary key,
  exchange_id   uuid,                 -- ties the database to the state folder: after a restore the two differ, and no file is written
  heard_at      timestamptz,          -- everything that the bank had put into its folder before this time was read
  contacted_at  timestamptz,          -- the last session that succeeded
  tries         integer not null default 0, -- sessions that failed since contacted_at
  next_try_at   timestamptz,
  last_problem  text,
  read_count    bigint not null default 0, -- files of the bank that were read, and sessions in which a processor got orders:
  order_count   bigint not null default 0, -- a state folder with a higher number shows that the database was restored
  leased_until  timestamptz,          -- one process works on the connection until then
  lease_id      uuid
);

-- Statements of the operator about the files that a bank has, made after a restore of the database.
create table exchange_recoveries (
  connection_id text not null,
  recovered_at  timestamptz not null,
  has_gaps      boolean not null, -- some content is unknown: older legs need the operator's decision
  statement     json not null,
  primary key (connection_id, recovered_at)
);
