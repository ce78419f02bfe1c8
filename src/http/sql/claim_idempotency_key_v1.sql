-- Looks up an Idempotency-Key and claims it until the end of the transaction.
--
--   _key_digest, _fingerprint   digests of the key and of the request
--   _lock                       number of the advisory lock that stands for the key
--   _now                        real time: a key can be used again after 24 hours
--
-- Outcomes: new; replayed, with the recorded answer; idempotency_key_in_use by another transaction; idempotency_key_reused
-- for another request.
-- Locks: the advisory lock, never waited for.
create or replace function claim_idempotency_key_v1(
  _platform_id uuid, _key_digest bytea, _fingerprint bytea, _lock bigint, _now timestamptz,
  out outcome text, out status smallint, out answer text, out answer_sealed bytea
) language plpgsql as $$
declare
  known record;
begin
  if not pg_try_advisory_xact_lock(_lock) then
    outcome := 'idempotency_key_in_use';
    return;
  end if;
  select r.fingerprint, r.status, r.answer, r.answer_sealed, r.created_at
  into known
  from idempotency_records r
  where r.platform_id = _platform_id and r.key_digest = _key_digest;
  if not found or known.created_at <= _now - interval '24 hours' then
    outcome := 'new';
    return;
  end if;
  outcome := case when known.fingerprint = _fingerprint then 'replayed' else 'idempotency_key_reused' end;
  status := known.status;
  answer := known.answer;
  answer_sealed := known.answer_sealed;
end $$;
