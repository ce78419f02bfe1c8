-- A payment to several recipients. One of them deposits it after all others have endorsed it.
alter table payments drop constraint payments_kind_check;
alter table payments add constraint payments_kind_check check (kind in ('DIGITAL', 'PHYSICAL', 'MULTI')) not valid;
alter table payments validate constraint payments_kind_check;

create table payment_recipients (
  platform_id      uuid not null,            -- of the sender
  payment_id       uuid not null,
  position         integer not null,         -- from 1, as the sender named them
  name             text not null,
  recipient        text not null,            -- as the sender entered it
  user_id          uuid not null,            -- a user of the platform
  endorse_only     boolean not null,
  pin_description  text,
  pin_sealed       bytea,
  status           text not null check (status in ('WAITING', 'ENDORSED', 'DEPOSITOR')),
  endorsed_name    text,
  signature_sealed bytea,                    -- a PNG or JPEG, drawn on the back of the check
  endorsed_at      timestamptz,
  primary key (platform_id, payment_id, position),
  check ((endorsed_name is null) = (endorsed_at is null))
);

-- The recipient among those of a payment.
create unique index payment_recipients_user on payment_recipients (platform_id, payment_id, user_id);

-- Several recipients of a payment can be users of one platform.
alter table received_payments drop constraint received_payments_pkey;
alter table received_payments add constraint received_payments_pkey primary key (platform_id, payment_id, user_id);
