-- The terms by which the command palette finds payments: words of names, email addresses, numbers and amounts. A worker step adds them
-- after payments were accepted, for platforms that use the search.
create table search_terms (
  platform_id uuid not null,
  kind        text not null check (kind in ('name', 'email', 'number', 'amount')),
  term        text collate "C" not null, -- in lower case; amounts in cents
  payment_id  uuid not null,
  primary key (platform_id, kind, term, payment_id)
);

create table search_progress (
  platform_id uuid primary key,
  from_id     uuid not null,        -- payments before this one are still to be read
  to_id       uuid not null,        -- payments from this one on are read again, because they can become visible late
  is_complete boolean not null,     -- whether the first payment is read
  wanted_at   timestamptz not null, -- the last search, in real time
  next_at     timestamptz not null  -- the next read of new payments, in real time
);

-- Worker step "read search terms": the platforms whose terms are due.
create index search_progress_next_at on search_progress (next_at);
