-- Payments that wait for their release. Nothing is reserved for them.
create table approvals (
  platform_id       uuid not null,
  id                uuid not null,
  user_id           uuid not null,                -- the sender
  kind              text not null check (kind in ('DIGITAL', 'PHYSICAL', 'MULTI', 'BATCH', 'INVOICE')),
  source            text,                         -- how it was prepared: see OrderSource. Null: with a key
  invoice_id        uuid,                         -- of kind INVOICE
  status            text not null check (status in ('UNPAID', 'APPROVED', 'VOID')),
  amount_cents      bigint not null,              -- of a batch: the total
  name              text not null,
  recipient         text not null,                -- in one line
  payee_platform_id uuid,                         -- the user that the recipient was at the last edit: a release pays no other user
  payee_id          uuid,                         -- null: a person without an account
  funding_id        uuid,                         -- null: the default bank at the time of the release
  description       text,
  comment           text,
  number            text,                         -- null: the next one at the time of the release
  number_is_text    boolean not null,
  details           json not null,                -- the rest of the order: recipient, deposit_options, remittance_advice, mail_type
  pin_description   text,
  pin_sealed        bytea,                        -- of a payment to several recipients: their PINs as JSON
  attachment_name   text,
  attachment        bytea,                        -- a PDF
  prepared_by       uuid not null,                -- a login, or the user of a key that no person created
  editors           uuid[] not null default '{}', -- the people who edited it
  released_by       uuid,
  ended_by          uuid,
  outcome           text check (outcome in ('RELEASED', 'VOIDED', 'REJECTED', 'EXPIRED')),
  reason            text,                         -- of a rejection
  payment_id        uuid,                         -- set in the transaction of the release
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  expires_at        timestamptz,                  -- null: it has ended
  primary key (platform_id, id),
  check ((status = 'APPROVED') = (released_by is not null))
);

-- GET /v3/approval.
create index approvals_user on approvals (platform_id, user_id, created_at, id);

-- The list of ended approvals, the latest end first.
create index approvals_ended on approvals (platform_id, user_id, updated_at, id) where status <> 'UNPAID';

-- Removal of a member: the approvals that end with the membership.
create index approvals_open on approvals (platform_id, user_id) where status = 'UNPAID';

-- The approval of a payment.
create unique index approvals_payment on approvals (platform_id, payment_id) where payment_id is not null;

-- The page of an invoice: the payment of it that waits. There is at most one.
create unique index approvals_invoice on approvals (platform_id, invoice_id) where status = 'UNPAID' and invoice_id is not null;

-- Due work: the approvals that expire next, of one platform and of all.
create index approvals_expires on approvals (platform_id, expires_at) where expires_at is not null;
create index approvals_expires_at on approvals (expires_at) where expires_at is not null;

-- The people who approved a prepared payment since its last edit.
create table approval_votes (
  platform_id uuid not null,
  approval_id uuid not null,
  person      uuid not null, -- a login, or the user of a key that no person created
  payee_state text,          -- the payees of the approval at this time: see payee_state_v1
  created_at  timestamptz not null,
  primary key (platform_id, approval_id, person)
);

-- The rows of a batch (the payments of a file, which are released together), in the order of the file.
create table batch_rows (
  platform_id       uuid not null,
  batch_id          uuid not null,
  position          integer not null, -- from 1
  amount_cents      bigint not null,
  name              text not null,
  recipient         text not null,    -- in one line
  details           json not null,    -- the original row, without its account number
  account_last4     text,
  account_sealed    bytea,            -- null: it has none, or the batch has ended
  payee_platform_id uuid,             -- the user that the recipient was when the row was saved
  payee_id          uuid,
  payment_id        uuid,             -- null: not released
  primary key (platform_id, batch_id, position)
);

-- The rules of a platform: which payments of its owner need approvals. The strictest match wins.
create table approval_rules (
  platform_id  uuid not null,
  position     smallint not null,
  min_cents    bigint not null,
  is_new_payee boolean not null, -- only payees that were new or got another account in the last 7 days
  rail         text,             -- null: any
  source       text,             -- null: any
  approvals    smallint not null check (approvals between 0 and 2),
  primary key (platform_id, position)
);

-- The latest change of a policy, and the change that waits for a second person.
create table approval_policies (
  platform_id    uuid primary key,
  changed_by     uuid,                                    -- a login, or the user of a key that no person created
  changed_at     timestamptz,
  proposal_id    uuid,
  proposal       json,
  proposed_by    uuid,
  proposed_at    timestamptz,
  payees_read_to timestamptz not null default '-infinity' -- payments up to here are in known_payees
);

-- Payees of the payments that the owner of a platform with a policy made more than 7 days ago: the recipient, or the recipient's account.
-- Whether a payment counts is in is_new_payee_v1.
create table known_payees (
  platform_id uuid not null,
  payee       text not null,    -- see payee_keys_v1
  payment_id  uuid not null,
  position    integer not null, -- of one of several recipients; 0: the only one
  account_id  uuid,             -- of the payee, if the order named it
  primary key (platform_id, payee, payment_id, position)
);
