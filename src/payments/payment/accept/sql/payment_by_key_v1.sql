-- The payment that an Idempotency-Key created in the last 24 hours, with the fingerprint of its request, for the functions of release 2.
--
--   _key_digests   of the key, by each master key of the caller's ring
--   _real_now      of the machine, not of the platform's clock
create or replace function payment_by_key_v1(_platform_id uuid, _key_digests bytea[], _real_now timestamptz)
returns table (id uuid, fingerprint bytea) language plpgsql stable as $$
begin
  return query
  select p.id, p.fingerprint
  from payments p
  where p.platform_id = _platform_id and p.key_digest = any (_key_digests)
    and p.key_day in (
      (_real_now at time zone 'UTC')::date, (_real_now at time zone 'UTC')::date - 1,
      ((_real_now + interval '1 hour') at time zone 'UTC')::date -- of a process that received the repeated request after midnight
    )
    and p.key_at > _real_now - interval '24 hours'
  limit 1;
end $$;
