-- Records the answers of requests with an Idempotency-Key. The caller has claimed each key. An expired record is replaced.
create or replace function record_idempotent_answers_v1(_records idempotency_records[]) returns void language sql as $$
  insert into idempotency_records (platform_id, key_digest, fingerprint, status, answer, answer_sealed, created_at)
  select platform_id, key_digest, fingerprint, status, answer, answer_sealed, created_at
  from unnest(_records)
  on conflict (platform_id, key_digest) do update
  set fingerprint = excluded.fingerprint,
      status = excluded.status,
      answer = excluded.answer,
      answer_sealed = excluded.answer_sealed,
      created_at = excluded.created_at
$$;
