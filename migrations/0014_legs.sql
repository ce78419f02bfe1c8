-- A leg is one movement over one rail: a debit pulls money, a credit pushes it.
create table legs (
  platform_id uuid not null,
  id          uuid not null,
  purpose     text not null check (purpose in ('payment_pull', 'payment_push', 'payment_refund', 'micro_deposit')),
  subject_id  uuid not null, -- the payment or the bank
  user_id     uuid not null, -- the holder of the account
  account_id  uuid,          -- the bank or destination; null for a paper check
  rail        text not null,
  direction   text not null check (direction in ('debit', 'credit')),
  cents       bigint not null check (cents > 0),
  status      text not null
    check (status in ('WAITING', 'SENT', 'ACCEPTED', 'SETTLED', 'TRUSTED', 'STOPPING', 'RETURNED', 'CANCELLED')),
  next_event  text check (next_event in ('send', 'settle', 'trust', 'return', 'cancel')), -- what happens at next_at
  next_at     timestamptz,
  fate        text check (fate in ('slow', 'corrected', 'returned', 'returned_late')), -- what the sandbox simulates
  return_code text,          -- of the return, or of the return that the sandbox simulates
  file_at     timestamptz,   -- the cutoff of the file that the leg waits for
  -- A leg is held when the bank reports something about it that does not match. Until the operator decides, neither this
  -- leg nor a payout that depends on it moves.
  held_at     timestamptz,
  held_reason text,
  stopped_by  uuid,          -- the holder or the owner, whose status prevents sending: the leg is not due until that status changes
  created_at  timestamptz not null,
  connection_id text,        -- whose file it was sent in
  sent_at     timestamptz,
  settled_at  timestamptz,
  returned_at timestamptz,
  booked_line_id uuid,       -- the line of a bank statement that books it
  return_line_id uuid,       -- the line that books its return
  primary key (platform_id, id),
  check ((next_event is null) = (next_at is null)),
  check ((held_at is null) = (held_reason is null))
);

-- Due work: the due legs of one platform, in order; and the platforms that have any.
create index legs_next_at on legs (platform_id, next_at, id) where next_at is not null and held_at is null;
create index legs_due on legs (next_at) where next_at is not null and held_at is null;

-- Worker steps "write ACH files" and "write check files": the legs that wait for a file.
create index legs_file_at on legs (rail, file_at) where file_at is not null and held_at is null;

-- The legs of a payment or a bank.
create index legs_subject on legs (platform_id, subject_id);

-- The held legs of a payment or a bank. A leg that is added later is held as well.
create index legs_held on legs (platform_id, subject_id) where held_at is not null;

-- Worker step "follow user status": the legs to continue when a user may send again.
create index legs_stopped_by on legs (stopped_by, platform_id, id) where stopped_by is not null;

-- Matching of bank statements: legs that no line has booked yet, by amount. Legs on simulated rails have no connection.
create index legs_unbooked on legs (connection_id, direction, cents)
  where connection_id is not null and booked_line_id is null;
create index legs_return_unbooked on legs (connection_id, direction, cents)
  where connection_id is not null and return_line_id is null and returned_at is not null;

-- Matching of bank statements: orders that a line returns, and whose payments do not have the money back.
create index legs_order_returns on legs (id)
  where return_line_id is not null and rail in ('RTP', 'WIRE', 'SWIFT') and status <> 'RETURNED';

-- Matching of bank statements: legs by the reference that the bank repeats.
create index legs_reference on legs (id) where connection_id is not null;
