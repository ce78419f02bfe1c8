-- Cases that only the operator can decide: money or a file that the service does not move by itself.
create table exceptions (
  platform_id uuid not null,
  id          uuid not null,
  kind        text not null,                -- a row of exception/exception-rules.ts
  payment_id  uuid,
  leg_id      uuid,
  user_id     uuid,
  cents       bigint check (cents > 0),
  note        text not null,                -- what happened; contains no account number
  created_at  timestamptz not null,
  closed_at   timestamptz,
  resolution  text,                         -- what the operator did
  primary key (platform_id, id),
  check ((closed_at is null) = (resolution is null))
);

-- remit exceptions list: open exceptions, oldest first.
create index exceptions_open on exceptions (created_at) where closed_at is null;

-- A new exception: each leg has at most one open exception of a kind, however often it is reported.
create unique index exceptions_open_leg on exceptions (platform_id, kind, leg_id)
where closed_at is null and leg_id is not null;

-- Whether a payment has an open exception of some kinds.
create index exceptions_payment on exceptions (platform_id, payment_id) where closed_at is null;
