-- Records an event of type PREFUND_ACCOUNT, because the available balance of a wallet has changed. The caller must have locked the wallet,
-- so that events have the order of the balances. Each event is at least a microsecond later than the previous one, because a request that
-- waited for the lock may have an earlier time.
--
-- Returns whether a webhook is now due.
create or replace function record_wallet_event_v1(_platform_id uuid, _wallet_id uuid, _now timestamptz)
returns boolean language plpgsql as $$
declare
  event_at timestamptz;
  wallet record;
begin
  perform from endpoints
  where platform_id = _platform_id and kind in ('endpoint', 'listener') and removed_at is null
    and 'PREFUND_ACCOUNT' = any (event_types);
  if not found then
    return false;
  end if;
  -- Citus refuses to add an interval in an update.
  select greatest(_now, last_event_at + interval '1 microsecond') into event_at
  from wallets
  where platform_id = _platform_id and id = _wallet_id;
  update wallets
  set last_event_at = event_at
  where platform_id = _platform_id and id = _wallet_id
  returning replace(id::text, '-', '') as id, balance_cents - held_cents as cents, last_event_at into wallet;
  return cardinality(record_event_v1(
    _platform_id, 'PREFUND_ACCOUNT', _wallet_id, uuid_of_time_v1(wallet.last_event_at),
    format(
      '{"id":"%s","type":"PREFUND_ACCOUNT","balance":%s.%s}',
      wallet.id, wallet.cents / 100, lpad((wallet.cents % 100)::text, 2, '0')
    ),
    date_trunc('milliseconds', wallet.last_event_at)
  )) > 0;
end $$;
