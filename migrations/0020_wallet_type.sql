-- The type is the one that the caller chose. A wallet needs no name.
alter table wallets
  add column type text not null default 'INTERNAL' check (type in ('INTERNAL', 'EXTERNAL')),
  alter column name drop not null;
