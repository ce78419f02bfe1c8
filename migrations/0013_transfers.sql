-- Double entry: a transfer moves cents from the debited ledger account to the credited one. A pending transfer is a
-- hold. It is posted or voided later, and nothing else about a transfer changes. A ledger account is a text: 'wallet:ID',
-- 'card:ID', 'payable', 'clearing:RAIL', 'micro_deposits', 'receivable:USER', 'world'.
create table transfers (
  platform_id uuid not null,
  id          uuid not null,
  debit       text not null,
  credit      text not null,
  cents       bigint not null check (cents > 0),
  status      text not null check (status in ('PENDING', 'POSTED', 'VOIDED')),
  reason      text not null, -- name of the posting rule
  payment_id  uuid,
  leg_id      uuid,
  created_at  timestamptz not null,
  ended_at    timestamptz,   -- when a pending transfer was posted or voided
  primary key (platform_id, id),
  check (debit <> credit),
  check (status <> 'PENDING' or ended_at is null)
);

-- The transfers of a payment: the hold to post or void, and verify-ledger.
create index transfers_payment on transfers (platform_id, payment_id) where payment_id is not null;

-- GET /v3/account/wallet/{id}/transaction, newest first: transfers out of the wallet and transfers into it.
create index transfers_debit on transfers (platform_id, debit, created_at desc, id desc) where debit like 'wallet:%';
create index transfers_credit on transfers (platform_id, credit, created_at desc, id desc) where credit like 'wallet:%';

-- The debts of a user by payment, and verify-ledger: the debts of all users.
create index transfers_receivable_debit on transfers (platform_id, debit) where debit like 'receivable:%';
create index transfers_receivable_credit on transfers (platform_id, credit) where credit like 'receivable:%';

-- Money that moved outside of the service, as the operator recorded it. A reference is recorded once for each subject, so that a
-- repeated command records nothing again.
create table outside_payments (
  platform_id uuid not null,
  direction   text not null check (direction in ('IN', 'OUT')), -- IN: a debt was paid; OUT: the operator paid by wire or check
  subject_id  uuid not null, -- the debtor, the payment, or the closed user whose wallets were paid out
  reference   text not null, -- in lower case, without surrounding or repeated spaces
  way         text,
  cents       bigint not null check (cents > 0),
  created_at  timestamptz not null,
  primary key (platform_id, direction, subject_id, reference)
);
