-- Looks up an Idempotency-Key and claims it until the end of the transaction.
--
--   _digests   key and fingerprint of the request in hex, by the id of each master key of the caller's ring
--   _now       real time: a key can be used again after 24 hours
--
-- Outcomes: new, with the digests to record it by; replayed, with the recorded answer; idempotency_key_in_use by another
-- transaction; idempotency_key_reused for another request.
-- Locks: `settings`, shared, so that the digest key stays the same; the advisory lock of the key, never waited for.
create or replace function claim_idempotency_key_v1(
  _platform_id uuid, _digests json, _now timestamptz,
  out outcome text, out key_digest bytea, out fingerprint bytea, out status smallint, out answer text,
  out answer_sealed bytea
) language plpgsql as $$
declare
  digest_key text;
  asked record;
  known record;
begin
  select s.value into digest_key
  from settings s
  where s.name = 'digest_key';
  key_digest := decode(_digests -> digest_key ->> 'key', 'hex');
  fingerprint := decode(_digests -> digest_key ->> 'fingerprint', 'hex');
  if key_digest is null then
    raise exception 'digests are made with master key %, which this process was started without: restart it', digest_key;
  end if;
  if not pg_try_advisory_xact_lock(('x' || right(_digests -> digest_key ->> 'key', 16))::bit(64)::bigint) then
    outcome := 'idempotency_key_in_use';
    return;
  end if;
  -- A record written before a rotation is found by another of the digests.
  for asked in
    select d.value ->> 'key' as key, d.value ->> 'fingerprint' as fingerprint
    from json_each(_digests) d
    order by d.key = digest_key desc
  loop
    select r.fingerprint, r.status, r.answer, r.answer_sealed, r.created_at
    into known
    from idempotency_records r
    where r.platform_id = _platform_id and r.key_digest = decode(asked.key, 'hex');
    exit when found;
  end loop;
  if known.created_at is null or known.created_at <= _now - interval '24 hours' then
    outcome := 'new';
    return;
  end if;
  outcome := case
    when known.fingerprint = decode(asked.fingerprint, 'hex') then 'replayed'
    else 'idempotency_key_reused'
  end;
  status := known.status;
  answer := known.answer;
  answer_sealed := known.answer_sealed;
end $$;
