-- Records the answer of one request with an Idempotency-Key; see record_idempotent_answers_v1.
create or replace function record_idempotent_answer_v1(
  _platform_id uuid, _key_digest bytea, _fingerprint bytea, _status integer, _answer text, _answer_sealed bytea,
  _now timestamptz
) returns void language sql as $$
  select record_idempotent_answers_v1(array[
    row(_platform_id, _key_digest, _fingerprint, _status, _answer, _answer_sealed, _now)::idempotency_records
  ])
$$;
