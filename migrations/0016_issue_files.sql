-- Data for the bank about issued and voided checks: the date and the payee as printed, and the full account number.
alter table paper_checks
  add column issued_on     date, -- the date on the check
  add column payee         text, -- as printed on the check
  add column issue_file_id uuid references bank_files deferrable initially deferred, -- the file that lists it as issued
  add column void_file_id  uuid references bank_files deferrable initially deferred; -- the file that lists it as void

update paper_checks c
set issued_on = (p.created_at at time zone 'UTC')::date, payee = p.name
from payments p
where p.platform_id = c.platform_id and p.id = c.payment_id;

alter table paper_checks
  alter column issued_on set not null,
  alter column payee set not null,
  add check (void_file_id is null or stopped_at is not null);

-- Null: no check has been drawn on the account since this column was added.
alter table check_serials add column account_sealed bytea;

-- Worker step "write check files": checks to list as issued or as void.
create index paper_checks_to_issue on paper_checks (serial) where issue_file_id is null and paid_on is null;
create index paper_checks_to_void on paper_checks (serial) where stopped_at is not null and void_file_id is null;

-- Worker step "follow bank files": the checks of a platform in an issue file.
create index paper_checks_issue_file on paper_checks (issue_file_id, platform_id) where issue_file_id is not null;
create index paper_checks_void_file on paper_checks (void_file_id, platform_id) where void_file_id is not null;
