-- Returns why a payment cannot have the number that its sender chose, or null. The result is also null if the counter chooses the number.
-- White space in a number does not make it another number.
--
--   _reserved   the numbers of the sender's checkbooks
create or replace function number_refusal_v1(_number text, _reserved int8multirange)
returns refusal language sql immutable parallel safe as $$
  select case when digits ~ '^\d{1,15}$' then
    case when _reserved @> digits::bigint then refusal_v1('check_number_reserved', 'number') end
  end
  from regexp_replace(_number, '\s', '', 'g') digits
$$;
