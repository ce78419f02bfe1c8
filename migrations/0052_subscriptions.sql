-- Payments that repeat each week or month.
create table subscriptions (
  platform_id       uuid not null,
  id                uuid not null,
  user_id           uuid not null,          -- the sender
  type              text not null check (type in ('CHECK', 'INVOICE')),
  state             text not null check (state in ('ACTIVE', 'ENDED', 'CANCELED')),
  amount_cents      bigint not null,
  name              text not null,
  recipient         text not null,          -- in one line
  funding_id        uuid,                   -- null: the default bank at the time of each run
  description       text,
  details           json not null,          -- the rest of the order: recipient, remittance_advice
  repeats           text not null check (repeats in ('WEEKLY', 'MONTHLY')),
  duration          integer,                -- runs; null: endless
  start_date        date not null,
  next_run          integer not null,       -- from 1
  next_at           timestamptz,            -- null: it has ended
  skipped           integer[] not null,
  created_by        uuid,                   -- the member; null for a key that no member created
  prepared_by       uuid not null,          -- who may not release the payments that a run prepares
  sends_directly    boolean not null,       -- whether its creator could send without a release
  created_at        timestamptz not null,
  primary key (platform_id, id),
  check ((state = 'ACTIVE') = (next_at is not null))
);

-- GET /v3/subscription.
create index subscriptions_user on subscriptions (platform_id, user_id, created_at, id);
-- Work that is due.
create index subscriptions_due on subscriptions (platform_id, next_at) where next_at is not null;
create index subscriptions_due_at on subscriptions (next_at) where next_at is not null;

-- The runs of subscriptions. The key makes each run happen once.
create table subscription_runs (
  platform_id     uuid not null,
  subscription_id uuid not null,
  number          integer not null,
  outcome         text not null check (outcome in ('SKIPPED', 'PAID', 'PREPARED', 'FAILED')),
  payment_id      uuid,
  approval_id     uuid,                     -- of a payment that needs a release
  error_code      text,
  created_at      timestamptz not null,
  primary key (platform_id, subscription_id, number),
  check ((outcome = 'PAID') = (payment_id is not null)),
  check ((outcome = 'PREPARED') = (approval_id is not null)),
  check ((outcome = 'FAILED') = (error_code is not null))
);
