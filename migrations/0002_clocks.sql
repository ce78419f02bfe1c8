-- The difference between the clock of a platform and real time, in environments where clocks can be moved.
create table platform_clocks (
  platform_id  uuid primary key,
  offset_ms    bigint not null default 0
    check (offset_ms >= 0)
    -- About 6,970 years: small enough for a statement to compute the times of all platforms.
    constraint platform_clocks_offset_ms_bound check (offset_ms <= 220000000000000),
  advancing_to timestamptz -- while a clock advances, it shows the time of the last work that fell due
);

-- Worker step "advance clocks": platforms whose clock is advancing.
create index platform_clocks_advancing on platform_clocks (advancing_to) where advancing_to is not null;
