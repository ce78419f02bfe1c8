-- Applies postings to the ledger, to the balances of wallets, and to the debts of users.
--
--   _postings   JSON array of {id, mode, debit, credit, cents, reason}, where mode is one of
--                 hold        a new pending transfer
--                 post        a new posted transfer
--                 post_held   posts the pending transfer of this payment between the two accounts
--                 void_held   voids the pending transfer of this payment between the two accounts
--   _leg_id     the leg that caused the postings, or null
--
-- Returns whether a webhook about a balance is now due.
-- Raises an exception unless there is exactly one pending transfer to end, or if a balance would become negative.
-- Locks: each wallet and each debtor's counters, in the order of the postings. If another transaction could lock them in another order, the
-- caller first locks them in the order of their ids, to prevent deadlocks.
create or replace function post_transfers_v1(
  _platform_id uuid, _postings json, _payment_id uuid, _leg_id uuid, _now timestamptz
) returns boolean language plpgsql as $$
declare
  posting record;
  moved bigint;
  is_due boolean := false;
begin
  for posting in
    select *
    from json_to_recordset(_postings) as p (id uuid, mode text, debit text, credit text, cents bigint, reason text)
  loop
    moved := posting.cents;
    if posting.mode in ('hold', 'post') then
      insert into transfers (
        platform_id, id, debit, credit, cents, status, reason, payment_id, leg_id, created_at
      )
      values (
        _platform_id, posting.id, posting.debit, posting.credit, moved,
        case when posting.mode = 'hold' then 'PENDING' else 'POSTED' end, posting.reason, _payment_id, _leg_id, _now
      );
    else
      moved := (end_pending_transfers_v1(
        _platform_id, array[_payment_id], array[posting.debit], array[posting.credit],
        array[case when posting.mode = 'post_held' then 'POSTED' else 'VOIDED' end], array[_now]
      ))[1];
    end if;
    if posting.debit like 'wallet:%' then
      update wallets
      set
        balance_cents = balance_cents - case when posting.mode in ('post', 'post_held') then moved else 0 end,
        held_cents = held_cents
          + case when posting.mode = 'hold' then moved when posting.mode = 'post' then 0 else -moved end
      where platform_id = _platform_id and id = substr(posting.debit, 8)::uuid;
      -- The hold already deducted the amount from the balance.
      if posting.mode <> 'post_held' then
        is_due := record_wallet_event_v1(_platform_id, substr(posting.debit, 8)::uuid, _now) or is_due;
      end if;
    end if;
    if posting.debit like 'receivable:%' or posting.credit like 'receivable:%' then
      update user_counters
      set debt_cents = debt_cents + case when posting.debit like 'receivable:%' then moved else -moved end
      where platform_id = _platform_id
        and user_id = substr(
          case when posting.debit like 'receivable:%' then posting.debit else posting.credit end, 12
        )::uuid;
    end if;
    if posting.credit like 'wallet:%' and posting.mode in ('post', 'post_held') then
      -- A deleted wallet that receives late money becomes visible again.
      update wallets
      set balance_cents = balance_cents + moved, deleted_at = null
      where platform_id = _platform_id and id = substr(posting.credit, 8)::uuid;
      is_due := record_wallet_event_v1(_platform_id, substr(posting.credit, 8)::uuid, _now) or is_due;
    end if;
  end loop;
  return is_due;
end $$;
