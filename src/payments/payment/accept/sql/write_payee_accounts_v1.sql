-- Inserts the accounts of accepted payments whose payees have no user. Each is used for its payment only, and never appears in lists.
--
--   _banks, _destinations   see accept_payments_v1
--   _digest_place           see digest_place_v1
create or replace function write_payee_accounts_v1(
  _orders payment_order[], _made acceptance[], _banks json, _destinations json, _digest_place integer
) returns void language plpgsql as $$
begin
  if _banks is not null then
    insert into banks (
      platform_id, id, user_id, routing, account_sealed, account_digest, type, name, status, is_billing, is_default, created_at,
      deleted_at
    )
    select
      o.platform_id, o.bank_id, o.id, o.routing, o.account_sealed, o.account_digests[_digest_place], o.type, o.name, o.status,
      o.is_billing, o.is_default, o.created_at, o.created_at
    from rows from (
      unnest(_orders),
      unnest(_made),
      json_to_recordset(_banks) as (
        bank_id uuid, routing text, account_sealed bytea, type text, name text, status text, is_billing boolean, is_default boolean
      )
    ) o
    where o.bank_id is not null and o.outcome = 'accepted';
  end if;
  if _destinations is not null then
    insert into destinations (platform_id, user_id, id, kind, details, account_sealed, is_default, created_at, deleted_at)
    select o.platform_id, o.id, o.payee_account_id, o.kind, o.details, o.account_sealed, o.is_default, o.created_at, o.created_at
    from rows from (
      unnest(_orders),
      unnest(_made),
      json_to_recordset(_destinations) as (
        payee_account_id uuid, kind text, details json, account_sealed bytea, is_default boolean
      )
    ) o
    where o.payee_account_id is not null and o.outcome = 'accepted';
  end if;
end $$;
