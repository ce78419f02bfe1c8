-- Messages of a platform to others, written in the transaction of their cause. A worker applies each once, on the platform that receives
-- it and in a transaction of its own, and then deletes it. Those about one subject are applied in the order of their positions.
create table outbox (
  platform_id        uuid not null,
  position           bigint generated always as identity,
  target_platform_id uuid not null,
  kind               text not null check (kind in ('payment_created', 'payment_changed', 'audited')),
  subject_id         uuid not null, -- the payment
  cents              bigint check (cents > 0), -- money on its way to a wallet of the other platform
  content            json not null,
  primary key (platform_id, position),
  check (target_platform_id <> platform_id)
);

-- The position of the last message that was applied to a copy. It makes a second application impossible.
alter table received_payments add column version bigint not null default 0;

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
