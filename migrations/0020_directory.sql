-- Saved payees of a user.
create table directory_entries (
  platform_id uuid not null,
  id          uuid not null,
  user_id     uuid not null,
  name        text not null,
  email       text,
  address     json not null,
  created_at  timestamptz not null,
  changed_at  timestamptz not null, -- when the payee or one of its accounts was added or changed last
  primary key (platform_id, id)
);

-- GET /v3/directory by name, and by date.
create index directory_entries_name on directory_entries (platform_id, user_id, name collate "C", id);
create index directory_entries_date on directory_entries (platform_id, user_id, created_at, id);

-- The bank accounts and cards of a saved payee.
create table directory_accounts (
  platform_id     uuid not null,
  id              uuid not null,
  entry_id        uuid not null,
  type            text not null check (type in ('BANK', 'CARD')),
  name            text,
  number_sealed   bytea not null,
  routing         text, -- of a bank account
  bank_type       text check (bank_type in ('CHECKING', 'SAVINGS', 'BUSINESS')),
  expiration_date text, -- of a card, as YYYY-MM
  created_at      timestamptz not null,
  primary key (platform_id, id),
  check ((type = 'BANK') = (routing is not null and bank_type is not null)),
  check ((type = 'CARD') = (expiration_date is not null))
);

-- GET /v3/directory: the accounts of the entries of a page.
create index directory_accounts_entry on directory_accounts (platform_id, entry_id, created_at);
