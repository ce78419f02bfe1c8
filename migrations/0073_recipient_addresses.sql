-- Payments and invoices to people outside, by the SHA-256 of their email, until an account with that verified address has them.
create table recipient_addresses (
  email_hash  bytea   not null,
  platform_id uuid    not null,           -- of the sender
  subject_id  uuid    not null,
  kind        text    not null check (kind in ('payment', 'invoice')),
  due         integer not null,           -- how often it was asked for since it was last matched; 0: it waits for its address
  primary key (email_hash, platform_id, subject_id)
);

-- What is to be matched, platform by platform.
create index recipient_addresses_due on recipient_addresses (platform_id, subject_id) where due > 0;

-- Whether earlier payments to the address are still to be looked for.
alter table receiving_addresses add column is_new boolean not null default true;
-- The new addresses.
create index receiving_addresses_new on receiving_addresses (email_hash) where is_new;

-- The platform of the account that a payment is paid into, if it is not the recipient's: who was paid through a link, and signed
-- up later.
alter table payments add column destination_platform_id uuid;

insert into recipient_addresses (email_hash, platform_id, subject_id, kind, due)
select sha256(convert_to(lower(recipient), 'UTF8')), platform_id, id, 'payment', 0
from payments
where invitation is not null and recipient_id is null and kind <> 'MULTI';
