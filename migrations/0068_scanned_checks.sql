-- Checks that arrived in the mail of a mailbox. Each is a payment to the user, drawn on an account that is used for it only.
alter table payments drop constraint payments_kind_check;
alter table payments add constraint payments_kind_check
  check (kind in ('DIGITAL', 'PHYSICAL', 'MULTI', 'SCANNED')) not valid;
alter table payments validate constraint payments_kind_check;

create table scanned_checks (
  platform_id  uuid not null,
  payment_id   uuid not null,
  letter_id    uuid not null,
  bank_id      uuid not null,               -- the account that the check is drawn on
  number       text not null,               -- without leading zeros
  primary key (platform_id, payment_id)
);

-- The checks of a letter.
create index scanned_checks_letter on scanned_checks (platform_id, letter_id);
-- The same check is never scanned twice.
create index scanned_checks_number on scanned_checks (platform_id, number);
