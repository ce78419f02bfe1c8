-- A leg is held when the bank says something about it that does not fit. Nothing of its payment moves by itself until an
-- operator has looked: not this leg, and not a payout that depends on it.
alter table legs
  add column held_at     timestamptz,
  add column held_reason text,
  add check ((held_at is null) = (held_reason is null));

-- What is held: the legs of a payment or a bank together, also those that are added later.
create index legs_held on legs (platform_id, subject_id) where held_at is not null;

-- What falls due, and what goes into files, without what is held.
drop index legs_due;
create index legs_due on legs (next_at) where next_at is not null and held_at is null;
drop index legs_next_at;
create index legs_next_at on legs (platform_id, next_at, id) where next_at is not null and held_at is null;
drop index legs_file_at;
create index legs_file_at on legs (rail, file_at) where file_at is not null and held_at is null;
