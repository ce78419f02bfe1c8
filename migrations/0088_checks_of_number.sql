-- In production, a check that was scanned for a mailbox of one platform is not listed on another one.
create index scanned_checks_of_number on scanned_checks (number);
