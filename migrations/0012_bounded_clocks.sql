-- A clock is at most ten years ahead of real time. A clock that advances beyond that stops where it is.
update platform_clocks
set advancing_to = null
where advancing_to > now() + interval '10 years';

-- Deadlines are added to the time of a clock. From a date close to the year 10000 they would get a year of five digits,
-- which the program cannot write.
update platform_clocks
set offset_ms = extract(epoch from interval '10 years') * 1000
where offset_ms > extract(epoch from timestamptz '9000-01-01' - now()) * 1000;

-- About 6,970 years: small enough for a statement to compute the times of all platforms.
alter table platform_clocks
  add constraint platform_clocks_offset_ms_bound check (offset_ms <= 220000000000000);

-- Due work: the next platform with a bank whose verification lapses, and the first such bank of a platform.
create index banks_platform_lapses_at on banks (platform_id, lapses_at) where status = 'PENDING' and deleted_at is null;
