-- Inserts the accounts of accepted payments whose payees have no user. Each is used for its payment only, and never appears in lists.
--
--   _deposits       see accept_payments_v1
--   _digest_place   see digest_place_v1
create or replace function write_payee_accounts_v1(
  _orders payment_order[], _made acceptance[], _deposits json, _digest_place integer
) returns void language plpgsql as $$
begin
  if not exists (select from unnest(_orders) o where o.account_digests is not null) then
    return;
  end if;
  insert into banks (
    platform_id, id, user_id, routing, account_sealed, account_digest, type, name, status, is_billing, is_default, created_at,
    deleted_at
  )
  select
    b.platform_id, b.id, b.user_id, b.routing, b.account_sealed, o.account_digests[_digest_place], b.type, b.name, b.status,
    b.is_billing, b.is_default, b.created_at, b.created_at
  from rows from (unnest(_made), json_to_recordset(_deposits) as (account_digests bytea[], bank banks)) o
  cross join lateral (select (o.bank).*) b
  where b.id is not null and o.outcome = 'accepted';

  insert into destinations (platform_id, user_id, id, kind, details, account_sealed, is_default, created_at, deleted_at)
  select p.platform_id, p.user_id, p.id, p.kind, p.details, p.account_sealed, p.is_default, p.created_at, p.created_at
  from rows from (unnest(_made), json_to_recordset(_deposits) as (destination destinations)) o
  cross join lateral (select (o.destination).*) p
  where p.id is not null and o.outcome = 'accepted';
end $$;
