-- The answer to the request that created a payment: JSON text, with the number in the type that the caller used.
create or replace function payment_answer_v1(_head text, _number text, _number_is_text boolean, _tail text) returns text
language sql immutable parallel safe as $$
  select _head || case when _number_is_text then to_json(_number)::text else _number end || _tail
$$;
