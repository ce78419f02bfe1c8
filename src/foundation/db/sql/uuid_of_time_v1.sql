-- Creates a version 7 UUID (RFC 9562) for a time, precise to the microsecond (6.2, method 3). Used for rows that the database itself
-- writes.
create or replace function uuid_of_time_v1(_time timestamptz) returns uuid language sql volatile as $$
  select (
    lpad(to_hex(micros / 1000), 12, '0') || '7' || lpad(to_hex(micros % 1000 * 4096 / 1000), 3, '0')
    || substr(replace(gen_random_uuid()::text, '-', ''), 17)
  )::uuid
  from (select (extract(epoch from _time) * 1000000)::bigint as micros) since_1970
$$;
