-- Finds the payee of each order: a user of the platform by its user_id or id, then the owner of any platform by its verified
-- receiving address, otherwise a person without an account. Locks the users of the platform and the accounts that
-- the orders name, so that none can be suspended or deleted before the payment exists. Users of other platforms are read without a
-- lock, each with a statement of its own, because they may be on another node. For an order with its own payee account, or with several
-- recipients, no payee is found here.
--
--   _platform_id      the platform of all orders, or null if they are of several
--   _names_accounts   whether any order names an account of its payee
--
-- Returns the payees in the order of the orders.
--
-- Raises: the error of a node that is down, with the position of the order whose payee is there as the hint.
create or replace function find_payees_v1(_platform_id uuid, _orders payment_order[], _names_accounts boolean) returns payee[]
language plpgsql as $$
declare
  found_payees payee[];
  found_count integer;
  elsewhere record;
begin
  loop
    found_payees := array(
      select row(
        coalesce(e.platform_id, i.platform_id), coalesce(e.id, i.id), coalesce(e.status, i.status), r.platform_id,
        r.verified_at is not null, null, null
      )::payee
      from unnest(_orders) with ordinality o
      left join users e on e.platform_id = coalesce(_platform_id, o.platform_id) and e.external_id = o.recipient
        and e.deleted_at is null and o.account_digests is null and o.recipient_platform is null
      left join users i on i.platform_id = coalesce(_platform_id, o.platform_id) and i.id = o.recipient_user and i.deleted_at is null
        and (o.recipient_platform is null or o.recipient_platform = o.platform_id)
      left join receiving_addresses r on r.email_hash = sha256(convert_to(o.recipient_email, 'UTF8'))
        and e.id is null and i.id is null and o.destination_id is null
      order by o.ordinality
    );
    for elsewhere in
      select p.ordinality as place, p.recipient_platform, p.recipient_user, p.login_id, p.is_verified
      from rows from (unnest(_orders), unnest(found_payees)) with ordinality p
      where p.payee_id is null and (p.is_verified or p.recipient_platform <> p.platform_id)
    loop
      begin
        found_payees[elsewhere.place] := payee_elsewhere_v1(
          elsewhere.recipient_platform, elsewhere.recipient_user, elsewhere.login_id, elsewhere.is_verified
        );
      exception
        when connection_exception then
          raise exception using errcode = sqlstate, message = sqlerrm, hint = elsewhere.place::text;
      end;
    end loop;
    select count(*) into found_count
    from rows from (unnest(_orders), unnest(found_payees)) p
    where p.payee_platform_id = p.platform_id;
    -- A user that was changed before it could be locked is read again.
    exit when found_count = 0 or found_count = lock_payees_v1(_platform_id, _orders, found_payees);
  end loop;

  if _names_accounts then
    found_payees := array(
      with held as materialized (
        select named.places[a.place] as place, a.kind, a.block
        from (
          select
            p.payee_platform_id, array_agg(p.ordinality) as places, array_agg(p.payee_id) as payee_ids,
            array_agg(p.destination_id) as ids
          from rows from (unnest(_orders), unnest(found_payees)) with ordinality p
          where p.payee_id is not null and p.destination_id is not null
          group by p.payee_platform_id
        ) named
        cross join lateral hold_accounts_v1(named.payee_platform_id, named.payee_ids, named.ids) a
      )
      select row(
        p.payee_platform_id, p.payee_id, p.payee_status, p.login_id, p.is_verified,
        case when p.account_digests is null then a.kind else p.destination_kind end,
        coalesce(a.block, p.given_block)
      )::payee
      from rows from (
        unnest(_orders), unnest(found_payees), given_blocks_v1(_platform_id, _orders)
      ) with ordinality p
      left join held a on a.place = p.ordinality
      order by p.ordinality
    );
  end if;
  return found_payees;
end $$;
