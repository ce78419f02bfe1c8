-- The NACHA files in a file of the bank, which may hold several. Each is judged by itself.
create table ach_inbound_parts (
  inbound_file_id uuid not null references ach_inbound_files,
  line            integer not null,         -- its first one
  content_hash    bytea not null,           -- of its records, however they were stored
  primary key (inbound_file_id, line)
);

-- Whether a file was used before: what was used once is never used again.
create unique index ach_inbound_parts_content_hash on ach_inbound_parts (content_hash);
