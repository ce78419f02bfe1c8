-- Files with bank statements. Equal content is used only once, regardless of the name of the file.
create table statement_files (
  id            uuid primary key,
  connection_id text not null,
  name          text not null,
  content_hash  bytea not null,
  read_at       timestamptz not null,
  completed_at  timestamptz,                     -- when all of it was read; null: the next pass reads the rest
  unique (connection_id, content_hash)
);

-- The bank's statement of one account for one day. PLACED statements form a chain for each account: the opening balance of each is the
-- closing balance of the one before.
create table bank_statements (
  id            uuid primary key,
  file_id       uuid not null references statement_files,
  position      integer not null,                -- in the file
  place         text not null,                   -- in the file, for people
  connection_id text not null,
  account_id    text,                            -- in connections.json; null: not an account of the operator
  kind          text not null check (kind in ('statement', 'interim', 'notification')),
  day           date,
  part          integer not null default 0,      -- order among the PLACED statements of an account on a day
  sequence      bigint,                          -- the number that the bank gave it
  opening_cents bigint,                          -- null: the bank gives no opening balance
  closing_cents bigint,
  line_count    bigint not null default 0,       -- of booked lines
  credit_cents  bigint not null default 0,
  debit_cents   bigint not null default 0,       -- positive
  lines_hash    numeric,                         -- equal for equal dates and amounts, in any order
  opened_cents  bigint not null default 0,       -- posted as the balance before the first statement of the account
  carried_cents bigint not null default 0,       -- cents in suspense: a gap before it, and change that its lines do not explain
  status        text not null check (status in ('READING', 'PLACED', 'DUPLICATE', 'NOTED', 'SET_ASIDE')),
  same_as       uuid references bank_statements, -- the statement that a DUPLICATE repeats
  created_at    timestamptz not null,
  matched_at    timestamptz,                     -- when its lines were matched; those of a notification: with lines that waited
  returns_read_at timestamptz,                   -- when the returns of a notification or an interim report were read
  checks_read_at timestamptz,                    -- when the checks that it books as paid were handled
  returns_compared_at timestamptz,               -- when a search for missing returns included it
  unique (file_id, position),
  check (status <> 'PLACED' or (account_id is not null and day is not null)),
  check ((status = 'DUPLICATE') = (same_as is not null))
);

-- Placing: the statements before and after one, and those of the same day.
create unique index bank_statements_chain on bank_statements (connection_id, account_id, day, part) where status = 'PLACED';

-- Worker step "match bank statements": statements with lines to match, oldest first.
create index bank_statements_unmatched on bank_statements (day, part, id) where status = 'PLACED' and matched_at is null;

-- Worker step "match bank statements": notifications and interim reports whose returns were not read yet, oldest first.
create index bank_statements_notices on bank_statements (id) where status = 'NOTED' and returns_read_at is null;

-- Worker step "match bank statements": notifications (camt.054) that can detail lines, oldest first, and whether an account has any.
create index bank_statements_notified on bank_statements (created_at, id)
  where status = 'NOTED' and kind = 'notification' and matched_at is null;
create index bank_statements_noted on bank_statements (connection_id, account_id) where status = 'NOTED' and kind = 'notification';

-- Worker step "match bank statements": accounts with statements that were not searched for missing returns.
create index bank_statements_uncompared on bank_statements (connection_id, account_id)
  where status = 'PLACED' and returns_compared_at is null and matched_at is not null;

-- Worker step "read checks of statements": matched statements whose paid checks wait, oldest first.
create index bank_statements_checks on bank_statements (day, part, id)
  where status = 'PLACED' and checks_read_at is null and matched_at is not null;

-- Booked movements. A line waits in SUSPENSE for the operator if nothing matches it.
create table statement_lines (
  id             uuid primary key,
  statement_id   uuid not null references bank_statements,
  position       integer not null,
  place          text not null,
  booked_on      date,
  cents          bigint not null check (cents <> 0), -- credits are positive
  code           text not null,
  kind           text not null,
  file_name      text,                            -- of a file of ours that the line names
  own_account    text,                            -- the account of the operator's rule that fits
  detail_count   integer not null,                -- of payments in the line
  is_return      boolean not null,                -- the bank marks it, or a payment in it, as a return
  content_sealed bytea not null,                  -- names, texts and references, which can contain account numbers
  status         text not null check (status in ('NEW', 'MATCHED', 'OWN', 'SUSPENSE', 'SPLIT', 'IGNORED')),
  reason         text,                            -- why it has this status
  tried_at       timestamptz,                     -- the last retry to find its wallet
  detail_line_id uuid references statement_lines, -- the line of a notification that it has its details from
  unique (statement_id, position)
);

