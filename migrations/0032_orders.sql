-- Orders by ISO 20022 (pain.001). All platforms share the files. The id of a file is the id of its message.
create table iso_orders (
  file_id     uuid not null references exchanges,
  leg_id      uuid not null,    -- EndToEndId, by which the bank names the order
  platform_id uuid not null,
  message     text not null,    -- its version, such as pain.001.001.09
  payment     text not null,    -- PmtInfId: the orders of one account, rail and day
  execute_on  date not null,
  cents       bigint not null check (cents > 0),
  currency    text not null,
  uetr        text,             -- null: the order was written without one
  code        text,             -- the last status of the bank
  ended_at    timestamptz,      -- when the bank gave a final status
  reopened_at timestamptz,      -- when a decision undid the statement line that alone proved it
  recall_id   uuid references exchanges, -- the message that recalls it (camt.055)
  recalled_at timestamptz,      -- frees the leg for another message: the file was canceled, or rejected before the bank read it
  primary key (file_id, leg_id)
);

-- The message of a leg.
create unique index iso_orders_leg on iso_orders (platform_id, leg_id) where recalled_at is null;

-- Worker steps "write orders" and "read answers to orders": those without a final status.
create index iso_orders_open on iso_orders (file_id, leg_id) where ended_at is null and recalled_at is null;

-- Worker step "write orders": the orders of an execution date, for the limit of a day.
create index iso_orders_execute_on on iso_orders (execute_on) where recalled_at is null;

-- Lines of statements that name an order by its UETR.
create index iso_orders_uetr on iso_orders (uetr) where uetr is not null;

-- Answers to requests to recall an order.
create unique index iso_orders_recall on iso_orders (recall_id) where recall_id is not null;

-- Orders in messages that a restore of the database had lost. An order without matched_at is not assigned to a payment yet.
create table recovered_orders (
  leg_id      uuid primary key, -- before the restore: EndToEndId
  file_id     uuid not null references exchanges,
  message     text not null,    -- as in iso_orders
  payment     text not null,
  execute_on  date not null,
  cents       bigint not null,
  currency    text not null,
  uetr        text,
  matched_at  timestamptz,
  rejected_at timestamptz       -- the bank has rejected it, so no payment is assigned to it
);
