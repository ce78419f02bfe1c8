-- Money that users hold here. Balances are stored here and in virtual_cards only.
create table wallets (
  platform_id   uuid not null,
  id            uuid not null,
  user_id       uuid not null,
  type          text not null default 'INTERNAL' check (type in ('INTERNAL', 'EXTERNAL')),
  name          text,
  balance_cents bigint not null default 0 check (balance_cents >= 0),
  held_cents    bigint not null default 0 check (held_cents >= 0),
  last_event_at timestamptz, -- keeps the times of a wallet's events in the order of its balances
  created_at    timestamptz not null,
  deleted_at    timestamptz,
  primary key (platform_id, id),
  check (held_cents <= balance_cents)
);

-- GET /v3/account/wallet.
create index wallets_user on wallets (platform_id, user_id, created_at) where deleted_at is null;
