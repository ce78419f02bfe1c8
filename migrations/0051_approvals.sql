-- Whether the payments of a user need the release of a second person.
alter table users add column dual_control boolean not null default false;

-- Payments that wait for their release. Nothing is reserved for them.
create table approvals (
  platform_id     uuid not null,
  id              uuid not null,
  user_id         uuid not null,            -- the sender
  kind            text not null check (kind in ('DIGITAL', 'PHYSICAL')),
  status          text not null check (status in ('UNPAID', 'APPROVED', 'VOID')),
  amount_cents    bigint not null,
  name            text not null,
  recipient       text not null,            -- in one line
  funding_id      uuid,                     -- null: the default bank at the time of the release
  description     text,
  comment         text,
  number          text,                     -- null: the next one at the time of the release
  number_is_text  boolean not null,
  details         json not null,            -- the rest of the order: recipient, deposit_options, remittance_advice, mail_type
  pin_description text,
  pin_sealed      bytea,
  attachment_name text,
  attachment      bytea,                    -- a PDF
  prepared_by     uuid not null,            -- a login, or the user of a key that no person created
  edited_by       uuid not null,            -- who changed it last
  released_by     uuid,
  payment_id      uuid,                     -- set in the transaction of the release
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (platform_id, id),
  check ((status = 'APPROVED') = (released_by is not null))
);

-- GET /v3/approval.
create index approvals_user on approvals (platform_id, user_id, created_at, id);
-- The approvals that end with the membership of a person.
create index approvals_open on approvals (platform_id, user_id) where status = 'UNPAID';
-- The approval of a payment.
create unique index approvals_payment on approvals (platform_id, payment_id) where payment_id is not null;

-- The approval that releases an order. A dry run moves no money and needs none.
alter type payment_order add attribute approval_id uuid;
alter type payment_order add attribute is_dry_run boolean;
