-- Returns the orders of accept_plain_payments_v1, with their place in the group (from 1). Part of the query that calls it.
create or replace function plain_orders_v1(_orders json)
returns table (
  platform_id uuid, id uuid, sender_id uuid, amount_cents bigint, given_number text, number_is_text boolean,
  created_at timestamptz, business_day date, funding_id uuid, recipient text, recipient_email text, recipient_phone text, is_reachable boolean,
  key_at timestamptz, key_day date, key_digests bytea[], fingerprints bytea[], name text, description text, comment text,
  remittance_advice json, deposit_options text[], pin_description text, pin_sealed bytea, answer_version smallint, place bigint
) language sql stable as $$
  select *
  from rows from (
    json_to_recordset(_orders) as (
      platform_id uuid, id uuid, sender_id uuid, amount_cents bigint, number text, number_is_text boolean,
      created_at timestamptz, business_day date, funding_id uuid, recipient text, recipient_email text, recipient_phone text, is_reachable boolean,
      key_at timestamptz, key_day date, key_digests bytea[], fingerprints bytea[], name text, description text, comment text,
      remittance_advice json, deposit_options text[], pin_description text, pin_sealed bytea, answer_version smallint
    )
  ) with ordinality o
$$;
