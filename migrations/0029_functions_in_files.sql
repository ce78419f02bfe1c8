-- Functions are defined in src/*/sql/. These are those that earlier migrations defined.
drop function if exists
  accept_payments, account_block, change_payment_status, claim_idempotency_key, claim_recipient_mail, destination_refusal,
  hold_destination, platform_offset, post_transfers, record_event, record_idempotent_answer, record_idempotent_answers,
  record_payment_events, record_wallet_event, standing, uuid_of_time;
