-- The order of a leg at a processor. A leg has one at most, so it is never paid twice under another reference.
create table payouts (
  platform_id   uuid not null,
  leg_id        uuid not null,          -- its reference at the processor
  connection_id text not null,
  rail          text not null,
  cents         bigint not null check (cents > 0),
  status        text not null
    check (status in ('READY', 'SENDING', 'UNKNOWN', 'SUBMITTED', 'ACCEPTED', 'PAID', 'REJECTED', 'RETURNED', 'CANCELED')),
  processor_id  text,                   -- its id at the processor
  account_mark  text,                   -- digest of the client id that it was sent with; null: the processor has none
  sent_on       date,                   -- the day in the zone of the connection on which it was last sent; null: it was not, or certainly not taken
  cancel_answered_at timestamptz,       -- when the processor answered the request to cancel it
  next_at       timestamptz,            -- when it is sent or queried; null: never again
  tries         integer not null default 0, -- in its status
  unknown_since timestamptz,            -- since when its state is not known, or answers about it cannot be read
  paid_at       timestamptz,
  fee_cents     bigint,
  last_problem  text,
  created_at    timestamptz not null,
  primary key (platform_id, leg_id)
);

-- Worker step "pay by processors": the orders of a connection that are due.
create index payouts_next_at on payouts (connection_id, next_at) where next_at is not null;

-- Worker step "pay by processors": the orders of a connection that wait for its balance, and those of a day, for its limit.
create index payouts_waiting on payouts (connection_id) where status in ('READY', 'UNKNOWN');
create index payouts_sent_on on payouts (connection_id, sent_on) where sent_on is not null;

-- Worker step "pay by processors": the orders that an event names.
create index payouts_leg on payouts (leg_id);
create index payouts_processor_id on payouts (connection_id, processor_id) where processor_id is not null;

-- Events of processors that the worker step has not handled: the orders to query at once.
create table processor_events (
  connection_id text not null,
  kind          text not null check (kind in ('reference', 'processor_id')),
  subject       text not null, -- our reference, or the processor's id
  received_at   timestamptz not null,
  primary key (connection_id, kind, subject)
);
