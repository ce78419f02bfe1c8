-- Looks up an Idempotency-Key and claims it until the end of the transaction.
--
--   _digests      digests of key and request in hex, by the id of each master key of the caller's ring
--   _now          real time; a key can be used again after 24 hours
--
-- Outcomes:
--   new                      with the digests to record it by
--   replayed                 with the recorded answer
--   idempotency_key_in_use   another transaction has claimed it
--   idempotency_key_reused   it was used for another request
-- Locks: the advisory lock of the key, without waiting.
create or replace function claim_idempotency_key_v1(
  _platform_id uuid, _digests json, _now timestamptz,
  out outcome text, out key_digest bytea, out fingerprint bytea, out status smallint, out answer text,
  out answer_sealed bytea
) language plpgsql as $$
declare
  key_ids text[] := array(select json_object_keys(_digests));
  digest_key text := key_ids[digest_place_v1(key_ids)];
  key text := _digests -> digest_key ->> 'key';
  known idempotency_records;
  known_fingerprint bytea;
begin
  key_digest := decode(key, 'hex');
  fingerprint := decode(_digests -> digest_key ->> 'fingerprint', 'hex');
  known_fingerprint := fingerprint;
  if not pg_try_advisory_xact_lock(('x' || right(key, 16))::bit(64)::bigint) then
    outcome := 'idempotency_key_in_use';
    return;
  end if;
  select r.* into known
  from idempotency_records r
  where r.platform_id = _platform_id and r.key_digest = claim_idempotency_key_v1.key_digest;
  -- A record from before a key rotation has digests by another master key.
  if not found and _digests::jsonb - digest_key <> '{}' then
    select
      decode(d.value ->> 'fingerprint', 'hex'), r.fingerprint, r.status, r.answer, r.answer_sealed, r.created_at
    into
      known_fingerprint, known.fingerprint, known.status, known.answer, known.answer_sealed, known.created_at
    from json_each(_digests) d
    join idempotency_records r on r.platform_id = _platform_id and r.key_digest = decode(d.value ->> 'key', 'hex')
    limit 1;
  end if;
  if known.created_at is null or known.created_at <= _now - interval '24 hours' then
    outcome := 'new';
    return;
  end if;
  outcome := case when known.fingerprint = known_fingerprint then 'replayed' else 'idempotency_key_reused' end;
  status := known.status;
  answer := known.answer;
  answer_sealed := known.answer_sealed;
end $$;
