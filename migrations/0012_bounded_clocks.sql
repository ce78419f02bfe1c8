-- A clock is at most ten years ahead of real time (src/sandbox/clock-rules.ts). One on its way farther stops where it is.
update platform_clocks
set advancing_to = null
where advancing_to > now() + interval '10 years';

-- What is added to a date in the year 9999 leads to a year of five digits, which no part of the program writes.
update platform_clocks
set offset_ms = extract(epoch from interval '10 years') * 1000
where offset_ms > extract(epoch from timestamptz '9000-01-01' - now()) * 1000;

-- About 6,970 years: times of all platforms can be computed in one statement.
alter table platform_clocks
  add constraint platform_clocks_offset_ms_bound check (offset_ms <= 220000000000000);

-- Platforms with a bank that lapses, in turn, and the first bank of a platform (src/due-store.ts, src/bank/bank-store.ts).
create index banks_platform_lapses_at on banks (platform_id, lapses_at) where status = 'PENDING' and deleted_at is null;
