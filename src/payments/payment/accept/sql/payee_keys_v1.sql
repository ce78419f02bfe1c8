-- Returns the keys of a payee in known_payees: the payee's account if the order names one, otherwise the payee. A user is named by its id,
-- because another user can get a similar or a former user_id. Returns null for an order with several recipients, which are judged one by
-- one when they are written.
--
--   _destination_id    the account of the payee that the order names, or null
--   _account_digests   of the account of a payee without a user, by the master keys. Empty without an account: of several recipients
create or replace function payee_keys_v1(
  _payee_platform_id uuid, _payee_id uuid, _recipient text, _destination_id uuid, _account_digests bytea[]
) returns text[] language sql immutable as $$
  select case
    when _payee_id is not null then array[concat_ws(' ', 'user', _payee_platform_id, _payee_id, _destination_id)]
    when cardinality(_account_digests) > 0 then array(select encode(d, 'hex') from unnest(_account_digests) d)
    when _account_digests is not null and _destination_id is null then null
    else array[concat_ws(' ', lower(_recipient), _destination_id)]
  end
$$;
