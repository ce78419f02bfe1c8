-- The entries of a file are used in groups, each in a transaction of its own. A worker that is killed goes on behind the
-- last group.
alter table ach_inbound_files
  add column entries_done integer not null default 0,
  add column completed_at timestamptz;      -- everything of it was tried, and its report is made

update ach_inbound_files
set completed_at = read_at;
