-- The payments of a platform by the hour of their creation, for statistics. They are counted outside of acceptance, for platforms whose
-- statistics somebody has looked at, and counted again when a payment of the hour has changed.
create table payment_totals (
  platform_id     uuid not null,
  hour            timestamptz not null,     -- by the clock of the platform
  status          text not null,
  rail            text not null,            -- '' before a rail is chosen
  count           bigint not null,
  cents           bigint not null,
  debits_settled  bigint not null,          -- of these payments
  debits_returned bigint not null,
  primary key (platform_id, hour, status, rail)
);

create table payment_totals_progress (
  platform_id uuid primary key,
  from_hour   timestamptz not null,         -- counted from here: earlier payments are still to be counted
  to_hour     timestamptz not null,         -- up to here, without it
  is_complete boolean not null,             -- whether the first payment is counted
  seen_at     timestamptz not null,         -- changes up to here are counted, in real time
  as_of       timestamptz not null,         -- by the clock of the platform
  wanted_at   timestamptz not null,         -- when somebody last looked, in real time
  next_at     timestamptz not null          -- when it is brought up to date next, in real time
);

-- The platforms whose totals are due.
create index payment_totals_progress_next_at on payment_totals_progress (next_at);

-- What has changed since a moment.
create index payment_history_recent on payment_history (platform_id, real_at, payment_id);
