-- Why a payment cannot have the number that its sender chose, or null. Null for the next number of the counter.
--
--   _reserved   the numbers of the sender's checkbooks
create or replace function number_refusal_v1(_number text, _reserved int8multirange)
returns refusal language sql immutable parallel safe as $$
  select case when _number ~ '^\d{1,15}$' then
    case when _reserved @> _number::bigint then row('check_number_reserved', 'number', null)::refusal end
  end
$$;
