-- Whether postings of a ledger account change a stored balance: that of a wallet, or the debt of a user.
create or replace function changes_balance_v1(_account text) returns boolean language sql immutable as $$
  select _account like 'wallet:%' or _account like 'receivable:%'
$$;
