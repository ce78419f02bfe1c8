-- The service uses the entries of a file in groups, one transaction for each. After a crash it continues behind the
-- last group.
alter table ach_inbound_files
  add column entries_done integer not null default 0,
  add column completed_at timestamptz;      -- when all entries were tried and the report was written

update ach_inbound_files
set completed_at = read_at;
