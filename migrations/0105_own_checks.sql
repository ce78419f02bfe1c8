-- A scanned check that this service issued: the payment that it pays out, which may be on another platform. All three are set, or none.
alter table scanned_checks add own_platform_id uuid;
alter table scanned_checks add own_payment_id uuid;
alter table scanned_checks add own_leg_id uuid;

-- Such a check is paid without a list of the bank.
alter table paper_checks drop constraint paper_checks_check;
