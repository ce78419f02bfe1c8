-- Virtual cards are destinations of the kind vcc. Their number is sealed, and their security code is not stored.
alter table destinations drop constraint destinations_kind_check;
alter table destinations add constraint destinations_kind_check
  check (kind in ('card', 'paypal', 'venmo', 'interac', 'wire', 'vcc'));
alter table payments drop constraint payments_destination_kind_check;
alter table payments add constraint payments_destination_kind_check
  check (destination_kind in ('bank', 'wallet', 'card', 'paypal', 'venmo', 'interac', 'wire', 'vcc'));

-- The money on a virtual card: the balance of its ledger account card:ID. It is below zero only if a payout came back
-- after it was spent.
create table virtual_cards (
  platform_id   uuid not null,
  id            uuid not null,                -- of the destination
  balance_cents bigint not null default 0,
  primary key (platform_id, id)
);

-- What happened on a card, each with its transfer in the ledger.
create table card_transactions (
  platform_id   uuid not null,
  id            uuid not null,
  card_id       uuid not null,
  type          text not null check (type in ('LOAD', 'RETURN', 'SPEND')),
  cents         bigint not null,              -- below zero: it left the card
  balance_cents bigint not null,              -- after it
  description   text,
  payment_id    uuid,
  created_at    timestamptz not null,
  primary key (platform_id, id)
);

-- GET /v3/account/vcc/{id}/transaction.
create index card_transactions_card on card_transactions (platform_id, card_id, created_at, id);

-- A payout to a card of another platform.
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (kind in ('payment_created', 'payment_changed', 'audited', 'card_moved'));
