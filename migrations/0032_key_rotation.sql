-- Digests begin with the id of their key from now on. Those of before do not, and were all made with one key.
insert into settings (name, value)
select 'unmarked_digest_key', value
from settings
where name = 'digest_key';

-- What a digest stands for is kept beside it, sealed, so that it can be computed anew with another key.
alter table account_blocks
  add column routing text,
  add column account_sealed bytea;
alter table bank_trials
  add column routing text,
  add column account_sealed bytea;
alter table mail_suppressions
  add column email_sealed bytea;

update account_blocks k
set routing = b.routing, account_sealed = b.account_sealed
from banks b
where b.platform_id = k.platform_id and b.account_digest = k.account_digest;

update bank_trials t
set routing = b.routing, account_sealed = b.account_sealed
from banks b
where b.platform_id = t.platform_id and b.user_id = t.user_id and b.account_digest = t.account_digest;

-- All banks of an account, deleted ones too: a rotation renews their digests together, and a block names those that are left.
drop index banks_of_account;
create index banks_of_account on banks (account_digest);

-- What proves the links of a chain that were made with a key which is retired: an HMAC, by another key, over all of them.
create table audit_closings (
  platform_id uuid not null,
  sequence    bigint not null, -- the last link that it covers
  key_id      text not null,
  digest      bytea not null,
  created_at  timestamptz not null,
  primary key (platform_id, key_id, sequence)
);

-- A payment is ordered with digests by each key of the ring; the function that accepts it keeps those that count.
alter type payment_order drop attribute lock, add attribute digests json;
alter type acceptance add attribute answer_record idempotency_records;
