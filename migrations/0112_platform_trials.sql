-- How many pairs of micro-deposits were wrong and right on a platform, by day of the business.
create table platform_trials (
  platform_id uuid not null,
  day date not null,
  wrong integer not null default 0,
  verified integer not null default 0,
  primary key (platform_id, day)
);
