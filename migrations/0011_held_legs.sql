-- A leg is held when the bank reports something about it that does not match. Until the operator decides, neither this
-- leg nor a payout that depends on it moves.
alter table legs
  add column held_at     timestamptz,
  add column held_reason text,
  add check ((held_at is null) = (held_reason is null));

-- The held legs of a payment or a bank. A leg that is added later is held as well.
create index legs_held on legs (platform_id, subject_id) where held_at is not null;

-- Due work, and the worker steps "write ACH files" and "write check files": legs that are not held.
drop index legs_due;
create index legs_due on legs (next_at) where next_at is not null and held_at is null;
drop index legs_next_at;
create index legs_next_at on legs (platform_id, next_at, id) where next_at is not null and held_at is null;
drop index legs_file_at;
create index legs_file_at on legs (rail, file_at) where file_at is not null and held_at is null;
