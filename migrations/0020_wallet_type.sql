-- As the caller asked for it; a wallet needs no name.
alter table wallets
  add column type text not null default 'INTERNAL' check (type in ('INTERNAL', 'EXTERNAL')),
  alter column name drop not null;
