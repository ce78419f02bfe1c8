-- Takes what accepted payments use: check numbers, cents of limits, and single-use grants. The caller holds the locks.
--
--   _platform_id   the platform of all orders, or null if they are of several
create or replace function take_from_senders_v1(
  _platform_id uuid, _orders payment_order[], _made acceptance[], _grant_ids uuid[], _digest_place integer
) returns void language plpgsql as $$
begin
  insert into user_counters as c (platform_id, user_id, next_check_number, sent_on, sent_day_cents, sent_month_cents)
  -- The last decision about a sender includes what the earlier ones use.
  select distinct on (o.sender_id)
    o.platform_id, o.sender_id, o.next_number, o.sent_on, o.day_cents, o.month_cents
  from rows from (unnest(_orders), unnest(_made)) with ordinality o
  where o.outcome = 'accepted'
  order by o.sender_id, o.ordinality desc
  -- A sender's counters always have a row. `update` would need a join, and its plan could be from a time when the table was small.
  on conflict (platform_id, user_id) do update
  set next_check_number = excluded.next_check_number, sent_on = excluded.sent_on, sent_day_cents = excluded.sent_day_cents,
      sent_month_cents = excluded.sent_month_cents;

  if _grant_ids is not null then
    update grants g
    set spent_at = o.real_now, spent_by_key_digest = o.key_digest
    from (
      select o.platform_id, o.grant_id, o.real_now, o.key_digests[_digest_place] as key_digest
      from rows from (unnest(_orders), unnest(_made)) o
      where o.outcome = 'accepted'
    ) o
    where g.id = any (_grant_ids) and g.platform_id = coalesce(_platform_id, o.platform_id)
      and g.id = o.grant_id and g.scope = 'single-use';
  end if;
end $$;
