-- The numbers of checks, each given once on its account. The platforms share accounts, so the number determines the platform.

create table check_numbers (
  account_digest bytea not null,
  serial         bigint not null,
  platform_id    uuid not null,
  leg_id         uuid not null,
  primary key (account_digest, serial)
);

insert into check_numbers (account_digest, serial, platform_id, leg_id)
select account_digest, serial, platform_id, leg_id
from paper_checks;

alter table paper_checks
  drop constraint paper_checks_account_digest_serial_key,
  -- The files are of all platforms. On a cluster their rows may be on another node.
  drop constraint paper_checks_issue_file_id_fkey,
  drop constraint paper_checks_paid_file_id_fkey,
  drop constraint paper_checks_print_file_id_fkey,
  drop constraint paper_checks_stop_file_id_fkey,
  drop constraint paper_checks_void_file_id_fkey;
