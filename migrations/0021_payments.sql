create table payments (
  platform_id             uuid not null,
  id                      uuid not null,
  sender_id               uuid not null,
  sender_name             text,             -- at the time of the payment; null for a payee without an account
  kind                    text not null check (kind in ('DIGITAL', 'PHYSICAL', 'MULTI', 'SCANNED')),
  number                  text not null,
  number_is_text          boolean not null, -- responses show the caller's number in the JSON type of the request
  amount_cents            bigint not null check (amount_cents > 0),
  name                    text not null,
  recipient               text not null,    -- as entered by the sender
  recipient_platform_id   uuid,
  recipient_id            uuid,             -- set when the recipient is a user here
  description             text,
  comment                 text,
  remittance_advice       json,
  address                 json,             -- postal address of a mailed check
  mail_type               text check (mail_type in ('USPS_FIRST_CLASS', 'OVERNIGHT', 'TWO_DAY', 'USPS_CERTIFIED')),
  pin_description         text,
  pin_sealed              bytea,
  invitation              text check (invitation in ('DUE', 'SENT')), -- email to a recipient without an account

  -- The movement of the money
  funding_kind            text not null default 'bank' check (funding_kind in ('bank', 'wallet')),
  funding_id              uuid not null,    -- the bank or wallet that pays
  deposit_options         text[] not null,
  destination_kind        text
    check (destination_kind in ('bank', 'wallet', 'card', 'paypal', 'venmo', 'interac', 'wire', 'vcc')),
  destination_platform_id uuid,             -- if it is not the recipient's: the recipient was paid through a link, and signed up later
  destination_id          uuid,             -- the bank, wallet or other destination that receives
  status                  text not null
    check (status in ('UNPAID', 'IN_PROCESS', 'PAID', 'FAILED', 'PRINTED', 'VOID', 'EXPIRED', 'MAILED', 'REFUNDED')),
  rail                    text,
  return_code             text,
  refund_at               timestamptz,      -- a failed payment is refunded then, unless it is deposited again

  -- The origin of the payment
  application_platform_id uuid,
  application_id          uuid,             -- the application that made the payment
  grant_id                uuid,             -- the grant that allowed it
  prepared_by             uuid,             -- a login, or the user of a key that no person created; null: it was not prepared
  released_by             uuid,
  batch_id                uuid,
  invoice_id              uuid,             -- the invoice that the payment pays

  -- The Idempotency-Key of the request. The response is rendered again from columns that never change.
  key_at                  timestamptz,      -- real time; null without a key
  key_day                 date,             -- of key_at (UTC), so that new entries of the index are near each other
  key_digest              bytea,
  fingerprint             bytea,            -- of the request
  first_status            text,             -- in the response
  answer_version          smallint,         -- the renderer of the response

  created_at              timestamptz not null,
  updated_at              timestamptz not null,
  deposited_at            timestamptz,      -- when the destination was last chosen
  expires_at              timestamptz not null,
  primary key (platform_id, id)
);

-- A new payment: the payment that an Idempotency-Key created before.
create unique index payments_key on payments (platform_id, key_day, key_digest) where key_digest is not null;

-- GET /v3/check: sent payments, newest first.
create index payments_sender on payments (platform_id, sender_id, created_at desc, id desc);

-- GET /v3/check: payments received from the same platform, newest first.
create index payments_recipient on payments (platform_id, recipient_id, created_at desc, id desc)
where recipient_platform_id is not distinct from platform_id;

-- GET /v3/check with a token: the payments that its grant made.
create index payments_grant on payments (platform_id, grant_id, created_at desc, id desc) where grant_id is not null;

-- GET /v3/payment with one of these statuses, newest first.
create index payments_rare on payments (platform_id, status, id) where status in ('FAILED', 'REFUNDED', 'EXPIRED');

-- GET /v3/payment?batch=.
create index payments_batch on payments (platform_id, batch_id, id) where batch_id is not null;

-- GET /v3/attention: the payments that failed recently.
create index payments_failed_at on payments (platform_id, updated_at) where status = 'FAILED';

-- The total of a user's list: scanned checks, which it leaves out, because the user is their sender only in the books.
create index payments_scanned on payments (platform_id, sender_id) where kind = 'SCANNED';

-- The timeline of an invoice: its payments.
create index payments_invoice on payments (platform_id, invoice_id) where invoice_id is not null;

-- The list of payments that a platform received from payers without an account, newest first.
create index payments_of_invoices on payments (platform_id, id) where invoice_id is not null;

-- Due work: platforms with a payment that expires; then those payments of one platform, in order.
create index payments_expires_at on payments (expires_at) where status in ('UNPAID', 'PRINTED', 'MAILED');
create index payments_platform_expires_at on payments (platform_id, expires_at)
where status in ('UNPAID', 'PRINTED', 'MAILED');

-- Due work: failed payments to refund.
create index payments_refund_at on payments (platform_id, refund_at) where refund_at is not null;

-- Worker step "invite recipients": payments whose recipient has not been notified yet.
create index payments_invitation on payments (platform_id, id) where invitation = 'DUE';

-- The copy of a payment on the recipient's platform, if that is another one than the sender's. The recipient's lists, reads and deposits
-- use it. Several recipients of a payment can be users of one platform.
create table received_payments (
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
  version            bigint not null default 0, -- the position of the last message that was applied: none is applied twice
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  primary key (platform_id, payment_id, user_id)
);

