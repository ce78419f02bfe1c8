-- Outgoing files for the bank and the printer. All platforms share them. A file is committed with its bytes before it
-- is written. Payouts depend on its status.
create table bank_files (
  id                      uuid primary key,
  number                  bigint not null unique, -- consecutive: shows whether database and folder are equally old
  kind                    text not null check (kind in ('ach', 'print', 'stop', 'issue')),
  name                    text not null unique,   -- as operators see it: 20261122-A, print-ID
  status                  text not null
                            check (status in ('WRITTEN', 'TRANSMITTED', 'ACCEPTED', 'REJECTED', 'CANCELED')),
  effective_at            timestamptz,            -- when its entries settle if it is on time; null: no entries
  settles_at              timestamptz,            -- when they settle, set when it is accepted
  created_at              timestamptz not null,
  published_at            timestamptz,            -- when the complete file was in outbound/
  transmitted_at          timestamptz,
  ended_at                timestamptz,            -- when it was accepted, rejected or canceled
  transmission_late_at    timestamptz,            -- when the missing transmission was reported
  acknowledgement_late_at timestamptz,            -- when the missing acknowledgement was reported
  attention               text,                   -- why a person must look at it
  check (status = 'CANCELED' or ended_at is null or transmitted_at is not null)
);

-- Worker step "exchange bank files": files without a final status, oldest first.
create index bank_files_open on bank_files (number) where status in ('WRITTEN', 'TRANSMITTED');

-- The physical files of a bank file, in the order in which they are written.
create table bank_file_parts (
  file_id        uuid not null references bank_files,
  position       integer not null,
  name           text not null unique,
  content_sealed bytea not null,
  primary key (file_id, position)
);

-- The platforms with legs in a file. When the status of the file changes, the legs follow it platform by platform:
-- is_due is true until they have.
create table bank_file_platforms (
  file_id     uuid not null references bank_files,
  platform_id uuid not null,
  is_due      boolean not null default false,
  primary key (file_id, platform_id)
);

-- Worker step "follow bank files": platforms whose legs have not followed a file yet.
create index bank_file_platforms_due on bank_file_platforms (file_id, platform_id) where is_due;

-- Connects the database with its exchange folder. After a restore the two differ, and the service writes no file until
-- the operator has stated which files the bank has.
create table bank_file_exchange (
  is_only     boolean primary key default true check (is_only),
  exchange_id uuid not null
);

-- New statuses: ACCEPTED by the bank, and STOPPING a paper check.
alter table legs drop constraint legs_status_check;
alter table legs add constraint legs_status_check check (
  status in ('WAITING', 'SENT', 'ACCEPTED', 'SETTLED', 'TRUSTED', 'STOPPING', 'RETURNED', 'CANCELLED')
);

-- A recalled entry frees its leg for another file: the entry was rejected, or its file was rejected or canceled.
alter table ach_entries
  add column is_rejected boolean not null default false, -- this entry only, in a file that was accepted
  add column recalled_at timestamptz,
  drop constraint ach_entries_platform_id_leg_id_key;

-- The file of a leg.
create unique index ach_entries_leg on ach_entries (platform_id, leg_id) where recalled_at is null;

-- Worker step "follow bank files": the legs of a platform in a file.
create index ach_entries_platform on ach_entries (file_id, platform_id, trace_number);

-- Files of version 0.1. A file was accepted if the bank acknowledged it or if one of its legs has moved on since. The
-- service searches the folder for the others.
insert into bank_files (
  id, number, kind, name, status, effective_at, settles_at, created_at, published_at, transmitted_at, ended_at
)
select
  id, row_number() over (order by created_at, id), kind, name, case when is_accepted then 'ACCEPTED' else 'WRITTEN' end,
  effective_at, case when is_accepted then effective_at end, created_at, written_at,
  case when is_accepted then coalesce(written_at, created_at) end,
  case when is_accepted then coalesce(written_at, created_at) end
from (
  select
    f.id, 'ach' as kind, regexp_replace(f.name, '\.ach$', '') as name, f.created_at, f.written_at,
    (f.effective_date + time '08:30') at time zone 'America/New_York' as effective_at,
    exists (
      select 1
      from ach_acknowledgements a
      where a.file_id = f.id and a.outcome in ('accepted', 'accepted_with_errors')
    ) or exists (
      select 1
      from ach_entries e
      join legs l on l.platform_id = e.platform_id and l.id = e.leg_id
      where e.file_id = f.id and l.status in ('SETTLED', 'TRUSTED', 'RETURNED')
    ) as is_accepted
  from ach_files f
  union all
  select
    p.id, p.kind, p.kind || '-' || replace(p.id::text, '-', ''), p.created_at, p.written_at, null,
    p.kind = 'stop' and p.written_at is not null
  from print_files p
) files;

insert into bank_file_parts (file_id, position, name, content_sealed)
select id, 1, name, content_sealed
from ach_files
union all
select id, 1, kind || '-' || replace(id::text, '-', '') || '.pdf', pdf_sealed
from print_files
where pdf_sealed is not null
union all
select id, 2, kind || '-' || replace(id::text, '-', '') || '.csv', list_sealed
from print_files;

insert into bank_file_platforms (file_id, platform_id)
select distinct file_id, platform_id
from ach_entries
where platform_id is not null
union
select distinct print_file_id, platform_id
from paper_checks
where print_file_id is not null
union
select distinct stop_file_id, platform_id
from paper_checks
where stop_file_id is not null;

-- A leg settles only after its file was accepted.
update legs l
set next_event = null, next_at = null
from ach_entries e
join bank_files f on f.id = e.file_id
where e.platform_id = l.platform_id and e.leg_id = l.id and l.status = 'SENT' and f.status = 'WRITTEN';

alter table ach_files
  add constraint ach_files_id_fkey foreign key (id) references bank_files,
  drop column name,
  drop column content_sealed,
  drop column created_at,
  drop column written_at;

alter table paper_checks
  drop constraint paper_checks_print_file_id_fkey,
  drop constraint paper_checks_stop_file_id_fkey,
  add constraint paper_checks_print_file_id_fkey foreign key (print_file_id) references bank_files
    deferrable initially deferred,
  add constraint paper_checks_stop_file_id_fkey foreign key (stop_file_id) references bank_files
    deferrable initially deferred;
drop table print_files;

-- Worker step "follow bank files": the checks of a platform in a print file and in a stop file.
create index paper_checks_print_file on paper_checks (print_file_id, platform_id) where print_file_id is not null;
create index paper_checks_stop_file on paper_checks (stop_file_id, platform_id) where stop_file_id is not null;
