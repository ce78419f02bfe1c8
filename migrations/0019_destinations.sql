-- Destinations other than banks and wallets. Account numbers are sealed or reduced to their last four digits.
create table destinations (
  platform_id    uuid not null,
  id             uuid not null,
  user_id        uuid not null,
  kind           text not null check (kind in ('card', 'paypal', 'venmo', 'interac', 'wire', 'vcc')),
  details        json not null,
  account_sealed bytea,
  is_default     boolean not null default false, -- of cards only
  created_at     timestamptz not null,
  deleted_at     timestamptz,
  primary key (platform_id, id)
);

-- GET /v3/account/card, and the lists of the other kinds.
create index destinations_user on destinations (platform_id, user_id, kind, created_at) where deleted_at is null;

-- The money on a virtual card (a destination of the kind vcc): the balance of its ledger account card:ID. It is below zero only if a
-- payout came back after it was spent.
create table virtual_cards (
  platform_id   uuid not null,
  id            uuid not null, -- of the destination
  balance_cents bigint not null default 0,
  primary key (platform_id, id)
);

-- The loads, returns and purchases of a card, each with its transfer in the ledger.
create table card_transactions (
  platform_id   uuid not null,
  id            uuid not null,
  card_id       uuid not null,
  type          text not null check (type in ('LOAD', 'RETURN', 'SPEND')),
  cents         bigint not null, -- below zero: it left the card
  balance_cents bigint not null, -- after it
  description   text,
  payment_id    uuid,
  created_at    timestamptz not null,
  primary key (platform_id, id)
);

-- GET /v3/account/vcc/{id}/transaction.
create index card_transactions_card on card_transactions (platform_id, card_id, created_at, id);
