-- Checks on an account of the operator are numbered by account, not by sender: account and number tell the bank which one
-- is meant.
create table check_serials (
  account_digest bytea primary key,         -- as in paper_checks
  last_serial    bigint not null
);

alter table paper_checks add column serial bigint check (serial > 0);

with numbered as (
  select platform_id, leg_id, row_number() over (partition by account_digest order by leg_id) as serial
  from paper_checks
)
update paper_checks c
set serial = n.serial
from numbered n
where n.platform_id = c.platform_id and n.leg_id = c.leg_id;

insert into check_serials (account_digest, last_serial)
select account_digest, max(serial)
from paper_checks
group by account_digest;

-- Also: which check a paid item is about.
alter table paper_checks
  drop column number,
  alter column serial set not null,
  add unique (account_digest, serial);