-- GET /v3/check: received payments, newest first.
create index received_payments_user on received_payments (platform_id, user_id, created_at desc, payment_id desc);

-- The recipients of a payment to several. One of them deposits it after all others have endorsed it.
create table payment_recipients (
  platform_id      uuid not null,                              -- of the sender
  payment_id       uuid not null,
  position         integer not null,                           -- from 1, in the order of the request
  name             text not null,
  recipient        text not null,                              -- as entered by the sender
  user_platform_id uuid,                                       -- of user_id, if it is another platform
  user_id          uuid,                                       -- null: a person without an account, who gets a mail and a link
  endorse_only     boolean not null,
  pin_description  text,
  pin_sealed       bytea,
  status           text not null check (status in ('WAITING', 'ENDORSED', 'DEPOSITOR')),
  endorsed_name    text,
  signature_sealed bytea,                                      -- a PNG or JPEG, drawn on the back of the check
  endorsed_at      timestamptz,
  invitation       text check (invitation in ('DUE', 'SENT')), -- null for a user
  invite_at        timestamptz,                                -- when a delayed mail is due
  primary key (platform_id, payment_id, position),
  check ((endorsed_name is null) = (endorsed_at is null)),
  constraint payment_recipients_invitation_user check (num_nulls(user_id, invitation) = 1)
);

-- Endorsement and deposit: the recipient among those of a payment.
create unique index payment_recipients_user on payment_recipients (platform_id, payment_id, user_id);

-- Worker step "invite recipients": mails that are due.
create index payment_recipients_due on payment_recipients (platform_id, payment_id) where invitation = 'DUE';

create table attachments (
  platform_id uuid not null,
  payment_id  uuid not null,
  filename    text,
  pdf         bytea not null,
  primary key (platform_id, payment_id)
);

-- The events of payments, for their timelines. Rows are only added, by the transaction of the change itself. The creation of a payment
-- has no row: payments.created_at has its time.
create table payment_history (
  platform_id uuid not null,
  payment_id  uuid not null,
  position    integer not null check (position > 0),
  kind        text not null check (kind in ('payment', 'leg', 'mail')),
  event       text not null,
  status      text,                 -- of the payment or the leg, after the event
  rail        text,
  return_code text,
  leg_id      uuid,
  event_id    uuid,                 -- the webhook event
  actor       text,                 -- the actor; null: the service itself
  actor_id    text,
  created_at  timestamptz not null, -- by the clock of the platform
  real_at     timestamptz not null,
  primary key (platform_id, payment_id, position)
);

-- Worker step "count payments" and the live stream: the changes since a moment.
create index payment_history_recent on payment_history (platform_id, real_at, payment_id);

-- Messages of a platform to others, written in the transaction of their cause. A worker applies each once, on the platform that receives
-- it and in a separate transaction, and then deletes it. Those about one subject are applied in the order of their positions.
create table outbox (
  platform_id        uuid not null,
  position           bigint generated always as identity,
  target_platform_id uuid not null,
  kind               text not null check (
    kind in (
      'payment_created', 'payment_changed', 'audited', 'card_moved', 'account_returned', 'account_corrected', 'invoice_created',
      'invoice_changed', 'invoice_voided', 'invoice_audited', 'invoice_copied', 'invoice_copy_changed', 'subscription_changed',
      'autopay_changed'
    )
  ),
  subject_id         uuid not null,            -- the payment, invoice or subscription
  cents              bigint check (cents > 0), -- money that is transferred to a wallet of the other platform
  content            json not null,
  created_at         timestamptz not null default now(), -- in real time
  primary key (platform_id, position),
  check (target_platform_id <> platform_id)
);

-- The payments of a platform by the hour of their creation, for statistics. They are counted after they were accepted, and only for
-- platforms whose statistics somebody has opened. An hour is counted again when one of its payments has changed.
create table payment_totals (
  platform_id     uuid not null,
  hour            timestamptz not null, -- by the clock of the platform
  status          text not null,
  rail            text not null,        -- '' before a rail is chosen
  count           bigint not null,
  cents           bigint not null,
  debits_settled  bigint not null,      -- of these payments
  debits_returned bigint not null,
  primary key (platform_id, hour, status, rail)
);

create table payment_totals_progress (
  platform_id uuid primary key,
  from_hour   timestamptz not null, -- counted from here: earlier payments are still to be counted
  to_hour     timestamptz not null, -- up to here, without it
  is_complete boolean not null,     -- whether the first payment is counted
  seen_at     timestamptz not null, -- changes up to here are counted, in real time
  as_of       timestamptz not null, -- by the clock of the platform
  wanted_at   timestamptz not null, -- when the statistics were last read, in real time
  next_at     timestamptz not null  -- the next update, in real time
);

-- Worker step "count payments": the platforms whose totals are due.
create index payment_totals_progress_next_at on payment_totals_progress (next_at);

-- Filters of the list of payments that a member keeps under a name.
create table payment_views (
  platform_id uuid not null,
  login_id    uuid not null,  -- the member; other members do not see it
  id          uuid not null,
  name        text not null,
  filters     jsonb not null, -- of GET /v3/payment
  primary key (platform_id, login_id, id)
);