-- Matching: the lines that were not matched yet. remit reconcile list: those that wait for the operator.
create index statement_lines_new on statement_lines (statement_id, position) where status = 'NEW';
create index statement_lines_suspense on statement_lines (booked_on, id) where status = 'SUSPENSE';

-- Proposals: booked lines with the same amount as a line that waits.
create index statement_lines_cents on statement_lines (cents, booked_on);

-- A line of a notification gives its details to one booked line.
create unique index statement_lines_detail on statement_lines (detail_line_id) where detail_line_id is not null;

-- References of ours that lines name: one for the line, or one for each payment in it.
create table line_references (
  line_id  uuid not null references statement_lines,
  position integer not null,
  cents    bigint not null check (cents <> 0),    -- signed as the line
  leg_id   uuid,                                  -- exactly one of these three
  trace    text,
  serial   bigint,                                -- of a check
  primary key (line_id, position),
  check (num_nonnulls(leg_id, trace, serial) = 1)
);

-- The booking of a line in the ledger. The transfer has the id of its row, on the platform of the leg or on that of the operator.
create table line_postings (
  id          uuid primary key,
  line_id     uuid not null references statement_lines,
  account     text not null,                      -- the other ledger account: world, suspense:…, operator:…
  platform_id uuid not null,
  payment_id  uuid,
  leg_id      uuid,
  wallet_id   uuid,                               -- the wallet that it funds, or whose credit it returns
  part        text check (part in ('sent', 'returned', 'funded', 'taken_back')),
  takes_back  uuid references line_postings,      -- the credit
  -- The part that the wallet no longer contained when its credit was returned or undone. A new credit of the line reduces it.
  owed_cents  bigint not null default 0,
  cents       bigint not null check (cents <> 0), -- signed as the line
  decided_by  text not null check (decided_by in ('reference', 'file', 'amount', 'rule', 'nobody', 'person')),
  created_at  timestamptz not null,
  undone_at   timestamptz,                        -- a transfer in the other direction reversed it
  check ((leg_id is not null) = (part in ('sent', 'returned')) is not false),
  check ((wallet_id is not null) = (part in ('funded', 'taken_back')) is not false),
  check ((takes_back is not null) = (part = 'taken_back') is not false)
);

create index line_postings_line on line_postings (line_id) where undone_at is null;

-- A return finds the open credits of its amount, those of the wallet that it names, and the latest ones of any amount. Only one line can take
-- a credit back.
create index line_postings_funded on line_postings (cents, created_at) where part = 'funded' and undone_at is null;
create index line_postings_of_wallet on line_postings (wallet_id, created_at) where part = 'funded' and undone_at is null;
create index line_postings_recent on line_postings (created_at) where part = 'funded' and undone_at is null;
create unique index line_postings_taken_back on line_postings (takes_back) where takes_back is not null and undone_at is null;

-- A credit that is booked again after it was undone.
create index line_postings_undone on line_postings (line_id) where part = 'funded' and undone_at is not null;

-- The decisions of people about lines.
create table line_decisions (
  line_id    uuid not null references statement_lines,
  position   integer not null,
  action     text not null check (action in ('match', 'split', 'ignore', 'undo')),
  detail     text not null,
  why        text,
  decided_by text not null,                       -- a name, or operator
  decided_at timestamptz not null,
  primary key (line_id, position)
);

-- The page Bank statements: the latest decisions.
create index line_decisions_latest on line_decisions (decided_at, line_id);

-- Closed months of the operator's accounts. Nothing changes a line of a closed month until it is reopened.
create table closed_months (
  id            uuid primary key,
  connection_id text not null,
  account_id    text not null,
  first_day     date not null,
  last_day      date not null,
  opening_cents bigint not null,
  closing_cents bigint not null,
  line_count    bigint not null,
  report_sealed bytea not null,                   -- as JSON: its texts can contain names
  closed_at     timestamptz not null,
  closed_by     text not null,
  reopened_at   timestamptz,
  reopened_by   text,
  reopened_why  text,
  check ((reopened_at is null) = (reopened_by is null) and (reopened_at is null) = (reopened_why is null))
);

-- Closing: a month is closed once at a time. Each decision and each new statement: the last closed day of the account.
create unique index closed_months_now on closed_months (connection_id, account_id, last_day) where reopened_at is null;
