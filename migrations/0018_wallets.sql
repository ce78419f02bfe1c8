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

-- Account numbers of wallets at a bank. A credit that names one funds its wallet. A number never goes to another wallet.
create table wallet_numbers (
  connection_id text not null,
  number_digest bytea not null, -- HMAC of the number without leading zeros
  number_sealed bytea not null,
  platform_id   uuid not null,
  wallet_id     uuid not null,
  created_at    timestamptz not null,
  primary key (connection_id, number_digest)
);

-- GET /v3/account/wallet, and giving numbers: the number of a wallet.
create unique index wallet_numbers_wallet on wallet_numbers (connection_id, wallet_id);

-- Trying lines of statements again: when the last number was given.
create index wallet_numbers_latest on wallet_numbers (connection_id, created_at);
