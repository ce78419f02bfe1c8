-- What the functions that accept payments hand to each other.

drop type acceptance;

-- What the environment asks of a sender. Null and false ask nothing.
create type sender_requirements as (
  payment_limit_cents   bigint,
  day_limit_cents       bigint,
  month_limit_cents     bigint,
  signature_above_cents bigint,
  must_be_verified      boolean
);

-- A payment as it is ordered.
create type payment_order as (
  payment         payments,      -- the row, as far as it is known before the locks
  key_digest      bytea,         -- null: the request has no Idempotency-Key
  fingerprint     bytea,
  lock            bigint,
  real_now        timestamptz,
  recipient_id    uuid,          -- a user of the platform
  recipient_email text,          -- an owner, or somebody outside
  recipient_phone text,          -- E.164
  is_reachable    boolean,       -- whether somebody outside can be told
  answer_head     text,          -- the answer before and after the number, which is known under the lock only
  answer_tail     text,
  event_id        uuid,          -- the event of a deposit at once
  event_body      text,
  leg             legs,          -- and its first leg
  postings        json,          -- what the payment does to wallets, or null
  attachment_name text,
  attachment      text           -- a PDF in base64
);

-- A sender under its lock. Limits are null where there is none.
create type sender_state as (
  status              text,
  standing            text,
  external_id         text,
  phone               text,
  expiration_days     integer,
  next_check_number   bigint,
  debt_cents          bigint,
  day_cents           bigint,    -- sent on this day
  month_cents         bigint,    -- and in this month
  payment_limit_cents bigint,
  day_limit_cents     bigint,
  month_limit_cents   bigint,
  bank_id             uuid,      -- the bank that pays; null without one
  bank_status         text,
  account_digest      bytea
);

-- Why a payment is refused: an error code of the API, the field to blame, and a detail: cents, or a return code.
create type refusal as (code text, field text, detail text);

-- Who is paid. Null: somebody outside.
create type payee as (platform_id uuid, user_id uuid, refusal refusal);

-- What becomes of an order. The outcome is accepted, replayed, or an error code of the API.
create type acceptance as (
  payment payments,
  leg     legs,
  outcome text,
  field   text,
  detail  text,
  answer  text,
  is_due  boolean                -- whether a webhook is now due
);
