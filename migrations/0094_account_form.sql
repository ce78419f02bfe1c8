-- Account numbers are compared without their leading zeros, so that a user can have two banks with one digest.
drop index banks_account;
create index banks_account on banks (platform_id, user_id, account_digest) where deleted_at is null;
