-- Subscriptions can invoice a user, who can allow them to be paid without being asked.
alter table subscriptions add column payer_id uuid; -- of invoices

-- GET /v3/subscription by those who pay.
create index subscriptions_payer on subscriptions (platform_id, payer_id, created_at, id) where payer_id is not null;

alter table subscription_runs add column invoice_id uuid;
alter table subscription_runs drop constraint subscription_runs_outcome_check;
alter table subscription_runs add constraint subscription_runs_outcome_check
  check (outcome in ('SKIPPED', 'PAID', 'PREPARED', 'INVOICED', 'FAILED')) not valid;
alter table subscription_runs validate constraint subscription_runs_outcome_check;

-- The permission of a user to pay the invoices of a subscription without asking. Kept after its end, as evidence.
create table autopay_authorizations (
  platform_id     uuid not null,
  id              uuid not null,
  subscription_id uuid not null,
  user_id         uuid not null,            -- who pays
  given_by        uuid,                     -- the member; null for a key that no member created
  text            text not null,            -- that the user agreed to
  address         text,                     -- from which it was given
  given_at        timestamptz not null,     -- real time
  revoked_at      timestamptz,              -- real time
  primary key (platform_id, id)
);

create unique index autopay_authorizations_active on autopay_authorizations (platform_id, subscription_id)
  where revoked_at is null;
