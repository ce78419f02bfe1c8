-- Types of the functions that accept payments and change their status. They contain no row of a table: another node of a cluster does
-- not know the type of the row. The order of the fields counts: functions fill them by position.

-- The requirements of the environment for a sender. Null and false require nothing.
create type sender_requirements as (
  payment_limit_cents   bigint,
  day_limit_cents       bigint,
  month_limit_cents     bigint,
  signature_above_cents bigint,
  must_be_verified      boolean
);

-- The columns of an order that decide whether it is accepted. Columns that are only written are not part of it.
create type payment_order as (
  platform_id        uuid,
  id                 uuid,
  sender_id          uuid,
  amount_cents       bigint,
  number             text,        -- null: the next check number
  created_at         timestamptz,
  funding_kind       text,
  funding_id         uuid,        -- null: the default bank
  destination_kind   text,
  destination_id     uuid,        -- null: the payee chooses
  grant_id           uuid,
  recipient          text,
  recipient_user     uuid,        -- a user
  recipient_email    text,        -- an owner, or a person without an account
  recipient_phone    text,        -- E.164
  is_reachable       boolean,     -- whether a person without an account can be notified
  real_now           timestamptz, -- of the machine, not of the platform's clock
  key_digests        bytea[],     -- of the Idempotency-Key, by the master keys of the caller's ring; null without a key
  fingerprints       bytea[],     -- of the request, likewise
  account_digests    bytea[],     -- of the account of a payee without a user, by the master keys; {} for a card
  approval_id        uuid,        -- the approval that releases the order
  is_dry_run         boolean,     -- moves no money and needs no approval
  source             text,        -- how the owner's order is made, for the approval policy
  rails              text,        -- that the order offers, separated by commas, for the approval policy
  batch_cents        bigint,      -- the total of the batch that the order belongs to, for the approval policy
  batch_rails        text,        -- that the orders of the batch offer, separated by commas, for the approval policy
  recipient_platform uuid,        -- of recipient_user, if it is another one
  business_day       date         -- the day of the business, on which the order counts against the limits of its sender
);

-- The payee of an order. All fields are null for a person without an account.
create type payee as (
  payee_platform_id uuid,
  payee_id          uuid,
  payee_status      text,
  login_id          uuid, -- the owner with the email address, verified or not
  is_verified       boolean,
  account_kind      text, -- of the account that the order names, if the payee has it
  account_block     text  -- the return code that blocks it
);

-- The reason why an order is refused: an error code of the API, the field to blame, and a detail: cents, or a return code.
create type refusal as (code text, field text, detail text);

-- The decision about an order. The outcome is accepted, replayed, or an error code of the API.
create type acceptance as (
  payment_id              uuid, -- the new payment, or the one that the key created
  outcome                 text,
  field                   text,
  detail                  text,
  taken_number            text,
  taken_funding_id        uuid,
  payee_platform_id       uuid,
  payee_id                uuid,
  expires_at              timestamptz,
  invitation              text,
  application_id          uuid,
  application_platform_id uuid,
  sent_on                 date, -- the counters of the sender after this payment
  day_cents               bigint,
  month_cents             bigint,
  next_number             bigint,
  sender_name             text
);

-- The new status of a payment, and the event about it.
create type payment_change as (
  platform_id             uuid,
  id                      uuid,
  kind                    text,
  status                  text,
  rail                    text,
  amount_cents            bigint,
  sender_id               uuid,
  recipient_platform_id   uuid,
  recipient_id            uuid,
  application_platform_id uuid,
  application_id          uuid,
  destination_id          uuid,
  updated_at              timestamptz,
  event_id                uuid,
  body                    text -- of the webhook, byte for byte
);

-- An event of a payment for one platform.
create type payment_news as (
  platform_id    uuid,
  event_id       uuid,
  payment_id     uuid,
  body           text,
  created_at     timestamptz,
  due_at         timestamptz, -- by the clock of the platform
  user_ids       uuid[],      -- users of the platform who have a part in the payment; null: none has
  application_id uuid         -- an application of the platform that created the payment
);
