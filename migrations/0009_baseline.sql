-- The tables of version 0.1, grouped by subject. Later migrations change them.

-- ---------------------------------------------------------------------------------------------------------------------
-- The database and its platforms
-- ---------------------------------------------------------------------------------------------------------------------

-- Settings of the whole database: the environment it belongs to and the id of the master key that computes digests.
create table settings (
  name  text primary key,
  value text not null
);

-- The master keys that have sealed data in this database. The service refuses to start without one of them.
create table master_keys (
  id          text primary key,
  fingerprint bytea not null
);

-- How far the clock of a platform is ahead of real time, where clocks can be moved. While a clock advances, it shows
-- the time of the last work that fell due.
create table platform_clocks (
  platform_id  uuid primary key,
  offset_ms    bigint not null default 0 check (offset_ms >= 0),
  advancing_to timestamptz
);

-- Worker step "advance clocks": platforms whose clock is advancing.
create index platform_clocks_advancing on platform_clocks (advancing_to) where advancing_to is not null;

-- Responses to successful POST requests with an Idempotency-Key, kept for 24 hours.
create table idempotency_records (
  platform_id   uuid not null,
  key_digest    bytea not null,             -- HMAC of user, method, path and key
  fingerprint   bytea not null,             -- HMAC of the request body
  status        smallint not null,
  answer        text,                       -- the response body, byte for byte
  answer_sealed bytea,                      -- replaces answer when the body contains a secret
  created_at    timestamptz not null,
  primary key (platform_id, key_digest),
  check ((answer is null) <> (answer_sealed is null))
);

