-- Payments and invoices that repeat each week or month. A subscription whose invoices go to another platform has a row on the platform of
-- the sender, and a copy where the invoices are paid, with the autopay.
create table subscriptions (
  platform_id           uuid not null,
  id                    uuid not null,
  user_id               uuid not null,                  -- the sender
  type                  text not null check (type in ('CHECK', 'INVOICE')),
  state                 text not null check (state in ('ACTIVE', 'ENDED', 'CANCELED')),
  amount_cents          bigint not null,
  name                  text not null,
  recipient             text not null,                  -- in one line
  payer_id              uuid,                           -- of invoices
  recipient_platform_id uuid,                           -- of the sender's row: where the copy is
  sender_platform_id    uuid,                           -- of the copy: where the sender's row is
  has_autopay_elsewhere boolean not null default false, -- of the sender's row: the copy has it
  funding_id            uuid,                           -- null: the default bank at the time of each run
  description           text,
  details               json not null,                  -- the rest of the order: recipient, remittance_advice
  repeats               text not null check (repeats in ('WEEKLY', 'MONTHLY')),
  duration              integer,                        -- runs; null: endless
  start_date            date not null,
  next_run              integer not null,               -- from 1
  next_at               timestamptz,                    -- null: it has ended, or it is a copy
  skipped               integer[] not null,
  created_by            uuid,                           -- the member; null for a key that no member created
  prepared_by           uuid not null,                  -- who may not release the payments that a run prepares
  sends_directly        boolean not null,               -- whether its creator could send without a release
  version               bigint not null default 0,      -- the last message that was applied
  created_at            timestamptz not null,
  primary key (platform_id, id),
  check ((state = 'ACTIVE' and sender_platform_id is null) <> (next_at is null))
);

-- GET /v3/subscription: of the sender, and of those who pay.
create index subscriptions_user on subscriptions (platform_id, user_id, created_at, id);
create index subscriptions_payer on subscriptions (platform_id, payer_id, created_at, id) where payer_id is not null;

-- Due work: the due subscriptions of one platform, and the platforms that have any.
create index subscriptions_due on subscriptions (platform_id, next_at) where next_at is not null;
create index subscriptions_due_at on subscriptions (next_at) where next_at is not null;

-- The runs of subscriptions. The key makes each run happen once.
create table subscription_runs (
  platform_id     uuid not null,
  subscription_id uuid not null,
  number          integer not null,
  outcome         text not null check (outcome in ('SKIPPED', 'PAID', 'PREPARED', 'INVOICED', 'FAILED')),
  payment_id      uuid,
  approval_id     uuid, -- of a payment that needs a release
  invoice_id      uuid,
  error_code      text,
  created_at      timestamptz not null,
  primary key (platform_id, subscription_id, number),
  check ((outcome = 'PAID') = (payment_id is not null)),
  check ((outcome = 'PREPARED') = (approval_id is not null)),
  check ((outcome = 'FAILED') = (error_code is not null))
);

-- The permission of a user to pay the invoices of a subscription automatically. Kept after its end, as evidence.
create table autopay_authorizations (
  platform_id     uuid not null,
  id              uuid not null,
  subscription_id uuid not null,
  user_id         uuid not null,        -- the payer
  given_by        uuid,                 -- the member; null for a key that no member created
  text            text not null,        -- that the user agreed to
  address         text,                 -- from which it was given
  given_at        timestamptz not null, -- real time
  revoked_at      timestamptz,          -- real time
  primary key (platform_id, id)
);

-- The autopay of a subscription. There is at most one.
create unique index autopay_authorizations_active on autopay_authorizations (platform_id, subscription_id)
where revoked_at is null;
