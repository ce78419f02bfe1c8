-- Locks what the payments of a group use up: grants, counters of the senders and wallets. The counters are locked before
-- anything about the sender is read, because every change of a user's status or bank locks them too. The owners' rows are locked
-- (shared), so that a payment and a simultaneous suspension are serialized. Each row is found by its key: a join could read
-- a whole table when its plan is from a time when the table was small.
--
--   _platform_id    the platform of all orders, or null if they are of several
--   _grant_ids      grants that the payments use, or null
--   _uses_wallets   whether any payment is drawn on a wallet
create or replace function lock_senders_v1(
  _platform_id uuid, _orders payment_order[], _grant_ids uuid[], _uses_wallets boolean
) returns void language plpgsql as $$
begin
  if _grant_ids is not null then
    perform 1
    from (select distinct platform_id, grant_id from unnest(_orders) where grant_id is not null order by grant_id) o
    cross join lateral (
      select from grants g where g.platform_id = coalesce(_platform_id, o.platform_id) and g.id = o.grant_id for no key update
    ) locked;
  end if;

  perform 1
  from (select distinct platform_id, sender_id from unnest(_orders) order by sender_id) o
  cross join lateral (
    select from user_counters c where c.platform_id = coalesce(_platform_id, o.platform_id) and c.user_id = o.sender_id for update
  ) locked;

  perform 1
  from (select distinct platform_id from unnest(_orders) order by platform_id) o
  cross join lateral (
    select from users w where w.platform_id = coalesce(_platform_id, o.platform_id) and w.id = o.platform_id for key share
  ) locked;

  if _uses_wallets then
    perform 1
    from (
      select distinct o.platform_id, w.id
      from unnest(_orders) o
      cross join lateral (values (o.funding_id), (o.destination_id)) w (id)
      where o.funding_kind = 'wallet'
      order by w.id
    ) o
    cross join lateral (
      select from wallets w where w.platform_id = coalesce(_platform_id, o.platform_id) and w.id = o.id for update
    ) locked;
  end if;
end $$;
