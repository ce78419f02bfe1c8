-- Returns a refusal of an order: an error code of the API, the offending field, and a detail. Part of the expression that calls it.
create or replace function refusal_v1(_code text, _field text default null, _detail text default null)
returns refusal language sql immutable parallel safe as $$
  select row(_code, _field, _detail)::refusal
$$;
