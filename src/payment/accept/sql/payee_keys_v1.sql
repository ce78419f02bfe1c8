-- What a payee is known by: its account, if the order names one, otherwise the recipient.
--
--   _account_digests   of the account of a payee without a user, by the master keys
create or replace function payee_keys_v1(_recipient text, _destination_id uuid, _account_digests bytea[])
returns text[] language sql immutable as $$
  select case
    when cardinality(_account_digests) > 0 then array(select encode(d, 'hex') from unnest(_account_digests) d)
    when _destination_id is not null then array[lower(_recipient) || ' ' || _destination_id]
    else array[lower(_recipient)]
  end
$$;
