-- Records the answer of a request whose Idempotency-Key is already claimed. Replaces an expired record.
create or replace function record_idempotent_answer_v1(
  _platform_id uuid, _key_digest bytea, _fingerprint bytea, _status integer, _answer text, _answer_sealed bytea,
  _now timestamptz
) returns void language plpgsql as $$
begin
  insert into idempotency_records (platform_id, key_digest, fingerprint, status, answer, answer_sealed, created_at)
  values (_platform_id, _key_digest, _fingerprint, _status, _answer, _answer_sealed, _now)
  on conflict (platform_id, key_digest) do update
  set fingerprint = excluded.fingerprint,
      status = excluded.status,
      answer = excluded.answer,
      answer_sealed = excluded.answer_sealed,
      created_at = excluded.created_at;
end $$;
