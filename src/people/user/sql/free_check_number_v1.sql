-- Returns the first check number, starting at `_number`, that belongs to no checkbook of the user. After the largest number comes 1.
--
--   _reserved   the numbers of the user's checkbooks, or null
create or replace function free_check_number_v1(_number bigint, _reserved int8multirange)
returns bigint language plpgsql immutable parallel safe as $$
declare
  number bigint := _number;
begin
  while _reserved @> number loop
    number := (select upper(book) from unnest(_reserved) book where book @> number);
    number := (number - 1) % 100000000 + 1;
  end loop;
  return number;
end $$;
