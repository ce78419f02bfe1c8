-- Whether a platform has rules about approvals. Read with the sender of each payment, so that platforms without rules read nothing else.
alter table users add column has_approval_policy boolean not null default false;

-- The rules of a platform: which payments of its owner need approvals. The strictest match wins.
create table approval_rules (
  platform_id  uuid not null,
  position     smallint not null,
  min_cents    bigint not null,
  is_new_payee boolean not null,              -- only payees that were new or got another account in the last 7 days
  rail         text,                          -- null: any
  source       text,                          -- null: any
  approvals    smallint not null check (approvals between 0 and 2),
  primary key (platform_id, position)
);

-- The latest change of a policy, and the change that waits for a second person.
create table approval_policies (
  platform_id    uuid primary key,
  changed_by     uuid,                        -- a login, or the user of a key that no person created
  changed_at     timestamptz,
  proposal_id    uuid,
  proposal       json,
  proposed_by    uuid,
  proposed_at    timestamptz,
  payees_read_to timestamptz not null default '-infinity' -- payments up to here are in known_payees
);

-- Payees that a platform with a policy has paid for more than 7 days: the recipient, or the recipient's account.
create table known_payees (
  platform_id uuid not null,
  payee       text not null,
  primary key (platform_id, payee)
);

-- Who approved a prepared payment since its last edit.
create table approval_votes (
  platform_id uuid not null,
  approval_id uuid not null,
  person      uuid not null,                  -- a login, or the user of a key that no person created
  created_at  timestamptz not null,
  primary key (platform_id, approval_id, person)
);

-- How an approval was prepared: see OrderSource. Null: with a key.
alter table approvals add column source text;

-- For the approval policy: how the owner's order is made, and the rails that it offers, separated by commas.
alter type payment_order add attribute source text;
alter type payment_order add attribute rails text;