-- Worker step "sweep idempotency records": records older than 24 hours.
create index idempotency_records_created_at on idempotency_records (created_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Users
-- ---------------------------------------------------------------------------------------------------------------------

-- Everyone who holds money here. The owner of a platform is the user whose id equals platform_id.
create table users (
  platform_id                 uuid not null,
  id                          uuid not null,
  external_id                 text,         -- user_id of POST /v3/user; null for an owner
  name                        text not null,
  status                      text not null check (status in ('UNVERIFIED', 'PENDING', 'VERIFIED', 'SUSPENDED', 'CLOSED')),
  first_name                  text,
  last_name                   text,
  business_name               text,
  dob                         date,
  phone                       text,
  ssn_sealed                  bytea,
  tax_id_sealed               bytea,
  merchant                    json not null, -- as in PUT /v3/user, without the tax id
  brand                       json not null,
  expiration_days             integer not null default 90 check (expiration_days between 10 and 180),
  webhook_key_sealed          bytea not null,
  created_at                  timestamptz not null,
  deleted_at                  timestamptz,
  previous_webhook_key_sealed bytea,        -- also signs for 24 hours of real time after webhook_key_rotated_at
  webhook_key_rotated_at      timestamptz,
  primary key (platform_id, id)
);

-- Lookup of a user or a recipient by user_id, which is unique within a platform.
create unique index users_external_id on users (platform_id, external_id) where deleted_at is null;

-- GET /v3/user/list, sorted by date.
create index users_created_at on users (platform_id, created_at, id) where deleted_at is null;

-- Counters of a sender. Everything that affects what a user may send locks this row first: a new payment and a change
-- of the user's banks or status.
create table user_counters (
  platform_id         uuid not null,
  user_id             uuid not null,
  next_check_number   bigint not null default 1 check (next_check_number > 0),
  next_invoice_number bigint not null default 1 check (next_invoice_number > 0),
  sent_on             date,                 -- UTC day of the last payment
  sent_day_cents      bigint not null default 0, -- sent on that day; voided payments stay counted
  sent_month_cents    bigint not null default 0, -- sent in the month of that day
  primary key (platform_id, user_id)
) with (fillfactor = 50);

-- Limits that the operator set for one user. A null, or a missing row, means the limit of the environment.
create table user_limits (
  platform_id   uuid not null,
  user_id       uuid not null,
  payment_cents bigint check (payment_cents > 0),
  day_cents     bigint check (day_cents > 0),
  month_cents   bigint check (month_cents > 0),
  primary key (platform_id, user_id)
);

create table api_keys (
  key             uuid primary key,
  platform_id     uuid not null,
  user_id         uuid not null,
  secret_hash     bytea not null,
  name            text,
  expiration_date date,                     -- the last UTC day on which the key works
  created_at      timestamptz not null,
  last_used_at    timestamptz               -- accurate to a minute
);

-- GET /v3/user/api_key.
create index api_keys_user on api_keys (platform_id, user_id, created_at);

create table signatures (
  platform_id  uuid not null,
  user_id      uuid not null,
  image_sealed bytea not null,
  primary key (platform_id, user_id)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Owners: sign-in and sessions
-- ---------------------------------------------------------------------------------------------------------------------

-- Email address and password of an owner. Sign-in looks an owner up by email address, in lower case, across platforms.
create table logins (
  email               text primary key,
  platform_id         uuid not null unique,
  password_hash       text not null,
  email_verified_at   timestamptz,
  created_at          timestamptz not null,
  totp_sealed         bytea,                -- two-factor seed
  totp_pending_sealed bytea,                -- a new seed, until the owner confirms it with a code
  totp_last_step      bigint not null default 0 -- time step of the last code: each code works once
);

-- Recovery codes for two-factor sign-in. Each works once.
create table recovery_codes (
  platform_id uuid not null,
  code_digest bytea not null,
  primary key (platform_id, code_digest)
);

-- Browsers in which an owner is signed in. The cookie holds the token.
create table sessions (
  token_hash   bytea primary key,
  platform_id  uuid not null,
  id           uuid not null,               -- identifies the session in the owner's list of sessions
  address      text not null,
  user_agent   text,
  created_at   timestamptz not null,
  last_seen_at timestamptz not null,        -- accurate to a minute
  expires_at   timestamptz not null         -- each use extends it
);

-- An owner's list of sessions.
create index sessions_platform on sessions (platform_id, last_seen_at);

-- Worker step "sweep sessions": expired sessions.
create index sessions_expires_at on sessions (expires_at);

-- Requests that wait for a code sent by email. The browser that started one holds the token: the code alone does not
-- complete it.
create table verifications (
  token_hash     bytea primary key,
  purpose        text not null check (purpose in ('sign_up', 'password', 'email')),
  email          text not null,
  platform_id    uuid,                      -- the owner; null for a sign-up and for an unknown email address
  details_sealed bytea,                     -- name and password hash of a sign-up
  code_digest    bytea not null,
  wrong_tries    integer not null default 0,
  created_at     timestamptz not null,
  expires_at     timestamptz not null
);

-- Worker step "sweep verifications": expired verifications.
create index verifications_expires_at on verifications (expires_at);

-- A change of password or email address deletes the owner's verifications.
create index verifications_platform on verifications (platform_id) where platform_id is not null;

-- Recent failed attempts, for example to sign in. A subject is a login or a network address.
create table tries (
  subject_digest bytea primary key,         -- HMAC of the subject
  count          integer not null,
  allowed_at     timestamptz not null,      -- no attempt is accepted earlier
  forgotten_at   timestamptz not null
);

-- Worker step "sweep tries": attempts that no longer count.
create index tries_forgotten_at on tries (forgotten_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Mail
-- ---------------------------------------------------------------------------------------------------------------------

-- Outgoing email. Without a mail server, emails are kept for reading. The content is sealed because it can contain a
-- code.
create table mails (
  id              uuid primary key,
  recipient       text not null,
  content_sealed  bytea not null,           -- subject and text
  status          text not null check (status in ('KEPT', 'PENDING', 'SENT', 'FAILED')),
  attempt_count   integer not null default 0,
  next_attempt_at timestamptz,
  created_at      timestamptz not null,
  check ((status = 'PENDING') = (next_attempt_at is not null))
);

-- Worker step "send mail": emails that are due.
create index mails_due on mails (next_attempt_at) where status = 'PENDING';

-- The list of kept emails. Worker step "sweep mail": old emails.
create index mails_created_at on mails (created_at, id);

-- ---------------------------------------------------------------------------------------------------------------------
-- Audit log
-- ---------------------------------------------------------------------------------------------------------------------

-- Who did what, when and from where.
create table audit_entries (
  platform_id uuid not null,
  id          uuid not null,
  action      text not null,
  actor       text not null,                -- 'owner', 'api_key', 'application', 'operator', 'anonymous'
  actor_id    text,                         -- the session, API key or application
  user_id     uuid,                         -- the user on whose behalf
  subject     text,                         -- the object that was changed
  address     text,
  user_agent  text,
  created_at  timestamptz not null,
  primary key (platform_id, id)
);

-- GET /v3/audit, newest first.
create index audit_entries_created_at on audit_entries (platform_id, created_at desc, id desc);

-- ---------------------------------------------------------------------------------------------------------------------
-- OAuth
-- ---------------------------------------------------------------------------------------------------------------------

-- OAuth clients. The id is the client_id, which is unique across platforms.
create table applications (
  id                         uuid primary key,
  platform_id                uuid not null,
  name                       text not null,
  site                       text not null,
  redirect_uris              text[] not null,
  requires_pkce              boolean not null,
  secret_hash                bytea not null,
  previous_secret_hash       bytea,         -- still works until previous_secret_expires_at, so that clients can switch
  previous_secret_expires_at timestamptz,
  created_at                 timestamptz not null,
  deleted_at                 timestamptz
);

-- An owner's list of applications.
create index applications_platform on applications (platform_id, created_at) where deleted_at is null;

-- Permissions that owners gave to applications. Each consent creates a grant, and its tokens work as long as the grant.
create table grants (
  platform_id             uuid not null,    -- of the owner who consented
  id                      uuid not null,
  application_id          uuid not null,
  application_platform_id uuid not null,
  scope                   text not null check (scope in ('check', 'single-use')),
  created_at              timestamptz not null,
  last_used_at            timestamptz,
  revoked_at              timestamptz,
  spent_at                timestamptz,      -- when a single-use grant made its payment
  spent_by_key_digest     bytea,            -- the Idempotency-Key of that payment, if it had one
  primary key (platform_id, id),
  check (spent_at is null or scope = 'single-use')
);

-- An owner's list of applications that may act for the owner.
create index grants_live on grants (platform_id, created_at) where revoked_at is null and spent_at is null;

-- Deleting an application revokes its grants.
create index grants_application on grants (application_id) where revoked_at is null;

-- Authorization codes and tokens.
create table oauth_tokens (
  token_hash  bytea primary key,
  kind        text not null check (kind in ('AuthorizationCode', 'AccessToken', 'RefreshToken')),
  platform_id uuid not null,
  grant_id    uuid not null,
  payload     json not null,                -- of oidc-provider, without the token itself
  consumed_at timestamptz,                  -- when a code was exchanged
  expires_at  timestamptz not null,
  kept_until  timestamptz not null          -- used codes are kept as long as their tokens, to detect a second use
);

-- Worker step "sweep tokens": codes and tokens that are no longer needed.
create index oauth_tokens_kept_until on oauth_tokens (kept_until);

-- Authorization requests that wait for the owner's consent. Sealed, because they contain secrets of the browser.
create table authorization_requests (
  uid_hash       bytea primary key,
  payload_sealed bytea not null,
  expires_at     timestamptz not null
);

-- Worker step "sweep tokens": requests without an answer.
create index authorization_requests_expires_at on authorization_requests (expires_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Banks, wallets and other destinations
-- ---------------------------------------------------------------------------------------------------------------------

create table banks (
  platform_id           uuid not null,
  id                    uuid not null,
  user_id               uuid not null,
  routing               text not null,
  account_sealed        bytea not null,
  account_digest        bytea not null,     -- HMAC of routing and account number, to recognize the same account
  type                  text not null check (type in ('CHECKING', 'SAVINGS', 'BUSINESS')),
  name                  text,
  status                text not null check (status in ('DEPOSIT_ONLY', 'PENDING', 'VERIFIED')),
  is_billing            boolean not null,
  is_default            boolean not null,
  micro_deposits_sealed bytea,              -- the two amounts, while PENDING
  lapses_at             timestamptz,        -- while PENDING
  created_at            timestamptz not null,
  deleted_at            timestamptz,
  primary key (platform_id, id)
);

-- GET /v3/bank, and the check that a user does not add the same account twice.
create unique index banks_account on banks (platform_id, user_id, account_digest) where deleted_at is null;

-- Due work: banks whose verification has lapsed.
create index banks_lapses_at on banks (lapses_at) where status = 'PENDING' and deleted_at is null;

-- Micro-deposits and wrong amounts per account number. The counts survive when a user deletes a bank and adds it again.
create table bank_trials (
  platform_id    uuid not null,
  user_id        uuid not null,
  account_digest bytea not null,
  wrong_tries    integer not null default 0,
  released_at    timestamptz[] not null default '{}',
  primary key (platform_id, user_id, account_digest)
);

-- Money that users hold here. These are the only stored balances.
create table wallets (
  platform_id   uuid not null,
  id            uuid not null,
  user_id       uuid not null,
  name          text not null,
  balance_cents bigint not null default 0 check (balance_cents >= 0),
  held_cents    bigint not null default 0 check (held_cents >= 0),
  created_at    timestamptz not null,
  deleted_at    timestamptz,
  last_event_at timestamptz,                -- keeps the times of a wallet's events in the order of its balances
  primary key (platform_id, id),
  check (held_cents <= balance_cents)
);

-- GET /v3/account/wallet.
create index wallets_user on wallets (platform_id, user_id, created_at) where deleted_at is null;

-- Destinations other than banks and wallets. Account numbers are sealed or reduced to their last four digits.
create table destinations (
  platform_id    uuid not null,
  id             uuid not null,
  user_id        uuid not null,
  kind           text not null check (kind in ('card', 'paypal', 'venmo', 'interac', 'wire')),
  details        json not null,
  account_sealed bytea,
  created_at     timestamptz not null,
  deleted_at     timestamptz,
  primary key (platform_id, id)
);

-- GET /v3/account/card, and the same for the other kinds.
create index destinations_user on destinations (platform_id, user_id, kind, created_at) where deleted_at is null;

-- ---------------------------------------------------------------------------------------------------------------------
-- Ledger
-- ---------------------------------------------------------------------------------------------------------------------

-- Double entry: a transfer moves cents from the debited ledger account to the credited one. A pending transfer is a
-- hold. It is posted or voided later, and nothing else about a transfer changes. A ledger account is a text: 'wallet:ID',
-- 'payable', 'clearing:RAIL', 'micro_deposits', 'receivable:USER', 'world'.
create table transfers (
  platform_id uuid not null,
  id          uuid not null,
  debit       text not null,
  credit      text not null,
  cents       bigint not null check (cents > 0),
  status      text not null check (status in ('PENDING', 'POSTED', 'VOIDED')),
  reason      text not null,                -- name of the posting rule
  payment_id  uuid,
  leg_id      uuid,
  created_at  timestamptz not null,
  ended_at    timestamptz,                  -- when a pending transfer was posted or voided
  primary key (platform_id, id),
  check (debit <> credit),
  check (status <> 'PENDING' or ended_at is null)
);

-- The transfers of a payment: the hold to post or void, and verify-ledger.
create index transfers_payment on transfers (platform_id, payment_id) where payment_id is not null;

-- GET /v3/account/wallet/{id}/transaction, newest first: transfers out of the wallet and transfers into it.
create index transfers_debit on transfers (platform_id, debit, created_at desc, id desc) where debit like 'wallet:%';
create index transfers_credit on transfers (platform_id, credit, created_at desc, id desc) where credit like 'wallet:%';

-- ---------------------------------------------------------------------------------------------------------------------
-- Payments
-- ---------------------------------------------------------------------------------------------------------------------

create table payments (
  platform_id             uuid not null,
  id                      uuid not null,
  sender_id               uuid not null,
  kind                    text not null check (kind in ('DIGITAL', 'PHYSICAL')),
  number                  text not null,
  number_is_text          boolean not null, -- responses show the caller's number in the JSON type of the request
  amount_cents            bigint not null check (amount_cents > 0),
  name                    text not null,
  recipient               text not null,    -- as the sender wrote it
  recipient_platform_id   uuid,
  recipient_id            uuid,             -- set when the recipient is a user here
  funding_id              uuid not null,    -- the bank or wallet that pays
  destination_id          uuid,             -- the bank, wallet or other destination that receives
  description             text,
  comment                 text,
  remittance_advice       json,
  deposit_options         text[] not null,
  pin_description         text,
  pin_sealed              bytea,
  status                  text not null check (status in ('UNPAID', 'IN_PROCESS', 'PAID', 'FAILED', 'PRINTED', 'VOID', 'EXPIRED', 'MAILED', 'REFUNDED')),
  rail                    text,
  return_code             text,
  deposited_at            timestamptz,      -- when the destination was last chosen
  created_at              timestamptz not null,
  updated_at              timestamptz not null,
  expires_at              timestamptz not null,
  application_id          uuid,             -- the application that made the payment
  application_platform_id uuid,
  grant_id                uuid,             -- the grant that allowed it
  funding_kind            text not null default 'bank' check (funding_kind in ('bank', 'wallet')),
  destination_kind        text check (destination_kind in ('bank', 'wallet', 'card', 'paypal', 'venmo', 'interac', 'wire')),
  refund_at               timestamptz,      -- a failed payment is refunded then, unless it is deposited again
  address                 json,             -- postal address of a mailed check
  mail_type               text check (mail_type in ('USPS_FIRST_CLASS', 'OVERNIGHT', 'TWO_DAY', 'USPS_CERTIFIED')),
  invitation              text check (invitation in ('DUE', 'SENT')), -- email to a recipient without an account
  primary key (platform_id, id)
);

-- GET /v3/check: sent payments, newest first.
create index payments_sender on payments (platform_id, sender_id, created_at desc, id desc);

-- GET /v3/check with a token: the payments that its grant made.
create index payments_grant on payments (platform_id, grant_id, created_at desc, id desc) where grant_id is not null;

-- Due work: platforms with a payment that expires; then those payments of one platform, in order.
create index payments_expires_at on payments (expires_at) where status in ('UNPAID', 'PRINTED', 'MAILED');
create index payments_platform_expires_at on payments (platform_id, expires_at)
where status in ('UNPAID', 'PRINTED', 'MAILED');

-- Due work: failed payments to refund.
create index payments_refund_at on payments (platform_id, refund_at) where refund_at is not null;

-- Worker step "invite recipients": payments whose recipient has not been told yet.
create index payments_invitation on payments (platform_id, id) where invitation = 'DUE';

-- The recipient's copy of a payment, on the recipient's platform. The recipient's lists, reads and deposits use it.
-- After the insert, only change_payment_status writes to it.
create table incoming (
  platform_id        uuid not null,
  user_id            uuid not null,
  payment_id         uuid not null,
  sender_platform_id uuid not null,
  sender             text not null,
  kind               text not null,
  number             text not null,
  number_is_text     boolean not null,
  amount_cents       bigint not null,
  name               text not null,
  recipient          text not null,
  description        text,
  comment            text,
  status             text not null,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  primary key (platform_id, payment_id)
);

-- GET /v3/check: received payments, newest first.
create index incoming_user on incoming (platform_id, user_id, created_at desc, payment_id desc);

create table attachments (
  platform_id uuid not null,
  payment_id  uuid not null,
  filename    text,
  pdf         bytea not null,
  primary key (platform_id, payment_id)
);

-- The links in emails to recipients without an account, one per payment. Anyone with the link can choose the
-- destination.
create table recipient_links (
  token_hash   bytea primary key,           -- SHA-256 of the token
  platform_id  uuid not null,
  payment_id   uuid not null,
  wrong_pins   integer not null default 0,
  locked_until timestamptz,                 -- set after wrong PINs
  sent_at      timestamptz[] not null,      -- recent emails for this payment, including those with earlier links
  expires_at   timestamptz not null         -- when the payment expires
);

-- A new link replaces the previous one of its payment.
create unique index recipient_links_payment on recipient_links (platform_id, payment_id);

-- Worker step "sweep recipient links": links too old to show even the result of the payment.
create index recipient_links_expires_at on recipient_links (expires_at);

-- The result of accepting one payment, as accept_payments returns it.
create type acceptance as (payment_id uuid, outcome text, answer text, left_cents bigint);

-- A changed payment with the id and the body of its event, as record_payment_events takes it.
create type payment_event as (payment payments, event_id uuid, body text);

-- ---------------------------------------------------------------------------------------------------------------------
-- Webhooks
-- ---------------------------------------------------------------------------------------------------------------------

-- Receivers of events:
--   webhook_uri  a user's own URL, of PUT /v3/user
--   application  the URL of an OAuth application, for the payments that it made
--   endpoint     created by an owner for chosen types of events
--   listener     the same, but it fetches its events itself (remit listen)
create table endpoints (
  platform_id     uuid not null,
  id              uuid not null,
  user_id         uuid not null,            -- whose webhook key signs
  kind            text not null check (kind in ('webhook_uri', 'application', 'endpoint', 'listener')),
  url             text not null,
  created_at      timestamptz not null,
  removed_at      timestamptz,
  leased_by       text,                     -- the worker that delivers to it now
  leased_until    timestamptz,
  application_id  uuid,
  name            text,
  event_types     text[],                   -- the types of events that an endpoint or a listener receives
  disabled_at     timestamptz,              -- later events are recorded as failed deliveries
  disabled_reason text check (disabled_reason in ('OWNER', 'GONE', 'FAILING')),
  failing_since   timestamptz,              -- the first failed attempt since the last success
  warned_at       timestamptz,              -- when the owner was warned of the failures
  is_slow         boolean not null default false, -- timed out; kept apart from endpoints that respond in time
  primary key (platform_id, id),
  check ((kind in ('endpoint', 'listener')) = (event_types is not null)),
  check ((disabled_at is null) = (disabled_reason is null))
);

-- New events of a payment: the URLs of its parties. A user has one webhook_uri.
create unique index endpoints_webhook_uri on endpoints (platform_id, user_id)
where kind = 'webhook_uri' and removed_at is null;

-- New events of a payment that an application made. An application has one URL.
create unique index endpoints_application on endpoints (platform_id, application_id)
where kind = 'application' and removed_at is null;

-- New events: the endpoints and listeners of an owner.
create index endpoints_asking on endpoints (platform_id)
where kind in ('endpoint', 'listener') and removed_at is null;

-- Failing endpoints, to warn their owner or to disable them.
create index endpoints_failing on endpoints (failing_since)
where kind = 'endpoint' and removed_at is null and disabled_at is null and failing_since is not null;

-- Worker step "sweep endpoints": removed endpoints without deliveries.
create index endpoints_removed on endpoints (removed_at) where removed_at is not null;

-- Worker step "sweep listeners": listeners that have stopped polling.
create index endpoints_silent on endpoints (leased_until) where kind = 'listener' and removed_at is null;

-- The body is text because receivers verify the signature over these exact bytes.
create table events (
  platform_id uuid not null,
  id          uuid not null,
  type        text not null,
  subject_id  uuid not null,
  body        text not null,
  created_at  timestamptz not null,
  primary key (platform_id, id)
);

-- GET /v3/webhook/event with a type, newest first. Nearly all events have the type CHECK: the primary key serves those.
create index events_of_other_types on events (platform_id, type, id) where type <> 'CHECK';

-- The delivery of one event to one endpoint.
create table deliveries (
  platform_id     uuid not null,
  endpoint_id     uuid not null,
  event_id        uuid not null,
  subject_id      uuid not null,
  position        bigint not null generated always as identity, -- the order of events: ids of one millisecond have none
  status          text not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempt_count   integer not null default 0,
  next_attempt_at timestamptz,
  attempts_before integer not null default 0, -- attempts before the last replay, which restarts the retry schedule
  primary key (platform_id, endpoint_id, event_id),
  check ((status = 'PENDING') = (next_attempt_at is not null))
);

-- Worker step "deliver webhooks": the due deliveries of an endpoint, in order.
create index deliveries_due on deliveries (platform_id, endpoint_id, next_attempt_at, position) where status = 'PENDING';

-- GET /v3/webhook/event/{id}: the deliveries of an event. GET /v3/webhook/delivery: those of a platform, newest first.
create index deliveries_by_event on deliveries (platform_id, event_id, endpoint_id);

-- POST /v3/webhook/replay, and GET /v3/webhook/delivery with the status FAILED.
create index deliveries_failed on deliveries (platform_id, event_id, endpoint_id) where status = 'FAILED';

-- One HTTP POST each, recorded when its outcome is known.
create table attempts (
  platform_id     uuid not null,
  endpoint_id     uuid not null,
  event_id        uuid not null,
  number          integer not null,
  started_at      timestamptz not null,
  duration_ms     integer not null,
  outcome         text not null check (outcome in ('acknowledged', 'rejected', 'timed_out', 'unreachable')),
  http_status     integer,
  error           text,
  request_headers text,                     -- as JSON
  response_body   bytea,                    -- the first 1,024 bytes
  primary key (platform_id, endpoint_id, event_id, number)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Legs
-- ---------------------------------------------------------------------------------------------------------------------

-- A leg is one movement over one rail: a debit pulls money, a credit pushes it. next_event is what the rail does at
-- next_at.
create table legs (
  platform_id uuid not null,
  id          uuid not null,
  purpose     text not null check (purpose in ('payment_pull', 'payment_push', 'payment_refund', 'micro_deposit')),
  subject_id  uuid not null,                -- the payment or the bank
  user_id     uuid not null,                -- the holder of the account
  account_id  uuid,                         -- the bank or destination; null for a paper check
  rail        text not null,
  direction   text not null check (direction in ('debit', 'credit')),
  cents       bigint not null check (cents > 0),
  status      text not null check (status in ('WAITING', 'SENT', 'SETTLED', 'TRUSTED', 'RETURNED', 'CANCELLED')),
  next_event  text check (next_event in ('send', 'settle', 'trust', 'return')),
  next_at     timestamptz,
  fate        text check (fate in ('slow', 'corrected', 'returned', 'returned_late')), -- what the sandbox simulates
  return_code text,                         -- of the return, or of the return that the sandbox simulates
  file_at     timestamptz,                  -- the cutoff of the file that the leg waits for
  created_at  timestamptz not null,
  sent_at     timestamptz,
  settled_at  timestamptz,
  returned_at timestamptz,
  primary key (platform_id, id),
  check ((next_event is null) = (next_at is null))
);

-- Due work: the due legs of one platform, in order; and the platforms that have any.
create index legs_next_at on legs (platform_id, next_at, id) where next_at is not null;
create index legs_due on legs (next_at) where next_at is not null;

-- Worker steps "write ACH files" and "write check files": the legs that wait for a file.
create index legs_file_at on legs (rail, file_at) where file_at is not null;

-- The legs of a payment or a bank.
create index legs_subject on legs (platform_id, subject_id);

-- ---------------------------------------------------------------------------------------------------------------------
-- ACH files
-- ---------------------------------------------------------------------------------------------------------------------

-- NACHA files for the bank. All platforms share them, so that there are few. The sealed bytes are committed together
-- with the entries before the file is written.
create table ach_files (
  id             uuid primary key,
  name           text not null unique,
  creation_date  date not null,             -- the bank tells files apart by this date and the modifier
  modifier       text not null,
  effective_date date not null,
  sent_before    bigint not null,           -- number of entries in all earlier files: trace numbers continue from it
  entry_count    bigint not null,
  content_sealed bytea not null,
  created_at     timestamptz not null,
  written_at     timestamptz,               -- when the complete file was in the folder
  unique (creation_date, modifier)
);

-- The last file, which the next trace number depends on.
create unique index ach_files_sent_before on ach_files (sent_before);

-- Worker step "write ACH files": files that are not in the folder yet.
create index ach_files_unwritten on ach_files (sent_before) where written_at is null;

-- The entries of a file. A leg is in one file only. An entry without a leg balances its batch.
create table ach_entries (
  file_id      uuid not null references ach_files,
  trace_number text not null,
  platform_id  uuid,
  leg_id       uuid,
  primary key (file_id, trace_number),
  unique (platform_id, leg_id)
);

-- Matching of returns and notifications of change. Trace numbers start over eventually: the latest entry counts.
create index ach_entries_trace_number on ach_entries (trace_number);

-- Files from the bank. Equal content is used only once, whatever the name of the file.
create table ach_inbound_files (
  id           uuid primary key,
  name         text not null,
  content_hash bytea not null,
  kind         text check (kind in ('nacha', 'acknowledgement')), -- null: the file could not be read
  is_used      boolean not null,
  report       text,                        -- entries that were set aside, and why; without account numbers
  read_at      timestamptz not null,
  unique (content_hash, name)
);

-- Worker step "read ACH files": whether the content has been used before.
create unique index ach_inbound_files_used on ach_inbound_files (content_hash) where is_used;

-- Entries that only a person can resolve.
create table ach_set_aside (
  inbound_file_id uuid not null references ach_inbound_files,
  line            integer not null,
  trace_number    text,
  reason          text not null,
  primary key (inbound_file_id, line)
);

-- Notifications of change, with the corrected data.
create table ach_corrections (
  inbound_file_id  uuid not null references ach_inbound_files,
  line             integer not null,
  platform_id      uuid not null,
  leg_id           uuid not null,
  change_code      text not null,
  corrected_sealed bytea not null,
  is_applied       boolean not null,
  primary key (inbound_file_id, line)
);

-- The bank's acknowledgements of files, in the order of its reports.
create table ach_acknowledgements (
  inbound_file_id uuid not null references ach_inbound_files,
  position        integer not null,
  file_id         uuid not null references ach_files,
  outcome         text not null check (
    outcome in ('accepted', 'accepted_with_errors', 'pending', 'duplicate', 'rejected')
  ),
  errors          json not null,
  primary key (inbound_file_id, position)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Paper checks
-- ---------------------------------------------------------------------------------------------------------------------

-- Files about checks: a PDF with a list for the printer, or a list of stopped checks for the bank. The sealed bytes are
-- committed together with the checks before the file is written.
create table print_files (
  id          uuid primary key,
  kind        text not null check (kind in ('print', 'stop')),
  pdf_sealed  bytea,
  list_sealed bytea not null,
  created_at  timestamptz not null,
  written_at  timestamptz,                  -- when the complete file was in the folder
  check ((kind = 'print') = (pdf_sealed is not null))
);

-- Worker step "write check files": files that are not in the folder yet.
create index print_files_unwritten on print_files (created_at, id) where written_at is null;

-- The bank's files about paid checks. Equal content is used only once, whatever the name of the file.
create table paid_files (
  id           uuid primary key,
  name         text not null,
  content_hash bytea not null,
  is_used      boolean not null,
  report       text,                        -- items that were set aside, and why; without account numbers
  read_at      timestamptz not null,
  unique (content_hash, name)
);

-- Worker step "read paid checks": whether the content has been used before.
create unique index paid_files_used on paid_files (content_hash) where is_used;

-- Checks drawn on the operator's accounts. The status of a check is the status of its leg. Account and serial number
-- identify a check to the bank.
create table paper_checks (
  platform_id    uuid not null,
  leg_id         uuid not null,
  payment_id     uuid not null,
  account_digest bytea not null,            -- HMAC of the account number
  account_last4  text not null,
  cents          bigint not null check (cents > 0),
  print_file_id  uuid references print_files, -- null: the recipient prints the check
  stopped_at     timestamptz,
  stop_file_id   uuid references print_files deferrable initially deferred, -- set before the file exists
  paid_file_id   uuid references paid_files,
  paid_line      integer,
  paid_on        date,
  serial         bigint not null check (serial > 0),
  primary key (platform_id, leg_id),
  unique (account_digest, serial),
  check ((paid_file_id is null) = (paid_on is null)),
  check (stop_file_id is null or stopped_at is not null)
);

-- Worker step "write check files": stopped checks that no file lists yet.
create index paper_checks_to_stop on paper_checks (stopped_at) where stopped_at is not null and stop_file_id is null;

-- The last serial number of each account of the operator. Checks are numbered by account, not by sender.
create table check_serials (
  account_digest bytea primary key,         -- as in paper_checks
  last_serial    bigint not null
);
