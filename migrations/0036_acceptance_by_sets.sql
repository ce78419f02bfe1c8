-- The Idempotency-Key of the request that created a payment. The answer is rendered again from columns that never change.
alter table payments
  add column key_at         timestamptz, -- real time; null without a key
  add column key_day        date,        -- of key_at (UTC), so that new entries of the index are near each other
  add column key_digest     bytea,
  add column fingerprint    bytea,       -- of the request
  add column first_status   text,        -- in the answer
  add column answer_version smallint;    -- the renderer of the answer
create unique index payments_key on payments (platform_id, key_day, key_digest) where key_digest is not null;

-- Payments are accepted in sets: one statement reads or writes the rows of a whole group.
drop type payment_order, sender_state, payee, acceptance, payment_outcome cascade;

-- What is judged of a payment. The columns that are only written are not part of it.
create type payment_order as (
  platform_id      uuid,
  id               uuid,
  sender_id        uuid,
  amount_cents     bigint,
  number           text,        -- null: the next check number
  created_at       timestamptz,
  funding_kind     text,
  funding_id       uuid,        -- null: the default bank
  destination_kind text,
  destination_id   uuid,        -- null: the payee chooses
  grant_id         uuid,
  recipient        text,
  recipient_user   uuid,        -- a user of the platform
  recipient_email  text,        -- an owner, or a person without an account
  recipient_phone  text,        -- E.164
  is_reachable     boolean,     -- whether a person without an account can be notified
  real_now         timestamptz, -- of the machine, not of the platform's clock
  key_digests      bytea[],     -- of the Idempotency-Key, by the master keys of the caller's ring; null without a key
  fingerprints     bytea[]      -- of the request, likewise
);

-- The payee of an order. All columns are null for a person without an account.
create type payee as (
  payee_platform_id uuid,
  payee_id          uuid,
  payee_status      text,
  login_id          uuid,    -- the owner with the email address, verified or not
  is_verified       boolean,
  account_kind      text,    -- of the account that the order names, if the payee has it
  account_block     text     -- the return code that blocks it
);

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
  sent_on                 date,   -- the counters of the sender after this payment
  day_cents               bigint,
  month_cents             bigint,
  next_number             bigint
);

-- Keys that were used before this migration are still found. The answer of such a payment begins with its id and its number.
update payments p
set
  key_at = r.created_at, key_day = (r.created_at at time zone 'UTC')::date, key_digest = r.key_digest,
  fingerprint = r.fingerprint, first_status = r.answer::json ->> 'status', answer_version = 1
from (
  -- A deposit has such an answer, too, but comes later.
  select distinct on (platform_id, left(answer, 40)) *, substr(answer, 8, 32)::uuid as payment_id
  from idempotency_records
  where status = 201 and answer ~ '^{"id":"[0-9a-f]{32}","number":'
  order by platform_id, left(answer, 40), created_at
) r
where p.platform_id = r.platform_id and p.id = r.payment_id;
