-- The NACHA files within a file from the bank. A file can contain several, and each is checked separately.
create table ach_inbound_parts (
  inbound_file_id uuid not null references ach_inbound_files,
  line            integer not null,         -- its first line
  content_hash    bytea not null,           -- of its records, whatever the line breaks
  primary key (inbound_file_id, line)
);

-- Worker step "read ACH files": whether the content has been used before.
create unique index ach_inbound_parts_content_hash on ach_inbound_parts (content_hash);
