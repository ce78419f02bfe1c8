-- Returns the id of the master key that makes the digests of this database. It stays the same until the end of the transaction.
-- Locks: `settings`, shared.
create or replace function current_digest_key_v1() returns text language sql stable as $$
  select s.value from settings s where s.name = 'digest_key'
$$;
