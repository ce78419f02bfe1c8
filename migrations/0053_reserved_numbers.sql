-- The check numbers of the checkbooks of a user, which its payments do not get.
alter table user_counters add column reserved_numbers int8multirange; -- null without a checkbook
update user_counters c
set reserved_numbers = b.numbers
from (
  select platform_id, user_id, range_agg(int8range(first_number, last_number, '[]')) as numbers
  from checkbooks
  where status <> 'CANCELED'
  group by platform_id, user_id
) b
where b.platform_id = c.platform_id and b.user_id = c.user_id;
