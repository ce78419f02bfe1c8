-- What a user owes because a debit was returned after the money had been paid out. This is the balance of the user's
-- receivable account, which is updated with every posting. Every payment locks this row, so refusing a debtor costs no
-- further query.
alter table user_counters add column debt_cents bigint not null default 0 check (debt_cents >= 0);

update user_counters c
set debt_cents = owed.cents
from (
  select platform_id, user_id, sum(cents) as cents
  from (
    select platform_id, substr(debit, 12)::uuid as user_id, cents
    from transfers
    where status = 'POSTED' and debit like 'receivable:%'
    union all
    select platform_id, substr(credit, 12)::uuid, -cents
    from transfers
    where status = 'POSTED' and credit like 'receivable:%'
  ) entries
  group by platform_id, user_id
) owed
where c.platform_id = owed.platform_id and c.user_id = owed.user_id and owed.cents > 0;

-- The debts of a user by payment, and verify-ledger: the debts of all users.
create index transfers_receivable_debit on transfers (platform_id, debit) where debit like 'receivable:%';
create index transfers_receivable_credit on transfers (platform_id, credit) where credit like 'receivable:%';

-- remit debt list: users with debts.
create index user_counters_debt on user_counters (platform_id, user_id) where debt_cents > 0;
