-- An approval can be of a batch: the payments of a file that are released together. Its amount is their total.
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check
  check (kind in ('DIGITAL', 'PHYSICAL', 'MULTI', 'BATCH')) not valid;
alter table approvals validate constraint approvals_kind_check;

-- The rows of a batch, in the order of the file.
create table batch_rows (
  platform_id       uuid not null,
  batch_id          uuid not null,
  position          integer not null,       -- from 1
  amount_cents      bigint not null,
  name              text not null,
  recipient         text not null,          -- in one line
  details           json not null,          -- the row as it was given, without its account number
  account_last4     text,
  account_sealed    bytea,                  -- null: it has none, or the batch has ended
  payee_platform_id uuid,                   -- the user that the recipient was when the row was saved
  payee_id          uuid,
  payment_id        uuid,                   -- null: not released
  primary key (platform_id, batch_id, position)
);

-- GET /v3/payment?batch=.
create index payments_batch on payments (platform_id, batch_id, id) where batch_id is not null;

-- For the approval policy: the total of the batch that an order belongs to, and the rails that its orders offer, separated by commas.
alter type payment_order add attribute batch_cents bigint;
alter type payment_order add attribute batch_rails text;
